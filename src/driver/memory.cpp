// Memory: of the device, of the host that kernels may touch, and in the order of a stream; and what a pointer
// is.
#include "device/memory.h"

#include "base/saturate.h"
#include "device/advice.h"
#include "device/capture.h"
#include "device/host_function.h"
#include "device/host_memory.h"
#include "device/pools.h"
#include "device/submit.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

constexpr size_t pitch_alignment = 512;  // as measured on sm_90

CUresult allocate(CUdeviceptr* out, uint64_t bytes, Place place, const char* call) {
  return in_context([&](Session& session) {
    refuse_unsafe(session, call);
    if (!out || !bytes) return Status::invalid_value;
    uint64_t address = 0;
    const Status status =
        headroom::device::allocate(session, bytes, place, current_device(), address);
    *out = address;
    return status;
  });
}

CUresult allocate_async(CUdeviceptr* out, size_t bytes, const void* pool, CUstream handle) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, handle, [&](Session&, Work& work) {
      if (!out) return Status::invalid_value;  // of no bytes: at 0
      uint64_t address = 0;
      const Status status =
          allocate_ordered(session, *find_stream(session, handle), pool, bytes, work, address);
      *out = address;
      return status;
    });
  });
}

const Allocation* allocation_of(const Session& session, CUdeviceptr address) {
  const Allocation* host = find_host(session, pointer_of(address));
  return host ? host : session.allocations.holding(address);
}

// Of addresses that no allocation has, nothing can be said.
Status tell(const Session& session, CUpointer_attribute attribute, CUdeviceptr address, void* out) {
  const Allocation* found = allocation_of(session, address);
  if (!found) return Status::invalid_value;
  const Pointed what = look_up(session, pointer_of(address));
  const bool is_host = what.kind == Pointed::Kind::host;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(out) = context_on(what.device);
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(out) = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(out) = address;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (what.kind == Pointed::Kind::device) return Status::invalid_value;
      *static_cast<CUdeviceptr*>(out) = address;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *static_cast<unsigned*>(out) = 1; return Status::ok;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(out) = found->begin;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(out) = what.kind == Pointed::Kind::managed;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(out) = what.device;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      *static_cast<unsigned*>(out) = 0;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(out) = found->begin;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(out) = found->bytes;
      return Status::ok;
    case CU_POINTER_ATTRIBUTE_MAPPED: *static_cast<unsigned*>(out) = 1; return Status::ok;
    default:
      return attribute > 0 && attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE
                 ? Status::not_supported
                 : Status::invalid_value;
  }
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuMemAlloc(CUdeviceptr* out, size_t bytes) {
  return allocate(out, bytes, Place::device, "cuMemAlloc");
}
CUresult cuMemAllocManaged(CUdeviceptr* out, size_t bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate(out, bytes, Place::managed, "cuMemAllocManaged");
}
CUresult cuMemAllocPitch(CUdeviceptr* out, size_t* pitch, size_t width, size_t height,
                         unsigned element) {
  if (!pitch || (element != 4 && element != 8 && element != 16)) return CUDA_ERROR_INVALID_VALUE;
  *pitch = headroom::saturated_round_up(width, pitch_alignment);
  return allocate(out, headroom::saturated_multiply(*pitch, height), Place::device,
                  "cuMemAllocPitch");
}
CUresult cuMemFree(CUdeviceptr address) {
  return in_context_of(pointer_of(address), Need::wait, [&](Session& session) {
    return free_memory(session, address, "cuMemFree");
  });
}

CUresult cuMemGetInfo(size_t* left, size_t* all) {
  return in_context([&](Session& session) {
    if (!left || !all) return Status::invalid_value;
    *all = session.memory_of_device();
    *left = *all - session.allocations.used(current_device());
    return Status::ok;
  });
}
CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr address) {
  return in_context([&](Session& session) {
    if (!begin && !bytes) return Status::ok;
    const Allocation* found = session.allocations.holding(address);
    if (!found) return Status::not_found;
    if (begin) *begin = found->begin;
    if (bytes) *bytes = found->bytes;
    return Status::ok;
  });
}

CUresult cuMemHostAlloc(void** out, size_t bytes, unsigned flags) {
  return in_context([&](Session& session) {
    refuse_unsafe(session, "cuMemHostAlloc");
    return out && bytes ? allocate_host(session, bytes, flags, *out) : Status::invalid_value;
  });
}
CUresult cuMemAllocHost(void** out, size_t bytes) { return cuMemHostAlloc(out, bytes, 0); }
CUresult cuMemFreeHost(void* pointer) {
  return in_context(Need::wait, [&](Session& session) {
    refuse_unsafe(session, "cuMemFreeHost");
    wait_for_host_functions(session, current_device());
    session.timeline.host_waits(current_device());
    return pointer ? free_host(session, pointer) : Status::invalid_value;
  });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return in_context([&](Session& session) {
    refuse_unsafe(session, "cuMemHostRegister");
    return register_host(session, pointer, bytes, flags);
  });
}
CUresult cuMemHostUnregister(void* pointer) {
  return in_context(Need::wait, [&](Session& session) {
    refuse_unsafe(session, "cuMemHostUnregister");
    session.timeline.host_waits(current_device());
    return unregister_host(session, pointer);
  });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* out, void* pointer, unsigned flags) {
  return in_context([&](Session& session) {
    if (!out || flags || !find_host(session, pointer)) return Status::invalid_value;
    *out = reinterpret_cast<CUdeviceptr>(pointer);
    return Status::ok;
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return in_context([&](Session& session) {
    const Allocation* found = find_host(session, pointer);
    if (!flags || !found) return Status::invalid_value;
    *flags = found->flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return Status::ok;
  });
}

CUresult cuPointerGetAttribute(void* out, CUpointer_attribute attribute, CUdeviceptr address) {
  return answer(Need::facts, [&](Session& session) {
    return out ? tell(session, attribute, address, out) : Status::invalid_value;
  });
}
// What cannot be said of an address leaves its answer alone.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** out,
                                CUdeviceptr address) {
  return answer(Need::facts, [&](Session& session) {
    if (!count || !attributes || !out) return Status::invalid_value;
    for (unsigned i = 0; i < count; ++i)
      if (out[i]) tell(session, attributes[i], address, out[i]);
    return Status::ok;
  });
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUmemLocation where, unsigned flags,
                            CUstream stream) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, stream, [&](Session&, Work&) {
      const bool is_host = where.type == CU_MEM_LOCATION_TYPE_HOST;
      if (flags || (!is_host && where.type != CU_MEM_LOCATION_TYPE_DEVICE))
        return Status::invalid_value;
      if (!is_host && !is_device(session, where.id)) return Status::invalid_device;
      return prefetch(
          session, pointer_of(address), bytes,
          is_host ? Location{Location::Kind::host} : Location{Location::Kind::device, where.id});
    });
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* out, size_t bytes, CUstream stream) {
  return allocate_async(out, bytes, nullptr, stream);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* out, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return pool ? allocate_async(out, bytes, pool, stream) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return in_context(Need::wait, [&](Session& session) {
    return enqueue(session, stream, [&](Session&, Work& work) {
      if (!address) return Status::invalid_value;
      work = ReleaseWork{address};
      return Status::ok;
    });
  });
}
}
