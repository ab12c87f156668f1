// The calls about arrays (device/array.h), and the copies to and from them in two dimensions.
#include "cudart/array.h"

#include "cudart/copy.h"
#include "cudart/enqueue.h"
#include "device/capture.h"

namespace headroom::cudart {
namespace {

cudaError_t make(Session& session, cudaArray_t* out, const cudaChannelFormatDesc* format,
                 const cudaExtent& extent, unsigned flags) {
  refuse_unsafe(session, "cudaMallocArray");
  if (!out || !format) return cudaErrorInvalidValue;
  const std::optional<Format> elements = format_of(*format);
  if (!elements || !elements->suits_an_array()) return cudaErrorInvalidChannelDescriptor;
  const Array* array = nullptr;
  const Status status =
      create_array(session, *elements, {extent.width, extent.height, extent.depth}, flags, array);
  if (!failed(status)) *out = reinterpret_cast<cudaArray_t>(const_cast<Array*>(array));
  return code_of(status);
}

// Offsets and widths of the 2-D calls are bytes; a copy counts the elements of its arrays.
cudaError_t in_elements(const Session& session, Side& side, size_t offset, CopyWork& what,
                        size_t width) {
  const Array* array = find_array(session, side.array);
  if (!array || offset % array->element() || width % array->element()) return cudaErrorInvalidValue;
  side.at.x = offset / array->element();
  what.extent.width = width / array->element();
  return cudaSuccess;
}

struct Rectangle {
  size_t x, y, width, height;
};

MakeWork to_array(cudaArray_t to, const void* from, size_t pitch, const Rectangle& r,
                  cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    if (r.width > pitch) return cudaErrorInvalidPitchValue;
    CopyWork what{{to, {}, {0, r.y, 0}},
                  {nullptr, {const_cast<void*>(from), pitch, r.width, r.height}, {}},
                  {0, r.height, 1},
                  Direction(kind)};
    if (cudaError_t error = in_elements(session, what.to, r.x, what, r.width)) return error;
    return copy_work(what)(session, work);
  };
}

MakeWork from_array(void* to, size_t pitch, cudaArray_const_t from, const Rectangle& r,
                    cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    if (r.width > pitch) return cudaErrorInvalidPitchValue;
    CopyWork what{{nullptr, {to, pitch, r.width, r.height}, {}},
                  {from, {}, {0, r.y, 0}},
                  {0, r.height, 1},
                  Direction(kind)};
    if (cudaError_t error = in_elements(session, what.from, r.x, what, r.width)) return error;
    return copy_work(what)(session, work);
  };
}

MakeWork between(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                 const Rectangle& r, cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    CopyWork what{
        {to, {}, {0, to_y, 0}}, {from, {}, {0, r.y, 0}}, {0, r.height, 1}, Direction(kind)};
    if (cudaError_t error = in_elements(session, what.from, r.x, what, r.width)) return error;
    if (cudaError_t error = in_elements(session, what.to, to_x, what, r.width)) return error;
    return copy_work(what)(session, work);
  };
}

// The old calls run on over the ends of rows: from a row's beginning they are whole rows.
Rectangle rows_of(const Session& session, cudaArray_const_t handle, size_t x, size_t y,
                  size_t bytes) {
  const Array* array = find_array(session, handle);
  const size_t row = array ? array->row_bytes() : bytes;
  if (x || bytes <= row) return {x, y, bytes, 1};
  if (bytes % row)
    throw Failure{Status::not_supported,
                  Error{"cudaMemcpyToArray", "a copy that ends inside of a row is not supported",
                        "copy rows with cudaMemcpy2DToArray"}};
  return {0, y, row, bytes / row};
}

MakeWork to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                  cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    const Rectangle r = rows_of(session, to, x, y, bytes);
    return to_array(to, from, r.width, r, kind)(session, work);
  };
}
MakeWork from_array(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                    cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    const Rectangle r = rows_of(session, from, x, y, bytes);
    return from_array(to, r.width, from, r, kind)(session, work);
  };
}

}  // namespace

std::optional<Format> format_of(const cudaChannelFormatDesc& from) {
  Format format{{from.x, from.y, from.z, from.w}, {}};
  switch (from.f) {
    case cudaChannelFormatKindSigned: format.channel = sim::Channel::signed_integer; break;
    case cudaChannelFormatKindUnsigned: format.channel = sim::Channel::unsigned_integer; break;
    case cudaChannelFormatKindFloat: format.channel = sim::Channel::floating; break;
    default: return std::nullopt;
  }
  return format;
}

cudaChannelFormatDesc told(const Format& from) {
  constexpr cudaChannelFormatKind kinds[] = {
      cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat};
  const auto& bits = from.bits;
  return {bits[0], bits[1], bits[2], bits[3], kinds[size_t(from.channel)]};
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* out, cudaArray_const_t handle) {
  return call([&](Session& session) {
    const Array* array = find_array(session, handle);
    if (!out || !array) return cudaErrorInvalidValue;
    *out = told(array->format);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return call([&](Session& session) {
    return make(session, out, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return call([&](Session& session) { return make(session, out, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t handle) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaFreeArray");
    return code_of(destroy_array(session, handle));
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
  return call([&](Session& session) {
    const Array* array = find_array(session, handle);
    if (!array) return cudaErrorInvalidValue;
    if (format) *format = told(array->format);
    if (extent) *extent = {array->extent.width, array->extent.height, array->extent.depth};
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return at_once("cudaMemcpy2DToArray", to_array(to, from, pitch, {x, y, width, height}, kind));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return enqueue(stream, to_array(to, from, pitch, {x, y, width, height}, kind));
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return at_once("cudaMemcpy2DFromArray", from_array(to, pitch, from, {x, y, width, height}, kind));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enqueue(stream, from_array(to, pitch, from, {x, y, width, height}, kind));
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return at_once("cudaMemcpy2DArrayToArray",
                 between(to, to_x, to_y, from, {x, y, width, height}, kind));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return at_once("cudaMemcpyToArray", to_array(to, x, y, from, bytes, kind));
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, to_array(to, x, y, from, bytes, kind));
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return at_once("cudaMemcpyFromArray", from_array(to, from, x, y, bytes, kind));
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, from_array(to, from, x, y, bytes, kind));
}
}
