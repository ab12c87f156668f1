// The calls that allocate and free device memory (device/memory.h). The host may use its addresses
// too: managed memory is device memory under another name.
#include "device/memory.h"

#include "base/saturate.h"
#include "cudart/api.h"
#include "device/capture.h"

using namespace headroom::cudart;
namespace {

cudaError_t allocate(Session& session, void** out, uint64_t bytes, Place place) {
  if (!out) return cudaErrorInvalidValue;
  uint64_t address = 0;
  const Status status = allocate(session, bytes, place, current_device(), address);
  *out = reinterpret_cast<void*>(address);
  return code_of(status);
}

constexpr size_t pitch_alignment = 512;  // as measured on sm_90: cudaMallocPitch(100) gives 512

cudaError_t allocate_rows(void** out, size_t* pitch, size_t width, size_t rows,
                          const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        refuse_unsafe(session, "allocation");
        if (!out || !pitch) return cudaErrorInvalidValue;
        *pitch = headroom::saturated_round_up(width, pitch_alignment);
        const uint64_t bytes = headroom::saturated_multiply(*pitch, rows);
        if (bytes == UINT64_MAX) return cudaErrorInvalidValue;
        return allocate(session, out, bytes, Place::device);
      },
      function);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** out, size_t bytes) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaMalloc");
    return allocate(session, out, bytes, Place::device);
  });
}

cudaError_t cudaMallocManaged(void** out, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaMallocManaged");
    if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
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
  return allocate_rows(&out->ptr, &out->pitch, extent.width,
                       headroom::saturated_multiply(extent.height, extent.depth));
}

cudaError_t cudaFree(void* pointer) {
  return synchronising([&](Session& session) {
    return code_of(free_memory(session, uint64_t(pointer), "cudaFree"));
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
