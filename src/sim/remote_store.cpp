#include "sim/remote_store.h"

#include <bit>
#include <cstring>

#include "sim/bulk_copy.h"
#include "sim/mbarrier_steps.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

// Calls f(lane, place) for every lane that runs, then completes its bytes at the barrier.
template <class F>
void each_place(Warp& warp, const Step& step, uint64_t bytes, F&& f) {
  require_cluster(warp, step);
  const uint32_t all = warp.mask;
  for (uint32_t left = all; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address = reinterpret_cast<const uint64_t*>(warp.base + step.operand[5])[lane];
    std::byte* place = resolve_shared(warp, lane, address, bytes, "store", step.instruction);
    if (address % bytes)
      throw Fault{"misaligned_shared_store",
                  "an asynchronous store to an address that is no multiple of its size",
                  716,
                  address,
                  step.instruction,
                  lane};
    f(lane, place);
    complete_transactions(warp, lane,
                          reinterpret_cast<const uint64_t*>(warp.base + step.operand[4])[lane],
                          int64_t(bytes), step.instruction);
  }
  warp.mask = all;
}

}  // namespace

void store_remotely(Warp& warp, const Step& step) {
  each_place(warp, step, step.bytes * step.extra, [&](int lane, std::byte* place) {
    for (uint64_t n = 0; n < step.extra; ++n)
      std::memcpy(place + n * step.bytes, warp.base + step.operand[n] + uint64_t(lane) * step.bytes,
                  step.bytes);
  });
}

void reduce_remotely(Warp& warp, const Step& step) {
  warp.places.shape = Places::scattered;
  each_place(warp, step, step.bytes, [&](int lane, std::byte* place) {
    warp.places.host[lane] = reinterpret_cast<uint64_t>(place);
    warp.mask = 1u << lane;
    step.move(warp, step);
  });
}

}  // namespace headroom::sim
