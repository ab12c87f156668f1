// The copy and fill calls of linear memory: plain, 2-D, 3-D, between devices. Nearly all are complete on
// return, also the Async ones, unless they come after a host function that runs: a program that needed
// more than it may ask for would be wrong on a GPU too.
#include "cudart/copy.h"
#include "cudart/enqueue.h"

using namespace headroom::cudart;
namespace {

MakeWork copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                   size_t height, cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch)
    return [](Session&, Work&) { return cudaErrorInvalidPitchValue; };
  return copy_work(copy_of(to, to_pitch, from, from_pitch, width, height, kind));
}

MakeWork copy_3d(const cudaMemcpy3DParms* what) {
  if (!what) return [](Session&, Work&) { return cudaErrorInvalidValue; };
  return copy_work(copy_of(*what));
}

MakeWork copy_peer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return [=](Session& session, Work& work) {
    int devices = session.options.devices;
    if (to_device < 0 || to_device >= devices || from_device < 0 || from_device >= devices)
      return cudaErrorInvalidDevice;
    return copy_work(copy_of(to, from, bytes, cudaMemcpyDeviceToDevice))(session, work);
  };
}

// Arrays are checked with the rest.
MakeWork copy_3d_peer(const cudaMemcpy3DPeerParms* what) {
  if (!what) return [](Session&, Work&) { return cudaErrorInvalidValue; };
  const cudaMemcpy3DPeerParms all = *what;
  return [=](Session& session, Work& work) {
    const int devices = session.options.devices;
    if (all.srcDevice < 0 || all.srcDevice >= devices || all.dstDevice < 0 ||
        all.dstDevice >= devices)
      return cudaErrorInvalidDevice;
    return copy_work(copy_of({all.srcArray, all.srcPos, all.srcPtr, all.dstArray, all.dstPos,
                              all.dstPtr, all.extent, cudaMemcpyDefault}))(session, work);
  };
}

MakeWork fill_box(const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
  return fill_work({{to.ptr, to.pitch, to.xsize, to.ysize},
                    unsigned(value) & 0xff,
                    1,
                    {extent.width, extent.height, extent.depth}});
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return enqueue(stream, copy_work(copy_of(to, from, bytes, kind)));
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return at_once("cudaMemcpy", copy_work(copy_of(to, from, bytes, kind)));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return enqueue(stream, copy_rows(to, to_pitch, from, from_pitch, width, height, kind));
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return at_once("cudaMemcpy2D", copy_rows(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return enqueue(stream, copy_3d(what));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return at_once("cudaMemcpy3D", copy_3d(what));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return enqueue(stream, copy_peer(to, to_device, from, from_device, bytes));
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return at_once("cudaMemcpyPeer", copy_peer(to, to_device, from, from_device, bytes));
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
  return enqueue(stream, copy_3d_peer(what));
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what) {
  return at_once("cudaMemcpy3DPeer", copy_3d_peer(what));
}

// The attributes say when the sources may be read and where they lie: it is all one here.
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                 size_t attribute_count, cudaStream_t stream) {
  if (!to || !from || !sizes || !count || !attributes || !first || !attribute_count || first[0] ||
      !stream || stream == cudaStreamLegacy)
    return fail(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!sizes[i]) return fail(cudaErrorInvalidValue);
    if (cudaError_t error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream))
      return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return enqueue(stream, fill_box({to, bytes, bytes, 1}, value, {bytes, 1, 1}));
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return enqueue(nullptr, fill_box({to, bytes, bytes, 1}, value, {bytes, 1, 1}));
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return enqueue(stream, fill_box({to, pitch, width, height}, value, {width, height, 1}));
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return enqueue(nullptr, fill_box({to, pitch, width, height}, value, {width, height, 1}));
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return enqueue(stream, fill_box(to, value, extent));
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return enqueue(nullptr, fill_box(to, value, extent));
}
}
