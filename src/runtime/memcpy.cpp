// The copy and fill calls of linear memory: plain, 2-D, 3-D, between devices. All are complete on
// return, also the Async ones: a program that needed more than it may ask for would be wrong on a
// GPU too.
#include "runtime/copy.h"
#include "runtime/stream.h"

using namespace headroom::runtime;
namespace {

cudaError_t on_stream(cudaStream_t stream, const Body& body) {
  return synchronising([&](Session& session) {
    return is_stream(session, stream) ? body(session) : cudaErrorInvalidResourceHandle;
  });
}

Rows rows_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  Rows rows{uintptr_t(pointer.ptr), pointer.pitch, pointer.ysize};
  rows.base = rows.row(at.y, at.z) + at.x;
  return rows;
}

cudaError_t copy_2d(Session& session, void* to, size_t to_pitch, const void* from,
                    size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
  return copy(session, Rows{uintptr_t(to), to_pitch}, Rows{uintptr_t(from), from_pitch},
              Box{width, height}, kind);
}

cudaError_t copy_3d(Session& session, const cudaMemcpy3DParms* what) {
  if (!what) return cudaErrorInvalidValue;
  if (what->srcArray || what->dstArray)
    throw Failure{cudaErrorNotSupported,
                  headroom::Error{"cudaMemcpy3D", "copies to and from arrays are not supported yet",
                                  "copy linear memory (cudaPitchedPtr)"}};
  return copy(session, rows_of(what->dstPtr, what->dstPos), rows_of(what->srcPtr, what->srcPos),
              Box{what->extent.width, what->extent.height, what->extent.depth}, what->kind);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) { return copy(session, to, from, bytes, kind); });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) {
    return copy_2d(session, to, to_pitch, from, from_pitch, width, height, kind);
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) { return copy_3d(session, what); });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) { return cudaMemcpy3DAsync(what, nullptr); }

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) {
    int devices = session.options.devices;
    if (to_device < 0 || to_device >= devices || from_device < 0 || from_device >= devices)
      return cudaErrorInvalidDevice;
    return copy(session, to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) {
    return fill(session, Rows{uintptr_t(to)}, value, Box{bytes});
  });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) {
    if (height > 1 && width > pitch) return cudaErrorInvalidValue;
    return fill(session, Rows{uintptr_t(to), pitch}, value, Box{width, height});
  });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return on_stream(stream, [&](Session& session) {
    return fill(session, rows_of(to, {}), value, Box{extent.width, extent.height, extent.depth});
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return cudaMemset3DAsync(to, value, extent, nullptr);
}
}
