#include "device/host_memory.h"

#include <sys/mman.h>

#include <cstdlib>

#include "base/saturate.h"

namespace headroom::device {
namespace {

constexpr uint64_t page = 4096;

// Removes the allocation that begins there if it is of that place.
bool forget(Session& session, const void* pointer, Place place) {
  const Allocation* found = session.allocations.at(uint64_t(pointer));
  if (!found || found->place != place) return false;
  session.memory.unmap_host(found->begin);
  session.allocations.remove(found->begin);
  return true;
}

// Whether the program has memory at all these addresses.
bool is_mapped(const void* pointer, uint64_t bytes) {
  const uint64_t begin = uint64_t(pointer) & ~(page - 1);
  const uint64_t end = saturated_add(uint64_t(pointer), bytes);
  // Linux writes nothing back for MS_ASYNC, but tells of gaps.
  return end != UINT64_MAX && msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

void add_host(Session& session, const void* pointer, uint64_t bytes, Place place, unsigned flags) {
  session.memory.map_host(uint64_t(pointer), bytes);
  session.allocations.add({uint64_t(pointer), bytes, place, current_device(), flags});
}

}  // namespace

Status allocate_host(Session& session, uint64_t bytes, unsigned flags, void*& out) {
  if (flags & ~(portable | mapped | write_combined)) return Status::invalid_value;
  out = nullptr;
  if (!bytes) return Status::ok;
  const uint64_t whole = saturated_round_up(bytes, page);
  out = whole > PTRDIFF_MAX ? nullptr : std::aligned_alloc(page, whole);
  if (!out) return Status::out_of_memory;
  add_host(session, out, bytes, Place::pinned, flags);
  return Status::ok;
}

Status free_host(Session& session, void* pointer) {
  if (!pointer) return Status::ok;
  if (!forget(session, pointer, Place::pinned)) return Status::invalid_value;
  std::free(pointer);
  return Status::ok;
}

Status register_host(Session& session, void* pointer, uint64_t bytes, unsigned flags) {
  if (!pointer || !bytes || flags & ~(portable | mapped | of_other_devices | read_only))
    return Status::invalid_value;
  if (flags & read_only) return Status::not_supported;  // by the attribute, too
  if (flags & of_other_devices)
    throw Failure{Status::not_supported,
                  Error{"cudaHostRegister", "memory of other devices is not supported yet",
                        "leave out cudaHostRegisterIoMemory"}};
  if (!is_mapped(pointer, bytes)) return Status::invalid_value;
  if (session.allocations.overlaps(uint64_t(pointer), bytes))
    return Status::host_memory_already_registered;
  add_host(session, pointer, bytes, Place::registered, flags);
  return Status::ok;
}

Status unregister_host(Session& session, void* pointer) {
  if (!pointer) return Status::invalid_value;
  return forget(session, pointer, Place::registered) ? Status::ok
                                                     : Status::host_memory_not_registered;
}

const Allocation* find_host(const Session& session, const void* pointer) {
  const Allocation* found = session.allocations.holding(uint64_t(pointer));
  return found && found->place >= Place::pinned ? found : nullptr;
}

Pointed look_up(const Session& session, const void* pointer) {
  using Kind = Pointed::Kind;
  if (const Allocation* found = session.allocations.holding(uint64_t(pointer))) {
    const bool managed = found->place == Place::managed || found->place == Place::variable;
    const bool device = found->place == Place::device || found->place == Place::mapped;
    return {managed ? Kind::managed : device ? Kind::device : Kind::host, found->device};
  }
  // A variable of a module is device memory that no call allocated.
  if (session.memory.find(uint64_t(pointer))) return {Kind::device, current_device()};
  return {};
}

}  // namespace headroom::device
