#include "device/pools.h"

#include "device/access.h"
#include "device/check_calls.h"
#include "device/memory.h"

namespace headroom::device {
namespace {

constexpr int read_and_write = 3;  // as both faces number it

}  // namespace

Pool& default_pool(Session& session, int device) {
  Pool*& known = session.default_pools[device];
  if (!known) {
    known = &add_pool(session, device, 0);
    known->is_default = true;
  }
  return *known;
}

Pool& current_pool(Session& session, int device) {
  auto found = session.current_pools.find(device);
  return found == session.current_pools.end() ? default_pool(session, device) : *found->second;
}

std::shared_ptr<Pool> find_pool(const Session& session, const void* handle) {
  auto found = session.pools.find(handle);
  return found == session.pools.end() ? nullptr : found->second;
}

Pool& add_pool(Session& session, int device, uint64_t most) {
  auto pool = std::make_shared<Pool>();
  pool->device = device;
  pool->most = most;
  Pool& made = *pool;
  session.pools[&made] = std::move(pool);
  return made;
}

Status remove_pool(Session& session, Pool& pool) {
  if (pool.is_default) return Status::invalid_value;
  std::erase_if(session.current_pools, [&](const auto& one) { return one.second == &pool; });
  session.pools.erase(&pool);
  return Status::ok;
}

Status allocate_from(Session& session, const std::shared_ptr<Pool>& pool, uint64_t bytes,
                     uint64_t& address) {
  address = 0;
  if (!pool->has_room(bytes)) return Status::out_of_memory;
  const Status status = allocate(session, bytes, Place::device, pool->device, address, false);
  if (!address) return status;
  Allocation& taken = *session.allocations.at(address);
  taken.pool = pool;
  pool->take(bytes);
  set_access(session, taken);
  return Status::ok;
}

Status allocate_ordered(Session& session, Stream& stream, const void* given, uint64_t bytes,
                        Work& work, uint64_t& address) {
  address = 0;
  const auto pool = find_pool(session, given ? given : &current_pool(session, stream.device));
  if (!pool) return Status::invalid_value;
  if (!stream.capture) {
    const Status status = allocate_from(session, pool, bytes, address);
    if (address) note_ordered(session, stream, address, bytes, "allocation");
    return status;
  }
  auto& node = work.emplace<AllocateWork>();
  node.device = pool->device;
  node.most = pool->most;
  for (const int reader : pool->readers) node.access.push_back({reader, read_and_write});
  const Status status = reserve(session, bytes, node.memory);
  address = node.memory.begin;
  return status;
}

void settle_pools(Session& session) {
  for (const auto& [handle, pool] : session.pools) pool->trim(pool->threshold);
}

}  // namespace headroom::device
