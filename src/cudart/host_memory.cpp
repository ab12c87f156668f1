// Memory of the host that kernels may touch, and what a pointer is.
#include <sys/mman.h>

#include <cstdlib>

#include "base/saturate.h"
#include "cudart/graph/capture.h"
#include "device/host_function.h"

using namespace headroom::cudart;
namespace {

constexpr size_t page = 4096;

cudaError_t allocate_host(Session& session, void** out, size_t bytes, unsigned flags) {
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (!out || flags & ~known) return cudaErrorInvalidValue;
  *out = nullptr;
  if (!bytes) return cudaSuccess;
  const size_t whole = headroom::saturated_round_up(bytes, page);
  void* memory = whole > PTRDIFF_MAX ? nullptr : std::aligned_alloc(page, whole);
  if (!memory) return cudaErrorMemoryAllocation;
  session.memory.map_host(uint64_t(memory), bytes);
  session.allocations.add({uint64_t(memory), bytes, Place::pinned, current_device(), flags});
  *out = memory;
  return cudaSuccess;
}

// Removes the allocation at `pointer` if it is of that place.
bool forget(Session& session, void* pointer, Place place) {
  const Allocation* found = session.allocations.at(uint64_t(pointer));
  if (!found || found->place != place) return false;
  session.memory.unmap_host(found->begin);
  session.allocations.remove(found->begin);
  return true;
}

// Whether the program has memory at all these addresses.
bool is_mapped(void* pointer, size_t bytes) {
  const uint64_t begin = uint64_t(pointer) & ~uint64_t(page - 1);
  const uint64_t end = headroom::saturated_add(uint64_t(pointer), bytes);
  // Linux writes nothing back for MS_ASYNC, but tells of gaps.
  return end != UINT64_MAX && msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

bool is_host(const Allocation* allocation) {
  return allocation && allocation->place >= Place::pinned;
}

[[noreturn]] cudaError_t refuse_io_memory() {
  throw Failure{Status::not_supported,
                headroom::Error{"cudaHostRegister", "memory of other devices is not supported yet",
                                "leave out cudaHostRegisterIoMemory"}};
}

cudaMemoryType type_of(Place place) {
  if (place == Place::managed || place == Place::variable) return cudaMemoryTypeManaged;
  return place == Place::device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
}

}  // namespace

extern "C" {

cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaHostAlloc");
    return allocate_host(session, out, bytes, flags);
  });
}
cudaError_t cudaMallocHost(void** out, size_t bytes) { return cudaHostAlloc(out, bytes, 0); }

cudaError_t cudaFreeHost(void* pointer) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaFreeHost");
    wait_for_host_functions(session, current_device());
    if (!pointer) return cudaSuccess;
    if (!forget(session, pointer, Place::pinned)) return cudaErrorInvalidValue;
    std::free(pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call([&](Session& session) {
    refuse_unsafe(session, "cudaHostRegister");
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!pointer || !bytes || flags & ~known) return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterReadOnly) return cudaErrorNotSupported;  // by the attribute, too
    if (flags & cudaHostRegisterIoMemory) return refuse_io_memory();
    if (!is_mapped(pointer, bytes)) return cudaErrorInvalidValue;
    if (session.allocations.overlaps(uint64_t(pointer), bytes))
      return cudaErrorHostMemoryAlreadyRegistered;
    session.memory.map_host(uint64_t(pointer), bytes);
    session.allocations.add({uint64_t(pointer), bytes, Place::registered, current_device(), flags});
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return synchronising([&](Session& session) {
    refuse_unsafe(session, "cudaHostUnregister");
    if (!pointer) return cudaErrorInvalidValue;
    return forget(session, pointer, Place::registered) ? cudaSuccess
                                                       : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** out, void* pointer, unsigned flags) {
  return call([&](Session& session) {
    if (!out || flags || !is_host(session.allocations.holding(uint64_t(pointer))))
      return cudaErrorInvalidValue;
    *out = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* out, void* pointer) {
  return call([&](Session& session) {
    const Allocation* allocation = session.allocations.holding(uint64_t(pointer));
    if (!out || !is_host(allocation)) return cudaErrorInvalidValue;
    *out = allocation->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
  return call([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    *out = cudaPointerAttributes{};
    auto* same = const_cast<void*>(pointer);
    const Allocation* allocation = session.allocations.holding(uint64_t(pointer));
    // A variable of a module is device memory that no call allocated.
    bool variable = !allocation && session.memory.find(uint64_t(pointer));
    out->type = allocation ? type_of(allocation->place)
                           : (variable ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered);
    out->device =
        allocation ? allocation->device : (variable ? current_device() : cudaInvalidDeviceId);
    if (out->type != cudaMemoryTypeUnregistered) out->devicePointer = same;
    if (out->type != cudaMemoryTypeDevice) out->hostPointer = same;
    return cudaSuccess;
  });
}
}
