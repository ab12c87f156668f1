// The calls that allocate and free device memory (device/memory.h). The host may use its addresses
// too: managed memory is device memory under another name.
#include "cudart/memory.h"

#include "base/saturate.h"
#include "cudart/graph/capture.h"
#include "device/host_function.h"

namespace headroom::cudart {

cudaError_t allocate(Session& session, void** out, size_t bytes, Place place, int device) {
  if (!out) return cudaErrorInvalidValue;
  uint64_t address = 0;
  const Status status = device::allocate(session, bytes, place, device, address);
  *out = reinterpret_cast<void*>(address);
  return code_of(status);
}

cudaError_t release(Session& session, void* pointer) {
  return code_of(device::release(session, uint64_t(pointer)));
}

cudaError_t reserve(Session& session, AllocateWork& work) {
  Reserved reserved;
  const Status status = device::reserve(session, work.what.bytesize, reserved);
  work.addresses = std::move(reserved.addresses);
  work.what.dptr = reinterpret_cast<void*>(reserved.begin);
  return code_of(status);
}

cudaError_t allocate(Session& session, const AllocateWork& work) {
  const Reserved reserved{uint64_t(work.what.dptr), work.what.bytesize, work.addresses};
  return code_of(device::allocate(session, reserved, work.what.poolProps.location.id));
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
namespace {

constexpr size_t pitch_alignment = 512;  // as measured on sm_90: cudaMallocPitch(100) gives 512

cudaError_t allocate_rows(void** out, size_t* pitch, size_t width, size_t rows) {
  return call([&](Session& session) {
    refuse_unsafe(session, "allocation");
    if (!out || !pitch) return cudaErrorInvalidValue;
    *pitch = headroom::saturated_round_up(width, pitch_alignment);
    const uint64_t bytes = headroom::saturated_multiply(*pitch, rows);
    if (bytes == UINT64_MAX) return cudaErrorInvalidValue;
    return allocate(session, out, bytes, Place::device, current_device());
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** out, size_t bytes) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaMalloc");
    return allocate(session, out, bytes, Place::device, current_device());
  });
}

cudaError_t cudaMallocManaged(void** out, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaMallocManaged");
    if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return allocate(session, out, bytes, Place::managed, current_device());
  });
}

cudaError_t cudaMallocPitch(void** out, size_t* pitch, size_t width, size_t height) {
  return allocate_rows(out, pitch, width, height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  if (!out) return fail(cudaErrorInvalidValue);
  out->xsize = extent.width;
  out->ysize = extent.height;
  return allocate_rows(&out->ptr, &out->pitch, extent.width,
                       headroom::saturated_multiply(extent.height, extent.depth));
}

cudaError_t cudaFree(void* pointer) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaFree");
    wait_for_host_functions(session, current_device());
    return release(session, pointer);
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Session& session) {
    if (!free || !total) return cudaErrorInvalidValue;
    *total = session.memory_of_device();
    *free = *total - session.allocations.used(current_device());
    return cudaSuccess;
  });
}

// Memory of graphs goes back as soon as it is free: there is never any to trim.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&](Session& session) {
    return device >= 0 && device < session.options.devices ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* out) {
  return call([&](Session& session) {
    if (!out || attribute < cudaGraphMemAttrUsedMemCurrent ||
        attribute > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    if (device < 0 || device >= session.options.devices) return cudaErrorInvalidDevice;
    const bool now = attribute == cudaGraphMemAttrUsedMemCurrent ||
                     attribute == cudaGraphMemAttrReservedMemCurrent;
    *static_cast<uint64_t*>(out) =
        now ? graph_memory(session, device) : session.graph_memory_high[device];
    return cudaSuccess;
  });
}

// The high-water marks can only be reset.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call([&](Session& session) {
    if (!value || *static_cast<uint64_t*>(value) ||
        (attribute != cudaGraphMemAttrUsedMemHigh && attribute != cudaGraphMemAttrReservedMemHigh))
      return cudaErrorInvalidValue;
    if (device < 0 || device >= session.options.devices) return cudaErrorInvalidDevice;
    session.graph_memory_high[device] = graph_memory(session, device);
    return cudaSuccess;
  });
}
}
