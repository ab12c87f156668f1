// Memory and addresses apart (device/virtual_memory.h).
#include "device/virtual_memory.h"

#include "device/host_function.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

static_assert(int(Access::all) == CU_MEM_ACCESS_FLAGS_PROT_READWRITE &&
              int(Access::reading) == CU_MEM_ACCESS_FLAGS_PROT_READ);

// Memory of the device, for this process.
Status check(const CUmemAllocationProp* what) {
  if (!what || what->type != CU_MEM_ALLOCATION_TYPE_PINNED) return Status::invalid_value;
  if (what->location.type == CU_MEM_LOCATION_TYPE_DEVICE) return Status::ok;
  throw Failure{Status::not_supported, Error{"cuMemCreate", "memory of the host is not mapped yet",
                                             "use CU_MEM_LOCATION_TYPE_DEVICE, or cuMemHostAlloc"}};
}

CUresult on_memory(const std::function<Status(Session&)>& body) {
  return answer(Need::device, body);
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* out, const CUmemAllocationProp* what,
                                       CUmemAllocationGranularity_flags) {
  return on_memory([&](Session&) {
    if (!out) return Status::invalid_value;
    if (const Status status = check(what); failed(status)) return status;
    *out = memory_unit;
    return Status::ok;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* out, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return on_memory([&](Session& session) {
    if (!out || flags) return Status::invalid_value;
    uint64_t address = 0;
    const Status status = reserve_addresses(session, bytes, alignment, address);
    if (!failed(status)) *out = address;
    return status;
  });
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return on_memory([&](Session& session) { return free_addresses(session, address, bytes); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* out, size_t bytes,
                     const CUmemAllocationProp* what, unsigned long long flags) {
  return on_memory([&](Session& session) {
    if (!out || flags) return Status::invalid_value;
    if (const Status status = check(what); failed(status)) return status;
    uint64_t handle = 0;
    const Status status = make_memory(session, bytes, what->location.id, handle);
    if (!failed(status)) *out = handle;
    return status;
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return on_memory([&](Session& session) { return release_memory(session, handle); });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* out, void* address) {
  return on_memory([&](Session& session) {
    uint64_t handle = 0;
    if (!out) return Status::invalid_value;
    const Status status = retain_memory(session, uint64_t(address), handle);
    if (!failed(status)) *out = handle;
    return status;
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* out,
                                                CUmemGenericAllocationHandle handle) {
  return on_memory([&](Session& session) {
    int device = 0;
    if (!out) return Status::invalid_value;
    const Status status = device_of_memory(session, handle, device);
    if (failed(status)) return status;
    *out = {};
    out->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    out->location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    return Status::ok;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return on_memory([&](Session& session) {
    return flags ? Status::invalid_value : map_memory(session, address, bytes, offset, handle);
  });
}
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return answer(Need::wait, [&](Session& session) {
    wait_for_host_functions(session, current_device());
    return unmap_memory(session, address, bytes);
  });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* who,
                        size_t count) {
  return on_memory([&](Session& session) {
    if (!who || !count) return Status::invalid_value;
    for (size_t i = 0; i < count; ++i) {
      const auto& [where, flags] = who[i];
      if (where.type != CU_MEM_LOCATION_TYPE_DEVICE) return Status::invalid_value;
      const Status status = let_use(session, address, bytes, where.id, Access(flags));
      if (failed(status)) return status;
    }
    return Status::ok;
  });
}
CUresult cuMemGetAccess(unsigned long long* out, const CUmemLocation* where, CUdeviceptr address) {
  return on_memory([&](Session& session) {
    if (!out || !where || where->type != CU_MEM_LOCATION_TYPE_DEVICE) return Status::invalid_value;
    Access access{};
    const Status status = ask_use(session, address, where->id, access);
    if (!failed(status)) *out = unsigned(access);
    return status;
  });
}
}
