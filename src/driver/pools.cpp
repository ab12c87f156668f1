// Pools of ordered allocation (device/pools.h), as far as frameworks use them.
#include "device/pools.h"

#include "driver/driver.h"

namespace headroom::driver {
namespace {

CUresult tell_pool(CUmemoryPool* out, CUdevice device, Pool& (*which)(Session&, int device)) {
  return answer(Need::facts, [&](Session& session) {
    if (!out) return Status::invalid_value;
    if (!is_device(session, device)) return Status::invalid_device;
    *out = reinterpret_cast<CUmemoryPool>(&which(session, device));
    return Status::ok;
  });
}

CUresult with_pool(CUmemoryPool handle, const std::function<Status(Session&, Pool&)>& body) {
  return answer(Need::device, [&](Session& session) {
    const auto pool = find_pool(session, handle);
    return pool ? body(session, *pool) : Status::invalid_value;
  });
}

// A number of 64 bits, or of 32: null where the attribute has the other width.
uint64_t* bytes_of(Pool& pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: return &pool.threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: return &pool.reserved;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: return &pool.reserved_high;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: return &pool.used;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: return &pool.used_high;
    default: return nullptr;
  }
}
int* switch_of(Pool& pool, CUmemPool_attribute attribute) {
  const int index = int(attribute) - int(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
  return index >= 0 && index < 3 ? &pool.reuse[index] : nullptr;
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* out, CUdevice device) {
  return tell_pool(out, device, default_pool);
}
CUresult cuDeviceGetMemPool(CUmemoryPool* out, CUdevice device) {
  return tell_pool(out, device, current_pool);
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  return with_pool(handle, [&](Session& session, Pool& pool) {
    if (!is_device(session, device)) return Status::invalid_device;
    if (pool.device != device) return Status::invalid_value;
    session.current_pools[device] = &pool;
    return Status::ok;
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* out, const CUmemPoolProps* props) {
  return answer(Need::device, [&](Session& session) {
    if (!out || !props) return Status::invalid_value;
    if (props->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        props->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
      throw Failure{Status::not_supported,
                    headroom::Error{"cuMemPoolCreate",
                                    "only pools of pinned memory on a device, which processes do "
                                    "not share, are supported yet",
                                    "make such a pool"}};
    if (!is_device(session, props->location.id)) return Status::invalid_device;
    *out = reinterpret_cast<CUmemoryPool>(&add_pool(session, props->location.id, props->maxSize));
    return Status::ok;
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  return with_pool(handle, [](Session& session, Pool& pool) { return remove_pool(session, pool); });
}
CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t bytes) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    pool.trim(bytes);
    return Status::ok;
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* out) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    if (!out) return Status::invalid_value;
    if (const uint64_t* bytes = bytes_of(pool, attribute))
      *static_cast<cuuint64_t*>(out) = *bytes;
    else if (const int* one = switch_of(pool, attribute))
      *static_cast<int*>(out) = *one;
    else
      return Status::invalid_value;
    return Status::ok;
  });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    if (!value) return Status::invalid_value;
    if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ||
        attribute == CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
      return Status::invalid_value;
    const bool is_mark = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH ||
                         attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    if (is_mark && *static_cast<cuuint64_t*>(value)) return Status::invalid_value;
    if (uint64_t* bytes = bytes_of(pool, attribute))
      *bytes = *static_cast<cuuint64_t*>(value);
    else if (int* one = switch_of(pool, attribute))
      *one = *static_cast<int*>(value);
    else
      return Status::invalid_value;
    return Status::ok;
  });
}
}
