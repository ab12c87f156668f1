#include "sim/check/marks.h"

#include "sim/check/checker.h"
#include "sim/cluster.h"
#include "sim/machinery.h"
#include "sim/mbarrier_operations.h"

namespace headroom::sim::check {
namespace {

Checker* checker_of(const Warp& warp) { return warp.block->machinery->checker; }

uint64_t offset_of(const Warp& warp, const Operation& operation, int lane) {
  const std::byte* at = warp.base + operation.operand[1];
  const uint64_t base = operation.extra & wide_address
                            ? reinterpret_cast<const uint64_t*>(at)[lane]
                            : reinterpret_cast<const uint32_t*>(at)[lane];
  return block_offset(base + uint64_t(operation.offset));
}

}  // namespace

void mark_fence(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp)) checker->fence(warp, operation.instruction);
}

void mark_warp_sync(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->synced(warp);
}

// PTX leaves it undefined. Machine code looks at it itself, and a GPU ends the launch (machine_rows.cpp).
void mark_members(Warp& warp, const Operation& operation) {
  const uint32_t* named = reinterpret_cast<const uint32_t*>(warp.base + operation.operand[0]);
  each_lane(warp, [&](int lane) {
    if (!(named[lane] >> lane & 1))
      throw Fault{"illegal_mask",
                  "a lane of a warp is not in the mask that it gives (__syncwarp, a vote, a "
                  "shuffle)",
                  715,
                  std::nullopt,
                  operation.instruction,
                  lane};
  });
}

void mark_copy_commit(Warp& warp, const Operation&) {
  if (Checker* checker = checker_of(warp)) checker->committed(warp);
}

void mark_copy_wait(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp)) checker->waited(warp, uint32_t(operation.extra));
}

void mark_arrival(Warp& warp, const Operation& operation) {
  if (Checker* checker = checker_of(warp))
    each_lane(warp, [&](int lane) {
      checker->met(warp, uint32_t(lane), true, offset_of(warp, operation, lane));
    });
}

void mark_wait(Warp& warp, const Operation& operation) {
  Checker* checker = checker_of(warp);
  if (!checker) return;
  const uint32_t over = *reinterpret_cast<const uint32_t*>(warp.base + operation.operand[0]);
  each_lane(warp, [&](int lane) {
    if (over >> lane & 1)
      checker->met(warp, uint32_t(lane), false, offset_of(warp, operation, lane));
  });
}

}  // namespace headroom::sim::check
