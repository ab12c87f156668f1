// The calls about pools of ordered allocation (device/pools.h), and what is allocated from them.
#include "cudart/enqueue.h"
#include "cudart/unsupported.h"
#include "device/access.h"
#include "device/check_calls.h"
#include "device/memory.h"
#include "device/pools.h"

namespace headroom::cudart {
namespace {

cudaMemPool_t handle_of(Pool& pool) { return reinterpret_cast<cudaMemPool_t>(&pool); }

// Whether this kind of memory has pools here.
cudaError_t check_kind(const Session& session, const cudaMemLocation& location,
                       cudaMemAllocationType type) {
  if (location.type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned)
    return is_device(session, location.id) ? cudaSuccess : cudaErrorInvalidDevice;
  if (location.type < cudaMemLocationTypeDevice ||
      location.type > cudaMemLocationTypeHostNumaCurrent ||
      (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
    return cudaErrorInvalidValue;
  throw Failure{Status::not_supported,
                Error{"memory pool", "pools of host or managed memory are not supported yet",
                      "make a pool of pinned memory on a device"}};
}

MakeWork allocation(cudaStream_t stream, void** out, size_t bytes, cudaMemPool_t pool) {
  return [=](Session& session, Work& work) -> cudaError_t {
    if (!out) return cudaErrorInvalidValue;
    uint64_t address = 0;
    const Status status =
        allocate_ordered(session, *find_stream(session, stream), pool, bytes, work, address);
    *out = reinterpret_cast<void*>(address);
    return code_of(status);
  };
}

cudaError_t with_pool(cudaMemPool_t handle, const std::function<cudaError_t(Session&, Pool&)>& body,
                      const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        auto pool = find_pool(session, handle);
        return pool ? body(session, *pool) : cudaErrorInvalidValue;
      },
      function);
}

cudaError_t get_pool(cudaMemPool_t* out, int device, Pool& (*which)(Session&, int device),
                     const char* function = __builtin_FUNCTION()) {
  return call(
      [&](Session& session) {
        if (!out) return cudaErrorInvalidValue;
        if (!is_device(session, device)) return cudaErrorInvalidDevice;
        *out = handle_of(which(session, device));
        return cudaSuccess;
      },
      function);
}

cudaError_t get_pool(cudaMemPool_t* out, const cudaMemLocation* where, cudaMemAllocationType type,
                     Pool& (*which)(Session&, int device)) {
  return call([&](Session& session) {
    if (!out || !where) return cudaErrorInvalidValue;
    if (cudaError_t error = check_kind(session, *where, type)) return error;
    *out = handle_of(which(session, where->id));
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t stream) {
  return enqueue(stream, allocation(stream, out, bytes, nullptr));
}

cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (!pool) return fail(cudaErrorInvalidValue);
  return enqueue(stream, allocation(stream, out, bytes, pool));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return enqueue(stream, [&](Session&, Work& work) {
    if (!pointer) return cudaErrorInvalidValue;
    work = ReleaseWork{uint64_t(pointer)};
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* props) {
  return call([&](Session& session) {
    if (!out || !props) return cudaErrorInvalidValue;
    if (cudaError_t error = check_kind(session, props->location, props->allocType)) return error;
    if (props->handleTypes != cudaMemHandleTypeNone)
      throw Failure{Status::not_supported,
                    headroom::Error{"cudaMemPoolCreate",
                                    "pools shared between processes are not supported yet",
                                    "set handleTypes to cudaMemHandleTypeNone"}};
    *out = handle_of(add_pool(session, props->location.id, props->maxSize));
    return cudaSuccess;
  });
}

// What it still holds stays allocated until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return with_pool(
      handle, [](Session& session, Pool& pool) { return code_of(remove_pool(session, pool)); });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return get_pool(out, device, default_pool);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return get_pool(out, device, current_pool);
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                     cudaMemAllocationType type) {
  return get_pool(out, where, type, default_pool);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                              cudaMemAllocationType type) {
  return get_pool(out, where, type, current_pool);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return with_pool(handle, [&](Session& session, Pool& pool) {
    if (!is_device(session, device)) return cudaErrorInvalidDevice;
    if (pool.device != device) return cudaErrorInvalidValue;
    session.current_pools[device] = &pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* where, cudaMemAllocationType type,
                              cudaMemPool_t handle) {
  return with_pool(handle, [&](Session& session, Pool& pool) {
    if (!where) return cudaErrorInvalidValue;
    if (cudaError_t error = check_kind(session, *where, type)) return error;
    if (pool.device != where->id) return cudaErrorInvalidValue;
    session.current_pools[where->id] = &pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    pool.trim(keep);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* out) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    if (!out) return cudaErrorInvalidValue;
    auto& bytes = *static_cast<uint64_t*>(out);
    auto& flag = *static_cast<int*>(out);
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies: flag = pool.reuse[0]; break;
      case cudaMemPoolReuseAllowOpportunistic: flag = pool.reuse[1]; break;
      case cudaMemPoolReuseAllowInternalDependencies: flag = pool.reuse[2]; break;
      case cudaMemPoolAttrReleaseThreshold: bytes = pool.threshold; break;
      case cudaMemPoolAttrReservedMemCurrent: bytes = pool.reserved; break;
      case cudaMemPoolAttrReservedMemHigh: bytes = pool.reserved_high; break;
      case cudaMemPoolAttrUsedMemCurrent: bytes = pool.used; break;
      case cudaMemPoolAttrUsedMemHigh: bytes = pool.used_high; break;
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

// The high-water marks can only be reset.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    const int flag = *static_cast<int*>(value);
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies: pool.reuse[0] = flag; break;
      case cudaMemPoolReuseAllowOpportunistic: pool.reuse[1] = flag; break;
      case cudaMemPoolReuseAllowInternalDependencies: pool.reuse[2] = flag; break;
      case cudaMemPoolAttrReleaseThreshold: pool.threshold = *static_cast<uint64_t*>(value); break;
      case cudaMemPoolAttrReservedMemHigh:
        if (*static_cast<uint64_t*>(value)) return cudaErrorInvalidValue;
        pool.reserved_high = pool.reserved;
        break;
      case cudaMemPoolAttrUsedMemHigh:
        if (*static_cast<uint64_t*>(value)) return cudaErrorInvalidValue;
        pool.used_high = pool.used;
        break;
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* list,
                                 size_t count) {
  return with_pool(handle, [&](Session& session, Pool& pool) {
    if (count && !list) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      const auto& [where, flags] = list[i];
      if (where.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (!is_device(session, where.id)) return cudaErrorInvalidDevice;
      if (flags != cudaMemAccessFlagsProtNone && flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
      // Its own device always has it.
      if (where.id == pool.device && flags == cudaMemAccessFlagsProtNone)
        return cudaErrorInvalidValue;
      if (flags == cudaMemAccessFlagsProtReadWrite)
        pool.readers.insert(where.id);
      else
        pool.readers.erase(where.id);
    }
    set_access(session);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* out, cudaMemPool_t handle,
                                 cudaMemLocation* where) {
  return with_pool(handle, [&](Session& session, Pool& pool) {
    if (!out || !where || where->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!is_device(session, where->id)) return cudaErrorInvalidDevice;
    const bool has_access = where->id == pool.device || pool.readers.count(where->id);
    *out = has_access ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
}
