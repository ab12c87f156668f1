// Allocation of device memory: the executor's range, whose addresses the host may use too. Managed
// memory is therefore device memory under another name.
#include "cudart/memory.h"

#include <algorithm>

#include "base/saturate.h"
#include "cudart/capture.h"
#include "cudart/pool.h"
#include "device/host_function.h"

namespace headroom::cudart {
namespace {

bool fits(const Session& session, size_t bytes, int device) {
  return bytes <= session.memory_of_device() &&
         session.allocations.used(device) <= session.memory_of_device() - bytes;
}

// Addresses of a graph's memory: given back when neither a node nor an allocation has them.
struct Addresses {
  sim::Memory& memory;
  uint64_t begin;
  ~Addresses() { memory.free(begin); }
};

}  // namespace

cudaError_t allocate(Session& session, void** out, size_t bytes, Place place, int device) {
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  if (!bytes) return cudaSuccess;
  if (!fits(session, bytes, device)) return cudaErrorMemoryAllocation;
  auto address = session.memory.allocate(bytes);
  if (!address) return cudaErrorMemoryAllocation;
  session.allocations.add({*address, bytes, place, device});
  *out = reinterpret_cast<void*>(*address);
  return cudaSuccess;
}

cudaError_t release(Session& session, void* pointer) {
  if (!pointer) return cudaSuccess;
  const Allocation* found = session.allocations.at(uint64_t(pointer));
  if (!found || found->place > Place::managed) return cudaErrorInvalidValue;
  if (found->pool) found->pool->give(found->bytes);
  if (!found->addresses) session.memory.free(found->begin);
  session.allocations.remove(found->begin);
  return cudaSuccess;
}

uint64_t graph_memory(const Session& session, int device) {
  uint64_t bytes = 0;
  for (const auto& [begin, allocation] : session.allocations.all())
    if (allocation.addresses && allocation.device == device) bytes += allocation.bytes;
  return bytes;
}

cudaError_t reserve(Session& session, AllocateWork& work) {
  auto address = session.memory.allocate(work.what.bytesize);
  if (!address) return cudaErrorMemoryAllocation;
  work.addresses = std::make_shared<Addresses>(session.memory, *address);
  work.what.dptr = reinterpret_cast<void*>(*address);
  return cudaSuccess;
}

cudaError_t allocate(Session& session, const AllocateWork& work) {
  const auto address = uint64_t(work.what.dptr);
  const int device = work.what.poolProps.location.id;
  if (session.allocations.at(address)) return cudaErrorInvalidValue;
  if (!fits(session, work.what.bytesize, device)) return cudaErrorMemoryAllocation;
  session.allocations.add({address, work.what.bytesize, Place::device, device, 0, work.addresses});
  return cudaSuccess;
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
    return allocate(session, out, headroom::saturated_multiply(*pitch, rows), Place::device,
                    current_device());
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
