// What %clock shows: a count that never goes back, whoever reads it.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Writes its clock to the word of `out` that belongs to the thread.
const std::string reads = std::string(thread_index) +
                          ".reg .b64 %c, %q; .reg .b32 %t, %n; .reg .pred %r; mul.wide.u32 %o, %i, "
                          "4; add.u64 %p, %p, %o;";
const std::string look = "mov.u64 %c, %clock64; st.global.u64 [%p], %c; ret;";

TEST(Clock, a_warp_that_did_less_reads_no_earlier_time_behind_a_barrier) {
  Bench bench(reads +
              "mov.u32 %t, %tid.x; setp.ge.u32 %r, %t, 32; @%r bra MEET; mov.u32 %n, 0;"
              "LOOP: add.u32 %n, %n, 1; setp.lt.u32 %r, %n, 10000; @%r bra LOOP; mov.u64 "
              "%c, %clock64; st.global.u64 [%p], %c; bar.sync 0; ret;"
              "MEET: bar.sync 0;" +
              look);
  auto* out = bench.allocate<uint64_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_LT(out[0], out[32]);
  EXPECT_GE(out[0], 80000u);
}

TEST(Clock, the_time_of_a_block_and_of_a_launch_is_that_after_the_one_before) {
  Bench bench(reads +
              "mov.u32 %n, 0; LOOP: add.u32 %n, %n, 1; setp.lt.u32 %r, %n, 1000; @%r bra "
              "LOOP;" +
              look);
  auto* out = bench.allocate<uint64_t>(4);
  bench.pass(out);
  bench.grid = {4, 1, 1};
  bench.block = {1, 1, 1};
  uint64_t before = 0;
  for (int launch = 0; launch < 3; ++launch) {
    ASSERT_TRUE(bench.run().completed);
    for (int block = 0; block < 4; ++block) {
      EXPECT_GE(out[block], before + 8000);
      before = out[block];
    }
  }
}

// Where all only waited, the time that passed stays passed.
TEST(Clock, a_time_that_leapt_does_not_go_back_in_the_next_launch) {
  Bench bench(reads +
              "mov.u64 %c, %clock64; add.u64 %q, %c, 1000000000; WAIT: mov.u64 %c, "
              "%clock64; setp.lt.u64 %r, %c, %q; @%r bra WAIT;" +
              look);
  auto* out = bench.allocate<uint64_t>(32);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  const uint64_t first = out[0];
  ASSERT_TRUE(bench.run().completed);
  EXPECT_GE(out[0], first + 1000000000);
}

}  // namespace
}  // namespace headroom::sim
