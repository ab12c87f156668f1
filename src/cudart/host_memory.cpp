// The calls about memory of the host that kernels may touch, and about what a pointer is
// (device/host_memory.h).
#include "device/host_memory.h"

#include "cudart/api.h"
#include "device/capture.h"
#include "device/host_function.h"

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaHostAlloc");
    return out ? code_of(allocate_host(session, bytes, flags, *out)) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMallocHost(void** out, size_t bytes) { return cudaHostAlloc(out, bytes, 0); }

cudaError_t cudaFreeHost(void* pointer) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaFreeHost");
    wait_for_host_functions(session, current_device());
    session.timeline.host_waits(current_device());
    return code_of(free_host(session, pointer));
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaHostRegister");
    return code_of(register_host(session, pointer, bytes, flags));
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaHostUnregister");
    session.timeline.host_waits(current_device());
    return code_of(unregister_host(session, pointer));
  });
}

cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned flags) {
  return call([&](Session& session) {
    if (!out || flags || !find_host(session, pointer)) return cudaErrorInvalidValue;
    *out = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* out, void* pointer) {
  return call([&](Session& session) {
    const Allocation* allocation = find_host(session, pointer);
    if (!out || !allocation) return cudaErrorInvalidValue;
    *out = allocation->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
  return call([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    const Pointed what = look_up(session, pointer);
    auto* same = const_cast<void*>(pointer);
    *out = cudaPointerAttributes{};
    out->type = cudaMemoryType(what.kind);
    out->device = out->type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : what.device;
    if (out->type != cudaMemoryTypeUnregistered) out->devicePointer = same;
    if (out->type != cudaMemoryTypeDevice) out->hostPointer = same;
    return cudaSuccess;
  });
}
}
