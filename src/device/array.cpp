#include "device/array.h"

#include "device/memory.h"
#include "device/properties.h"

namespace headroom::device {
namespace {

template <size_t N>
bool within(const Extent& extent, const int (&most)[N]) {
  const uint64_t sizes[] = {extent.width, extent.height, extent.depth};
  for (size_t i = 0; i < N; ++i)
    if (sizes[i] > uint64_t(most[i])) return false;
  return true;
}

bool fits(const Extent& extent, unsigned flags, const Properties& p) {
  const Extent line{extent.width, extent.depth, 0};
  if (flags & Array::cube) return extent.width <= uint64_t(p.max_texture_cubemap);
  if (flags & Array::layered)
    return extent.height ? within(extent, p.max_texture_2d_layered)
                         : within(line, p.max_texture_1d_layered);
  if (extent.depth) return within(extent, p.max_texture_3d);
  return extent.height ? within(extent, p.max_texture_2d)
                       : extent.width <= uint64_t(p.max_texture_1d);
}

bool is_possible(const Extent& extent, unsigned flags) {
  constexpr unsigned known = Array::layered | Array::for_surfaces | Array::for_gather | Array::cube;
  if (flags & (Array::sparse | Array::deferred) || (flags & Array::cube && flags & Array::layered))
    throw Failure{Status::not_supported,
                  Error{"cudaMalloc3DArray", "sparse arrays and layers of cubes are not supported",
                        "allocate a layered array or a cube"}};
  if (flags & Array::cube && (extent.width != extent.height || extent.depth != 6)) return false;
  if (flags & Array::layered ? !extent.depth : extent.depth && !extent.height) return false;
  return !(flags & ~known) && extent.width;
}

}  // namespace

bool Format::suits_an_array() const {
  int channels = 0;
  while (channels < 4 && bits[size_t(channels)]) ++channels;
  for (int i = 0; i < 4; ++i)
    if (bits[size_t(i)] != (i < channels ? bits[0] : 0)) return false;
  const bool width = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  const bool kind = channel != sim::Channel::floating || bits[0] != 8;
  return width && kind && (channels == 1 || channels == 2 || channels == 4);
}

Status create_array(Session& session, const Format& format, const Extent& extent, unsigned flags,
                    const Array*& out) {
  if (!is_possible(extent, flags) || !fits(extent, flags, properties_of(session.machine, 0, 0)))
    return Status::invalid_value;
  auto array =
      std::make_shared<Array>(Array{format, extent, flags, 0, current_device(), current_context()});
  const uint64_t bytes = array->row_bytes() * array->rows() * array->slices();
  const Status status = allocate(session, bytes, Place::variable, current_device(), array->base);
  if (failed(status)) return status;
  out = array.get();
  session.arrays.emplace(out, std::move(array));
  return Status::ok;
}

Status destroy_array(Session& session, const void* handle) {
  if (!handle) return Status::ok;
  const Array* array = find_array(session, handle);
  if (!array) return Status::invalid_value;
  session.memory.free(array->base);
  session.allocations.remove(array->base);
  session.arrays.erase(handle);
  return Status::ok;
}

const Array* find_array(const Session& session, const void* handle) {
  auto found = session.arrays.find(handle);
  return found == session.arrays.end() ? nullptr : found->second.get();
}

}  // namespace headroom::device
