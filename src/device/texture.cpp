#include "device/texture.h"

#include "base/saturate.h"

namespace headroom::device {
namespace {

constexpr uint64_t texture_alignment = 512, pitch_alignment = 32;  // as the device's properties say

[[noreturn]] void refuse_texture(const char* problem, const char* hint) {
  throw Failure{Status::not_supported, Error{"cudaCreateTextureObject", problem, hint}};
}

// Null: a resource that has none, or none any more.
const Format* format_of(const Session& session, const Resource& what) {
  if (what.kind == Resource::Kind::linear || what.kind == Resource::Kind::rows) return &what.format;
  const Array* array = find_array(session, what.array);
  return array && what.kind == Resource::Kind::array ? &array->format : nullptr;
}

Status set_format(sim::Texture& t, const Format& format) {
  t.channels = 0;
  while (t.channels < 4 && format.bits[t.channels]) ++t.channels;
  t.bits = uint8_t(format.bits[0]);
  t.channel = format.channel;
  return t.channels && (t.bits == 8 || t.bits == 16 || t.bits == 32) ? Status::ok
                                                                     : Status::invalid_value;
}

// Does the format suit the way of reading? Asked before all else, in the order in which CUDA 13.0
// on an H200 answers.
Status set_format(sim::Texture& t, const Format& format, const Reading& how) {
  if (const Status status = set_format(t, format); failed(status)) return status;
  const bool integers = t.channel != sim::Channel::floating;
  const bool wide = t.bits == 32;
  t.as_float = integers && !wide && how.as_float;
  if (how.linear && integers && !t.as_float)
    return Status::invalid_filter;  // between integers there is nothing to read
  return how.as_float && wide ? Status::invalid_norm : Status::ok;
}

Status set_array(const Session& session, sim::Texture& t, const void* handle) {
  const Array* array = find_array(session, handle);
  if (!array) return Status::invalid_value;
  const bool in_layers = array->flags & (Array::layered | Array::cube);
  t.base = array->base;
  t.width = uint32_t(array->extent.width);
  t.height = uint32_t(array->extent.height);
  t.depth = in_layers ? 0 : uint32_t(array->extent.depth);
  t.layers = in_layers ? uint32_t(array->extent.depth) : 0;
  t.pitch = array->row_bytes();
  t.slice = t.pitch * array->rows();
  return Status::ok;
}

bool is_aligned(const void* pointer) {
  return pointer && uint64_t(pointer) % texture_alignment == 0;
}

bool is_allocated(const Session& session, const sim::Texture& t, uint64_t bytes) {
  const sim::Memory::Block* block = session.memory.find(t.base);
  return block && block->contains(t.base, bytes);
}

Status set_linear(const Session& session, sim::Texture& t, const Resource& what) {
  if (!is_aligned(what.pointer)) return Status::invalid_value;
  t.base = uint64_t(what.pointer);
  t.width = uint32_t(what.bytes / t.element());
  t.linear_memory = true;
  return is_allocated(session, t, what.bytes) ? Status::ok : Status::invalid_value;
}

Status set_rows(const Session& session, sim::Texture& t, const Resource& what) {
  if (!is_aligned(what.pointer)) return Status::invalid_value;
  t.base = uint64_t(what.pointer);
  t.width = uint32_t(what.width);
  t.height = uint32_t(what.height);
  t.pitch = what.pitch;
  const uint64_t row = saturated_multiply(what.width, t.element());
  const bool fits =
      t.width && t.height && t.pitch % pitch_alignment == 0 &&
      is_allocated(session, t, saturated_add(saturated_multiply(t.pitch, what.height - 1), row));
  return fits ? Status::ok : Status::invalid_value;
}

Status set_resource(const Session& session, sim::Texture& t, const Resource& what) {
  switch (what.kind) {
    case Resource::Kind::array: return set_array(session, t, what.array);
    case Resource::Kind::linear: return set_linear(session, t, what);
    case Resource::Kind::rows: return set_rows(session, t, what);
    case Resource::Kind::mipmapped_array:
      refuse_texture("mipmapped arrays are not supported yet",
                     "make an object of one level's array");
  }
  return Status::invalid_value;
}

Status set_reading(sim::Texture& t, const Reading& how) {
  for (const sim::Wrap wrap : how.wrap)
    if (wrap > sim::Wrap::border) return Status::invalid_value;
  t.wrap = how.wrap;
  t.border = how.border;
  t.linear = how.linear;
  t.normalised = how.normalised;
  t.srgb = how.srgb && t.bits == 8;
  if (how.seamless && t.linear)
    refuse_texture("cubes that are filtered across their edges are not supported yet",
                   "leave seamlessCubemap 0");
  return Status::ok;
}

uint64_t adopt(Session& session, TextureObject object, const sim::Texture& seen) {
  const uint64_t handle = session.next_texture++;
  session.textures[handle] = std::make_shared<TextureObject>(object);
  sim::textures()[handle] = seen;
  return handle;
}

const TextureObject* find_object(const Session& session, uint64_t handle, bool surface) {
  auto found = session.textures.find(handle);
  return found != session.textures.end() && found->second->surface == surface ? found->second.get()
                                                                              : nullptr;
}

void destroy_object(Session& session, uint64_t handle, bool surface) {
  if (!find_object(session, handle, surface)) return;
  sim::textures().erase(handle);
  session.textures.erase(handle);
}

}  // namespace

Status create_texture(Session& session, const Resource& resource, const Reading& reading,
                      const View& view, uint64_t& handle) {
  sim::Texture seen;
  if (const Format* format = format_of(session, resource))
    if (const Status status = set_format(seen, *format, reading); failed(status)) return status;
  if (const Status status = set_resource(session, seen, resource); failed(status)) return status;
  if (const Status status = set_reading(seen, reading); failed(status)) return status;
  handle = adopt(session, {resource, reading, view}, seen);
  return Status::ok;
}

// Also of arrays that were not made for it, as CUDA has it.
Status create_surface(Session& session, const Resource& resource, uint64_t& handle) {
  if (resource.kind != Resource::Kind::array) return Status::invalid_value;
  sim::Texture seen;
  if (const Status status = set_resource(session, seen, resource); failed(status)) return status;
  if (const Status status = set_format(seen, *format_of(session, resource)); failed(status))
    return status;
  seen.surface = true;
  handle = adopt(session, {resource, {}, {}, true}, seen);
  return Status::ok;
}

void destroy_texture(Session& session, uint64_t handle) { destroy_object(session, handle, false); }
void destroy_surface(Session& session, uint64_t handle) { destroy_object(session, handle, true); }

const TextureObject* find_texture(const Session& session, uint64_t handle) {
  return find_object(session, handle, false);
}
const TextureObject* find_surface(const Session& session, uint64_t handle) {
  return find_object(session, handle, true);
}

}  // namespace headroom::device
