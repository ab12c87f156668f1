#include "device/memory.h"

#include "device/access.h"
#include "device/capture.h"
#include "device/host_function.h"
#include "device/pool.h"
#include "sim/simulate.h"

namespace headroom::device {
namespace {

bool has_room(const Session& session, uint64_t bytes, int device) {
  return bytes <= session.memory_of_device() &&
         session.allocations.used(device) <= session.memory_of_device() - bytes;
}

// Managed memory is the host's too, whose writes nobody sees: it counts as written.
void tell_checker(Session& session, const Allocation& memory) {
  if (!session.checker) return;
  (memory.place == Place::device ? sim::check::allocated : sim::check::wrote)(
      *session.checker, memory.begin, memory.bytes);
}

// Addresses of a graph's memory: given back when neither a node nor an allocation has them.
struct Addresses {
  sim::Memory& memory;
  uint64_t begin;
  ~Addresses() { memory.free(begin); }
};

}  // namespace

Status allocate(Session& session, uint64_t bytes, Place place, int device, uint64_t& address,
                bool is_cleared) {
  address = 0;
  if (!bytes) return Status::ok;
  if (!has_room(session, bytes, device)) return Status::out_of_memory;
  const auto begin = session.memory.allocate(bytes);
  if (!begin) return Status::out_of_memory;
  address = *begin;
  const Allocation& memory = session.allocations.add(
      {.begin = address,
       .bytes = bytes,
       .place = place,
       .device = device,
       .context = device == current_device() ? current_context().created : nullptr});
  set_access(session, memory);
  tell_checker(session, memory);
  session.repeats.gone(session, memory.begin, memory.bytes);
  if (place == Place::managed) session.managed_pages.allocated(session, address, bytes);
  if (place == Place::device && is_cleared)
    session.recent.allocate({address - session.memory.base(), bytes},
                            double(bytes_of(session.machine.l2_size)));
  return Status::ok;
}

Status release(Session& session, uint64_t address) {
  if (!address) return Status::ok;
  const Allocation* found = session.allocations.at(address);
  if (!found || found->place > Place::managed) return Status::invalid_value;
  if (session.checker) sim::check::wrote(*session.checker, found->begin, found->bytes);
  session.repeats.gone(session, found->begin, found->bytes);
  if (found->pool) found->pool->give(found->bytes);
  if (!found->addresses) session.memory.free(found->begin);
  session.allocations.remove(found->begin);
  return Status::ok;
}

Status free_memory(Session& session, uint64_t address, const char* call) {
  refuse_unsafe(session, call);
  wait_for_host_functions(session, current_device());
  session.timeline.host_waits(current_device());
  return release(session, address);
}

Status reserve(Session& session, uint64_t bytes, Reserved& out) {
  const auto begin = session.memory.allocate(bytes);
  if (!begin) return Status::out_of_memory;
  out = {*begin, bytes, std::shared_ptr<Addresses>(new Addresses{session.memory, *begin})};
  return Status::ok;
}

Status allocate(Session& session, const Reserved& what, int device, uint64_t readers) {
  if (session.allocations.at(what.begin)) return Status::invalid_value;
  if (!has_room(session, what.bytes, device)) return Status::out_of_memory;
  const Allocation& memory = session.allocations.add({.begin = what.begin,
                                                      .bytes = what.bytes,
                                                      .device = device,
                                                      .addresses = what.addresses,
                                                      .readers = readers});
  set_access(session, memory);
  tell_checker(session, memory);
  session.repeats.gone(session, memory.begin, memory.bytes);
  return Status::ok;
}

uint64_t graph_memory(const Session& session, int device) {
  uint64_t bytes = 0;
  for (const auto& [begin, allocation] : session.allocations.all())
    if (allocation.addresses && allocation.device == device) bytes += allocation.bytes;
  return bytes;
}

}  // namespace headroom::device
