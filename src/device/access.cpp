#include "device/access.h"

#include <algorithm>

#include "device/modules.h"
#include "device/pool.h"

namespace headroom::device {
namespace {

uint64_t bit_of(int device) { return uint64_t(1) << device; }

uint64_t with_peers(const Session& session, int device) {
  uint64_t devices = bit_of(device);
  for (const auto& [user, owner] : session.peers)
    if (owner == device) devices |= bit_of(user);
  return devices;
}

uint64_t users_of(const Session& session, const Allocation& memory) {
  uint64_t devices = bit_of(memory.device);
  if (memory.place == Place::mapped) return memory.readers;
  if (memory.pool) {
    for (const int reader : memory.pool->readers) devices |= bit_of(reader);
    return devices;
  }
  return memory.addresses ? devices | memory.readers : with_peers(session, memory.device);
}

}  // namespace

Status enable_peer(Session& session, int peer) {
  if (!is_device(session, peer)) return Status::invalid_device;
  if (peer == current_device()) return Status::peer_access_unsupported;
  if (!session.peers.insert({current_device(), peer}).second)
    return Status::peer_access_already_enabled;
  set_access(session);
  return Status::ok;
}

Status disable_peer(Session& session, int peer) {
  if (!is_device(session, peer)) return Status::invalid_device;
  if (!session.peers.erase({current_device(), peer})) return Status::peer_access_not_enabled;
  set_access(session);
  return Status::ok;
}

void set_access(Session& session, const Allocation& memory) {
  const bool of_device = memory.place == Place::device || memory.place == Place::mapped;
  if (session.options.devices > 1 && of_device)
    session.memory.restrict_to(memory.begin, users_of(session, memory));
}

void set_access(Session& session, const Binary& binary, const sim::LoadedModule& module,
                int device) {
  if (session.options.devices == 1) return;
  // Of its own device alone: peer access, which covers what is allocated, leaves variables out on an H200.
  for (const auto& [name, address] : module.addresses) {
    const bool managed = std::ranges::any_of(
        binary.managed,
        [&name = name](const Variable* variable) { return variable->name == name; });
    if (!managed) session.memory.restrict_to(address, bit_of(device));
  }
}

void set_access(Session& session) {
  session.repeats.forget();
  for (const auto& [begin, memory] : session.allocations.all()) set_access(session, memory);
  registry().each_binary([&](Binary& binary) {
    if (!binary.loaded) return;
    for (const auto& [device, module] : binary.loaded->on_device)
      set_access(session, binary, module, device);
  });
}

}  // namespace headroom::device
