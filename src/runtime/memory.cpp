// Allocation of device memory: the executor's range, whose addresses the host may use too. Managed
// memory is therefore device memory under another name.
#include <algorithm>

#include "runtime/session.h"
#include "runtime/stream.h"

using namespace headroom::runtime;
namespace {

constexpr size_t pitch_alignment = 512;  // as measured on sm_90: cudaMallocPitch(100) gives 512

cudaError_t allocate(Session& session, void** out, size_t bytes, Place place) {
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  if (!bytes) return cudaSuccess;
  int device = current_device();
  if (bytes > session.memory_of_device() ||
      session.used_on(device) > session.memory_of_device() - bytes)
    return cudaErrorMemoryAllocation;
  auto address = session.memory.allocate(bytes);
  if (!address) return cudaErrorMemoryAllocation;
  session.allocations[*address] = {*address, bytes, place, device};
  *out = reinterpret_cast<void*>(*address);
  return cudaSuccess;
}

cudaError_t release(Session& session, void* pointer) {
  if (!pointer) return cudaSuccess;
  auto found = session.allocations.find(uint64_t(pointer));
  if (found == session.allocations.end() || found->second.place > Place::managed)
    return cudaErrorInvalidValue;
  session.memory.free(found->first);
  session.allocations.erase(found);
  return cudaSuccess;
}

cudaError_t allocate_rows(void** out, size_t* pitch, size_t width, size_t rows) {
  return call([&](Session& session) {
    if (!out || !pitch) return cudaErrorInvalidValue;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return allocate(session, out, *pitch * rows, Place::device);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** out, size_t bytes) {
  return call([&](Session& session) { return allocate(session, out, bytes, Place::device); });
}

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t stream) {
  return call([&](Session& session) {
    if (!is_stream(session, stream)) return cudaErrorInvalidResourceHandle;
    return allocate(session, out, bytes, Place::device);
  });
}

cudaError_t cudaMallocManaged(void** out, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(session, out, bytes, Place::managed);
  });
}

cudaError_t cudaMallocPitch(void** out, size_t* pitch, size_t width, size_t height) {
  return allocate_rows(out, pitch, width, height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  if (!out) return fail(cudaErrorInvalidValue);
  out->xsize = extent.width;
  out->ysize = extent.height;
  return allocate_rows(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaFree(void* pointer) {
  return synchronising([&](Session& session) { return release(session, pointer); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return synchronising([&](Session& session) {
    if (!pointer || !is_stream(session, stream)) return cudaErrorInvalidValue;
    return release(session, pointer);
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Session& session) {
    if (!free || !total) return cudaErrorInvalidValue;
    *total = session.memory_of_device();
    *free = *total - session.used_on(current_device());
    return cudaSuccess;
  });
}

// Hints about where managed memory should live: it lives everywhere here.
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return call([](Session&) { return cudaSuccess; });
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return call([](Session&) { return cudaSuccess; });
}
}
