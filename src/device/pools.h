// The pools of ordered allocation of a session: a device has one of its own from the first question
// on, and a current one, which the program may change.
//
//   Pool& pool = add_pool(session, 0, 1 << 20);
//   session.current_pools[0] = &pool;        what allocations on device 0 come from
//   remove_pool(session, pool);              again its own one; what the pool gave away stays
#pragma once
#include "device/pool.h"
#include "device/session.h"
#include "device/work.h"

namespace headroom::device {

Pool& default_pool(Session&, int device);
Pool& current_pool(Session&, int device);
std::shared_ptr<Pool> find_pool(const Session&, const void* handle);  // null: none has this handle
Pool& add_pool(Session&, int device, uint64_t most);                  // its address is its handle
Status remove_pool(Session&, Pool&);

Status allocate_from(Session&, const std::shared_ptr<Pool>&, uint64_t bytes, uint64_t& address);
// In a stream's order, from the current pool where none is given: done now, or, in a capture, made the
// work of a node. invalid_value: there is no such pool.
Status allocate_ordered(Session&, Stream&, const void* pool, uint64_t bytes, Work&,
                        uint64_t& address);
// A wait for the device: pools give back what is above their threshold.
void settle_pools(Session&);

}  // namespace headroom::device
