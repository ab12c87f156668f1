// Barriers of a block: with lanes that ended, with counts, with reductions, and those that never complete.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

TEST(Barriers, lanes_that_ended_are_not_waited_for) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %t; .reg .pred %q; and.b32 %t, %i, 1; setp.eq.u32 %q, %t, 0; @%q ret;
    bar.sync 0; st.global.u32 [%p], %i; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i & 1 ? i : 0);
}

TEST(Barriers, a_count_is_in_whole_warps_whatever_lanes_they_have) {
  Bench bench(std::string(thread_index) + "bar.sync 1, 128; st.global.u32 [%p], %i; ret;");
  auto* out = bench.allocate<uint32_t>(128);
  bench.pass(out);
  bench.block = {100, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[99], 99u);
}

TEST(Barriers, a_count_takes_ended_lanes_as_arrived_with_their_warp) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %t; .reg .pred %q; and.b32 %t, %i, 31; setp.lt.u32 %q, %t, 5; @%q exit;
    bar.sync 1, 64; st.global.u32 [%p], %i; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[63], 63u);
}

TEST(Barriers, lanes_may_end_while_their_warp_waits) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %t; .reg .pred %q; and.b32 %t, %i, 31; setp.lt.u32 %q, %t, 5; @%q bra END;
    bar.sync 1, 64; st.global.u32 [%p], %i;
  END: ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[63], 63u);
}

TEST(Barriers, producers_arrive_and_consumers_wait) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .u32 box; .reg .b32 %v; .reg .pred %q; setp.ge.u32 %q, %i, 32; @%q bra CONSUME;
    st.shared.u32 [box], 42; membar.cta; bar.arrive 3, 64; ret;
  CONSUME: bar.sync 3, 64; ld.shared.u32 %v, [box]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  bench.block = {64, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[32], 42u);
}

TEST(Barriers, a_reduction_counts_the_block) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %w; .reg .pred %q, %all, %any; setp.lt.u32 %q, %i, 40;
    bar.red.popc.u32 %v, 0, !%q; bar.red.and.pred %all, 0, %q; bar.red.or.pred %any, 0, %q;
    selp.u32 %w, 1000, 0, %all; add.u32 %v, %v, %w; selp.u32 %w, 0, 100, !%any; add.u32 %v, %v, %w; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(96);
  bench.pass(out);
  bench.block = {96, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 96; ++i) EXPECT_EQ(out[i], 56u + 100u) << i;
}

TEST(Barriers, lanes_that_meet_at_one_go_on_together) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %n; .reg .pred %q; setp.lt.u32 %q, %i, 16; @%q bra LOW;
    bar.sync 0; bra.uni END;
  LOW: bar.sync 0;
  END: st.global.u32 [%p], %i; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.counters.global_store_requests, 1u);
}

TEST(Barriers, a_deadlock_names_the_barrier_that_is_waited_at) {
  Bench bench(
      R"(.reg .b32 %t; .reg .pred %q; mov.u32 %t, %tid.x; setp.lt.u32 %q, %t, 32; @%q bra B; bar.sync 1; ret; B: bar.sync 0; ret;)");
  bench.pass(bench.allocate<uint32_t>(1));
  bench.block = {64, 1, 1};
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings.at(0).kind, "barrier_deadlock");
  EXPECT_EQ(outcome.findings.at(0).instruction, "bar.sync 0;");
}

TEST(Barriers, one_beyond_the_sixteenth_is_a_finding_at_its_instruction) {
  Bench bench(R"(.reg .b32 %t; mov.u32 %t, 16; bar.sync %t; ret;)");
  bench.pass(bench.allocate<uint32_t>(1));
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings.at(0).kind, "illegal_barrier");
  EXPECT_EQ(outcome.findings.at(0).instruction, "bar.sync %t;");
}

TEST(Barriers, a_block_of_1024_threads_meets_many_times) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .b8 tile[4096]; .reg .b32 %s, %v, %n; .reg .pred %more;
    mov.u32 %n, 0; shl.b32 %s, %i, 2; mov.u32 %v, tile; add.u32 %s, %s, %v; mov.u32 %v, %i;
  LOOP: st.shared.u32 [%s], %v; bar.sync 0; xor.b32 %s, %s, 4; ld.shared.u32 %v, [%s]; xor.b32 %s, %s, 4; bar.sync 0;
    add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 7; @%more bra LOOP;
    st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(1024);
  bench.pass(out);
  bench.block = {1024, 1, 1};
  ASSERT_TRUE(bench.run().completed);
  for (uint32_t i = 0; i < 1024; ++i) EXPECT_EQ(out[i], i ^ 1);
}

TEST(Barriers, a_warp_that_leaves_a_warpgroup_is_not_waited_for_where_wgmma_ends) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %t; .reg .pred %r; mov.u32 %t, %tid.x; setp.ge.u32 %r, %t, 96; @%r ret;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; st.global.u32 [%p], %i; ret;)");
  bench.block = {128, 1, 1};
  auto* out = bench.allocate<uint32_t>(128);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[95], 95u);
}

}  // namespace
}  // namespace headroom::sim
