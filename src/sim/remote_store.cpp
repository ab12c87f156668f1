#include "sim/remote_store.h"

#include <bit>
#include <cstring>

#include "sim/bulk_copy.h"
#include "sim/cluster.h"
#include "sim/mbarrier_operations.h"
#include "sim/observer.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

// Calls f(lane, place) for every lane that runs, then completes its bytes at the barrier.
template <class F>
void each_place(Warp& warp, const Operation& operation, uint64_t bytes, F&& f) {
  require_cluster(warp, operation);
  const uint32_t all = warp.mask;
  for (uint32_t left = all; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address =
        reinterpret_cast<const uint64_t*>(warp.base + operation.operand[5])[lane];
    std::byte* place = resolve_shared(warp, lane, address, bytes, "store", operation.instruction);
    if (address % bytes)
      throw Fault{"misaligned_shared_store",
                  "an asynchronous store to an address that is no multiple of its size",
                  716,
                  address,
                  operation.instruction,
                  lane};
    observe(Copied{warp, operation, lane, Place::shared, operation.move ? Use::atomic : Use::store,
                   block_offset(address), bytes, owner_of_shared(*warp.block, address)});
    f(lane, place);
    complete_transactions(warp, operation, lane, barrier_of_remote_store(warp, operation, lane),
                          int64_t(bytes));
  }
  warp.mask = all;
}

}  // namespace

bool is_remote_store(const Operation& operation) {
  return operation.part == &store_remotely || operation.part == &reduce_remotely;
}

uint64_t barrier_of_remote_store(const Warp& warp, const Operation& operation, int lane) {
  return reinterpret_cast<const uint64_t*>(warp.base + operation.operand[4])[lane];
}

void store_remotely(Warp& warp, const Operation& operation) {
  each_place(warp, operation, operation.bytes * operation.extra, [&](int lane, std::byte* place) {
    for (uint64_t n = 0; n < operation.extra; ++n)
      std::memcpy(place + n * operation.bytes,
                  warp.base + operation.operand[n] + uint64_t(lane) * operation.bytes,
                  operation.bytes);
  });
}

void reduce_remotely(Warp& warp, const Operation& operation) {
  warp.addresses.layout = HostAddresses::scattered;
  each_place(warp, operation, operation.bytes, [&](int lane, std::byte* place) {
    warp.addresses.host[lane] = reinterpret_cast<uint64_t>(place);
    warp.mask = 1u << lane;
    operation.move(warp, operation);
  });
}

}  // namespace headroom::sim
