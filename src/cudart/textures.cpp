// Texture and surface objects: a resource, and the way of reading it.
#include "cudart/textures.h"

#include "base/saturate.h"

namespace headroom::cudart {
namespace {

constexpr size_t texture_alignment = 512, pitch_alignment = 32;  // as the device's properties say

[[noreturn]] void refuse(const char* problem, const char* hint) {
  throw Failure{Status::not_supported, Error{"cudaCreateTextureObject", problem, hint}};
}

cudaError_t set_format(sim::Texture& t, const cudaChannelFormatDesc& from) {
  const std::optional<Format> format = format_of(from);
  if (!format)
    refuse("only signed, unsigned and float channels are supported yet",
           "choose cudaChannelFormatKindSigned, Unsigned or Float");
  t.channels = 0;
  while (t.channels < 4 && format->bits[t.channels]) ++t.channels;
  t.bits = uint8_t(format->bits[0]);
  t.channel = format->channel;
  if (!t.channels || (t.bits != 8 && t.bits != 16 && t.bits != 32)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t set_array(Session& session, sim::Texture& t, cudaArray_t handle) {
  const Array* array = find_array(session, handle);
  if (!array) return cudaErrorInvalidValue;
  const bool in_layers = array->flags & (Array::layered | Array::cube);
  t.base = array->base;
  t.width = uint32_t(array->extent.width);
  t.height = uint32_t(array->extent.height);
  t.depth = in_layers ? 0 : uint32_t(array->extent.depth);
  t.layers = in_layers ? uint32_t(array->extent.depth) : 0;
  t.pitch = array->row_bytes();
  t.slice = t.pitch * array->rows();
  return cudaSuccess;
}

cudaError_t set_linear(sim::Texture& t, const void* pointer) {
  if (!pointer || uint64_t(pointer) % texture_alignment) return cudaErrorInvalidValue;
  t.base = uint64_t(pointer);
  return cudaSuccess;
}

bool is_allocated(const Session& session, const sim::Texture& t, uint64_t bytes) {
  const sim::Memory::Block* block = session.memory.find(t.base);
  return block && block->contains(t.base, bytes);
}

cudaError_t set_resource(Session& session, sim::Texture& t, const cudaResourceDesc& what) {
  switch (what.resType) {
    case cudaResourceTypeArray: return set_array(session, t, what.res.array.array);
    case cudaResourceTypeLinear: {
      const auto& linear = what.res.linear;
      if (cudaError_t error = set_linear(t, linear.devPtr)) return error;
      t.width = uint32_t(linear.sizeInBytes / t.element());
      t.linear_memory = true;
      return is_allocated(session, t, linear.sizeInBytes) ? cudaSuccess : cudaErrorInvalidValue;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = what.res.pitch2D;
      if (cudaError_t error = set_linear(t, rows.devPtr)) return error;
      t.width = uint32_t(rows.width);
      t.height = uint32_t(rows.height);
      t.pitch = rows.pitchInBytes;
      const uint64_t row = saturated_multiply(rows.width, t.element());
      const bool fits =
          t.width && t.height && t.pitch % pitch_alignment == 0 &&
          is_allocated(session, t,
                       saturated_add(saturated_multiply(t.pitch, rows.height - 1), row));
      return fits ? cudaSuccess : cudaErrorInvalidValue;
    }
    case cudaResourceTypeMipmappedArray:
      refuse("mipmapped arrays are not supported yet", "make an object of one level's array");
  }
  return cudaErrorInvalidValue;
}

cudaError_t set_reading(sim::Texture& t, const cudaTextureDesc& how) {
  for (int d = 0; d < 3; ++d) {
    if (how.addressMode[d] < cudaAddressModeWrap || how.addressMode[d] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    t.wrap[size_t(d)] = sim::Wrap(how.addressMode[d]);
  }
  for (int c = 0; c < 4; ++c) t.border[size_t(c)] = how.borderColor[c];
  t.linear = how.filterMode == cudaFilterModeLinear;
  t.normalised = how.normalizedCoords;
  t.srgb = how.sRGB && t.bits == 8;
  if (how.seamlessCubemap && t.linear)
    refuse("cubes that are filtered across their edges are not supported yet",
           "leave seamlessCubemap 0");
  return how.filterMode == cudaFilterModePoint || t.linear ? cudaSuccess : cudaErrorInvalidValue;
}

// Does the format suit the way of reading? Asked before all else, in the order in which CUDA 13.0
// on an H200 answers.
cudaError_t set_format(sim::Texture& t, const cudaChannelFormatDesc& format,
                       const cudaTextureDesc& how) {
  if (cudaError_t error = set_format(t, format)) return error;
  const bool integers = t.channel != sim::Channel::floating;
  const bool wide = t.bits == 32;
  t.as_float = integers && !wide && how.readMode != cudaReadModeElementType;
  if (how.filterMode == cudaFilterModeLinear && integers && !t.as_float)
    return cudaErrorInvalidFilterSetting;  // between integers there is nothing to read
  if (how.readMode == cudaReadModeNormalizedFloat && wide) return cudaErrorInvalidNormSetting;
  return cudaSuccess;
}

std::optional<cudaChannelFormatDesc> format_of(Session& session, const cudaResourceDesc& what) {
  switch (what.resType) {
    case cudaResourceTypeArray: {
      const Array* array = find_array(session, what.res.array.array);
      if (array) return told(array->format);
      return std::nullopt;
    }
    case cudaResourceTypeLinear: return what.res.linear.desc;
    case cudaResourceTypePitch2D: return what.res.pitch2D.desc;
    default: return std::nullopt;
  }
}

unsigned long long adopt(Session& session, TextureObject object, const sim::Texture& seen) {
  Textures& all = textures_of(session);
  const unsigned long long handle = all.next++;
  all.objects[handle] = object;
  sim::textures()[handle] = seen;
  return handle;
}

cudaError_t with_object(unsigned long long handle, bool surface, const void* out,
                        const std::function<void(const TextureObject&)>& body) {
  return call([&](Session& session) {
    Textures& all = textures_of(session);
    auto found = all.objects.find(handle);
    if (!out || found == all.objects.end() || sim::textures().at(handle).surface != surface)
      return cudaErrorInvalidValue;
    body(found->second);
    return cudaSuccess;
  });
}

cudaError_t destroy(unsigned long long handle, bool surface) {
  return call([&](Session& session) {
    Textures& all = textures_of(session);
    if (!handle) return cudaSuccess;
    auto found = sim::textures().find(handle);
    if (found == sim::textures().end() || found->second.surface != surface) return cudaSuccess;
    sim::textures().erase(found);
    all.objects.erase(handle);
    return cudaSuccess;
  });
}

}  // namespace

Textures& textures_of(Session& session) {
  if (!session.textures) session.textures = std::make_shared<Textures>();
  return *session.textures;
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  return call([&](Session& session) {
    if (!out || !resource || !how) return cudaErrorInvalidValue;
    if (view && view->format != cudaResViewFormatNone)
      refuse("resource views are not supported yet", "pass no view");
    headroom::sim::Texture seen;
    if (const auto format = format_of(session, *resource))
      if (cudaError_t error = set_format(seen, *format, *how)) return error;
    if (cudaError_t error = set_resource(session, seen, *resource)) return error;
    if (cudaError_t error = set_reading(seen, *how)) return error;
    *out = adopt(session, {*resource, *how, view ? *view : cudaResourceViewDesc{}}, seen);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) { return destroy(handle, false); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t handle) {
  return with_object(handle, false, out, [&](const TextureObject& one) { *out = one.resource; });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t handle) {
  return with_object(handle, false, out, [&](const TextureObject& one) { *out = one.texture; });
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out,
                                                 cudaTextureObject_t handle) {
  return with_object(handle, false, out, [&](const TextureObject& one) { *out = one.view; });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  return call([&](Session& session) {
    if (!out || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    headroom::sim::Texture seen;
    if (cudaError_t error = set_resource(session, seen, *resource)) return error;
    if (cudaError_t error = set_format(seen, *format_of(session, *resource))) return error;
    seen.surface = true;  // CUDA takes arrays made without cudaArraySurfaceLoadStore too
    *out = adopt(session, {*resource, {}, {}}, seen);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) { return destroy(handle, true); }

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t handle) {
  return with_object(handle, true, out, [&](const TextureObject& one) { *out = one.resource; });
}
}
