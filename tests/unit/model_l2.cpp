// What an SM's way to L2 takes where all SMs use it at once, as measured on an H200 (results/h200/sm_shares.json).
#include <gtest/gtest.h>

#include "played_kernel.h"

namespace headroom {
namespace {

constexpr int times = 16, together = 8, warps = 32;
// Cycles of a warp's accesses of 128 bytes, eight of each kind before it waits, where all warps do nothing else.
double cycles_of(std::initializer_list<AccessKind> kinds) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.supply_.l1_loads = false;
  kernel.supply_.l2_bytes = 128 / 3.757;
  uint32_t at = 0;
  for (int i = 0; i < together; ++i)
    for (const AccessKind kind : kinds) {
      const bool loads = kind == AccessKind::global_load;
      kernel.add(loads ? instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0})
                       : instruction("STG", {reg(2)}, {.stall = 1}),
                 Pipe::lsu);
      const uint64_t first = 4 * at;
      kernel.access(at++, {.kind = kind, .bytes = 4, .lanes = 32},
                    {first, first + 1, first + 2, first + 3});
    }
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  return kernel.run(1, warps, times).cycles / (warps * times * together);
}

TEST(WayToL2, stores_take_longer_than_loads) {
  EXPECT_NEAR(cycles_of({AccessKind::global_load}), 3.76, 0.4);
  EXPECT_NEAR(cycles_of({AccessKind::global_store}), 6.44, 0.5);
}

TEST(WayToL2, loads_and_stores_share_it) {
  EXPECT_NEAR(cycles_of({AccessKind::global_load, AccessKind::global_store}), 11.0, 1.2);
}

}  // namespace
}  // namespace headroom
