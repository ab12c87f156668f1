// Threads that wait for others: who gives way, what hangs, and what a finding says of it.
#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/program.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

const std::string start =
    std::string(thread_index) + ".reg .b32 %t, %v, %n; .reg .b64 %q, %c; .reg .pred %r, %s;";

Outcome ran(Bench& bench, bool lockstep = false, uint64_t hang_after = 0) {
  Launch launch;
  launch.shape.kernel = "k";
  launch.shape.grid = bench.grid;
  launch.shape.block = bench.block;
  launch.arguments = bench.arguments;
  Options options;
  options.lockstep = lockstep;
  if (hang_after) options.hang_after = hang_after;
  return simulate(*decode(bench.module, "k", axes_between_warps(bench.block)), launch, bench.memory,
                  bench.limits, options);
}

size_t waiting_loops(const Bench& bench) {
  const auto program = decode(bench.module, "k");
  return size_t(std::count_if(program->basic_blocks.begin(), program->basic_blocks.end(),
                              [](const BasicBlock& basic_block) { return basic_block.spins; }));
}

TEST(Waiting, a_loop_waits_if_what_others_write_decides_when_it_is_left) {
  const std::string loop =
      start + "ld.param.u64 %q, [out]; mov.u32 %n, 0; LOOP: add.u32 %n, %n, 1;";
  const std::string counted = "setp.lt.u32 %r, %n, 100; @%r bra LOOP; ret;";
  EXPECT_EQ(
      waiting_loops(Bench(
          loop + "ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra LOOP; ret;")),
      1u);
  EXPECT_EQ(
      waiting_loops(Bench(loop + "ld.volatile.global.u32 %t, [%q]; add.u32 %v, %v, %t;" + counted)),
      0u);
  EXPECT_EQ(waiting_loops(Bench(loop + "atom.global.add.u32 %t, [%q], 1;" + counted)), 0u);
  // A branch of the loop alone does not make it wait; what stands behind it may.
  EXPECT_EQ(waiting_loops(Bench(loop +
                                "atom.global.add.u32 %t, [%q], 1; setp.eq.u32 %s, %t, 7; @%s bra "
                                "ON; add.u32 %v, %v, 1; ON:" +
                                counted)),
            0u);
  EXPECT_EQ(waiting_loops(Bench(loop +
                                "atom.global.cas.b32 %t, [%q], 0, 1; setp.ne.u32 %s, %t, 0; @%s "
                                "bra ON; mov.u32 %n, 100; ON:" +
                                counted)),
            1u);
  // A compare-and-swap that is tried again waits; the loop around it does not.
  EXPECT_EQ(waiting_loops(Bench(loop +
                                "AGAIN: atom.global.cas.b32 %t, [%q], %v, 1; setp.ne.u32 %s, %t, "
                                "%v; mov.u32 %v, %t; @%s bra AGAIN;" +
                                counted)),
            1u);
  EXPECT_EQ(waiting_loops(
                Bench(loop + "ld.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra LOOP; ret;")),
            0u);
  EXPECT_EQ(
      waiting_loops(Bench(
          loop + "membar.gl; ld.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra LOOP; ret;")),
      1u);
}

// Thread 0 sets the flag behind the loop in which the others wait for it.
const std::string flag_behind_the_loop = start + R"(
    ld.param.u64 %q, [out]; setp.eq.u32 %r, %i, 0; @%r bra SET;
  SPIN: ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  SET: @%r st.volatile.global.u32 [%q], 1; ret;)";

TEST(Waiting, a_flag_set_behind_the_loop_ends_it_with_independent_scheduling) {
  Bench bench(flag_behind_the_loop);
  auto* flag = bench.allocate<uint32_t>(32);
  bench.pass(flag);
  EXPECT_TRUE(ran(bench).completed);
  EXPECT_EQ(*flag, 1u);
}

TEST(Waiting, in_lockstep_it_hangs_and_the_finding_says_why) {
  Bench bench(flag_behind_the_loop);
  auto* flag = bench.allocate<uint32_t>(32);
  bench.pass(flag);
  const Outcome outcome = ran(bench, true);
  ASSERT_FALSE(outcome.completed);
  const Finding& finding = outcome.findings.at(0);
  EXPECT_EQ(finding.kind, "hang");
  EXPECT_EQ(finding.cuda_error, 702);
  EXPECT_EQ(finding.address, reinterpret_cast<uint64_t>(flag));
  EXPECT_NE(finding.what.find("31 threads of 1 block loop forever"), std::string::npos)
      << finding.what;
  EXPECT_NE(finding.what.find("which hold 0"), std::string::npos) << finding.what;
  EXPECT_NE(finding.what.find("independent thread scheduling"), std::string::npos) << finding.what;
}

TEST(Waiting, in_lockstep_a_loop_that_holds_its_own_lock_ends) {
  Bench bench(start + R"(
    .shared .align 4 .u32 lock; .shared .align 4 .u32 sum; mov.u32 %n, 0;
  AGAIN: atom.shared.cas.b32 %t, [lock], 0, 1; setp.ne.u32 %r, %t, 0; @%r bra NEXT;
    ld.volatile.shared.u32 %v, [sum]; add.u32 %v, %v, 1; st.volatile.shared.u32 [sum], %v; mov.u32 %n, 1; st.volatile.shared.u32 [lock], 0;
  NEXT: setp.eq.u32 %s, %n, 0; @%s bra AGAIN;
    ld.volatile.shared.u32 %v, [sum]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(ran(bench, true).completed);
  EXPECT_EQ(out[7], 32u);
}

TEST(Waiting, blocks_wait_for_blocks_that_come_later) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out]; mov.u32 %n, %nctaid.x; setp.ne.u32 %r, %i, 0; @%r bra SET;
  SPIN: ld.acquire.gpu.global.u32 %t, [%q+4]; add.u32 %t, %t, 1; setp.lt.u32 %s, %t, %n; @%s bra SPIN; st.global.u32 [%q], 7; ret;
  SET: mov.u32 %t, %tid.x; setp.ne.u32 %s, %t, 0; @%s ret; red.global.add.u32 [%q+4], 1; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  bench.grid = {8, 1, 1};
  ASSERT_TRUE(ran(bench).completed);
  EXPECT_EQ(out[0], 7u);
}

TEST(Waiting, blocks_for_which_there_is_no_room_are_named) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out]; mov.u32 %n, %nctaid.x; mov.u32 %t, %tid.x; setp.eq.u32 %r, %t, 0; @%r red.global.add.u32 [%q], 1;
  SPIN: ld.acquire.gpu.global.u32 %t, [%q]; setp.lt.u32 %s, %t, %n; @%s bra SPIN; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  bench.grid = {20, 1, 1};  // the bench's machine holds 8
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].kind, "hang");
  EXPECT_NE(outcome.findings[0].what.find("12 blocks have not begun"), std::string::npos)
      << outcome.findings[0].what;
  EXPECT_EQ(out[0], 8u);
}

TEST(Waiting, a_lock_that_nobody_gives_back_is_a_hang) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out];
  SPIN: atom.global.cas.b32 %t, [%q], 0, 1; setp.ne.u32 %s, %t, 0; @%s bra SPIN; ret;)");
  auto* lock = bench.allocate<uint32_t>(1);
  bench.pass(lock);
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_NE(outcome.findings[0].what.find("31 threads"), std::string::npos)
      << outcome.findings[0].what;
  EXPECT_NE(outcome.findings[0].what.find("which hold 1"), std::string::npos)
      << outcome.findings[0].what;
}

TEST(Waiting, a_loop_that_counts_its_rounds_is_no_hang) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out]; mov.u32 %n, 0;
  SPIN: ld.volatile.global.u32 %t, [%q]; add.u32 %n, %n, 1; setp.gt.u32 %r, %n, 200000; @%r bra END; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  END: st.global.u32 [%p+4], %n; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  ASSERT_TRUE(ran(bench).completed);
  EXPECT_EQ(out[1], 200001u);
}

TEST(Waiting, a_loop_that_looks_at_the_clock_ends_when_its_time_is_up) {
  Bench bench(start + R"(
    .reg .b64 %a, %b; ld.param.u64 %q, [out]; mov.u64 %a, %clock64; add.u64 %a, %a, 1000000;
  SPIN: ld.volatile.global.u32 %t, [%q]; mov.u64 %b, %clock64; setp.gt.u64 %r, %b, %a; @%r bra END; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  END: st.global.u32 [%p+4], 9; ret;)");
  auto* out = bench.allocate<uint32_t>(64);
  bench.pass(out);
  ASSERT_TRUE(ran(bench).completed);
  EXPECT_EQ(out[1], 9u);
}

TEST(Waiting, what_cannot_be_proved_to_hang_has_a_limit) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out]; mov.u32 %n, 0;
  SPIN: ld.volatile.global.u32 %t, [%q]; add.u32 %n, %n, 1; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
    st.global.u32 [%p+4], %n; ret;)");
  bench.pass(bench.allocate<uint32_t>(64));
  const Outcome outcome = ran(bench, false, 1000000);
  ASSERT_FALSE(outcome.completed);
  EXPECT_NE(outcome.findings[0].what.find("--hang-after"), std::string::npos)
      << outcome.findings[0].what;
}

// These may be the program's work: they have a limit where one is asked for.
TEST(Waiting, loops_that_write_or_meet_or_do_not_wait_end_where_a_limit_is_asked_for) {
  const std::string begin =
      start + "ld.param.u64 %q, [out]; mov.u32 %n, 0; SPIN: add.u32 %n, %n, 1;";
  const std::string wait =
      "ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0; @%s bra SPIN; ret;";
  for (const std::string& body :
       {"st.volatile.global.u32 [%q+4], %n;" + wait, "bar.sync 0;" + wait,
        "atom.global.exch.b32 %v, [%q+4], %n;" + wait, std::string("bra SPIN;")}) {
    Bench bench(begin + body);
    bench.pass(bench.allocate<uint32_t>(64));
    const Outcome outcome = ran(bench, false, 1000000);
    ASSERT_FALSE(outcome.completed) << body;
    EXPECT_EQ(outcome.findings[0].kind, "hang");
    EXPECT_EQ(outcome.findings[0].cuda_error, 702);
    EXPECT_NE(outcome.findings[0].what.find("--hang-after"), std::string::npos)
        << outcome.findings[0].what;
  }
}

TEST(Waiting, a_lock_taken_by_exchange_and_never_given_back_is_a_hang) {
  Bench bench(start +
              "ld.param.u64 %q, [out]; SPIN: atom.global.exch.b32 %t, [%q], 1; setp.ne.u32 %s, %t, "
              "0; @%s bra SPIN; ret;");
  auto* lock = bench.allocate<uint32_t>(1);
  *lock = 1;
  bench.pass(lock);
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_NE(outcome.findings[0].what.find("which hold 1"), std::string::npos)
      << outcome.findings[0].what;
}

// Thread 0 reads for its block, whose other threads wait at a barrier in every round: the block gives
// way though it meets, and one that broadcasts through shared memory is seen to wait.
TEST(Waiting, blocks_that_meet_in_every_round_of_waiting_hand_over_without_long_turns) {
  Bench bench(start + R"(
    .shared .align 4 .u32 seen; .reg .b32 %b; .reg .pred %first;
    ld.param.u64 %q, [out]; mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0; mov.u32 %n, 0;
  ROUND: @!%first bra MEET; ld.acquire.gpu.global.u32 %t, [%q]; st.shared.u32 [seen], %t;
  MEET: bar.sync 0; ld.shared.u32 %t, [seen]; bar.sync 0;
    and.b32 %v, %t, 1; setp.ne.u32 %s, %v, %b; @%s bra ROUND;
    add.u32 %t, %t, 1; @%first st.release.gpu.global.u32 [%q], %t;
    add.u32 %n, %n, 1; setp.lt.u32 %s, %n, 500; @%s bra ROUND; ret;)");
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  bench.grid = {2, 1, 1};
  bench.block = {128, 1, 1};
  const Outcome outcome = ran(bench, false, 100'000'000);
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(out[0], 1000u);
  EXPECT_LT(outcome.counters.warp_instructions, 1000u * 4 * 12 * 40);  // 40 rounds a turn at most
}

// As cuda::barrier waits: it tries some times, then looks at the clock and sleeps. 32 of 64 arrive.
TEST(Waiting, a_barrier_at_which_too_few_arrive_is_a_hang_though_the_wait_looks_at_a_clock) {
  Bench bench(start + R"(
    .reg .b64 %begin, %now, %state; .shared .align 8 .b64 bar; .reg .pred %first;
    setp.eq.u32 %first, %i, 0; @%first mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
    mbarrier.arrive.shared.b64 %state, [bar]; mov.u64 %begin, %globaltimer; mov.u32 %n, 0;
  TRY: mbarrier.test_wait.shared.b64 %r, [bar], %state; @%r bra DONE;
    setp.lt.u32 %s, %n, 16; @!%s bra SLEEP; add.u32 %n, %n, 1; bra TRY;
  SLEEP: mov.u64 %now, %globaltimer; sub.u64 %now, %now, %begin; shr.u64 %now, %now, 2;
    setp.lt.u64 %s, %now, 1000000; @!%s mov.u64 %now, 1000000; cvt.u32.u64 %t, %now; nanosleep.u32 %t; bra TRY;
  DONE: ret;)");
  bench.pass(bench.allocate<uint32_t>(32));
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  const Finding& finding = outcome.findings.at(0);
  EXPECT_EQ(finding.kind, "hang");
  EXPECT_NE(finding.what.find("32 threads of 1 block loop forever"), std::string::npos)
      << finding.what;
  EXPECT_NE(finding.what.find("mbarrier at offset 0 of shared memory, where 32 of 64 arrivals are"),
            std::string::npos)
      << finding.what;
  EXPECT_NE(finding.instruction.find("mbarrier.test_wait"), std::string::npos)
      << finding.instruction;
}

TEST(Waiting, a_loop_that_waits_for_a_time_ends_however_far_that_is) {
  Bench bench(start + R"(
    .reg .b64 %a, %b; mov.u64 %a, %clock64; add.u64 %a, %a, 1000000000000000;
  SPIN: mov.u64 %b, %clock64; setp.lt.u64 %r, %b, %a; @%r bra SPIN; st.global.u32 [%p], 9; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  ASSERT_TRUE(ran(bench).completed);
  EXPECT_EQ(out[1], 9u);
}

TEST(Waiting, a_loop_that_counts_ticks_of_a_clock_is_no_hang) {
  Bench bench(start + R"(
    .reg .b64 %last, %now, %since; mov.u64 %last, %clock64; mov.u32 %n, 0;
  SPIN: mov.u64 %now, %clock64; sub.u64 %since, %now, %last; setp.gt.u64 %s, %since, 1000; selp.u32 %t, 1, 0, %s;
    add.u32 %n, %n, %t; selp.b64 %last, %now, %last, %s; setp.lt.u32 %r, %n, 300; @%r bra SPIN; st.global.u32 [%p], %n; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = ran(bench);
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  EXPECT_EQ(out[1], 300u);
}

// The register of the address may hold something else where the loop goes back.
TEST(Waiting, a_hang_at_a_barrier_in_memory_is_explained_though_its_address_is_gone) {
  Bench bench(start + R"(
    .reg .b64 %state; .reg .b32 %a, %w, %at; .shared .align 8 .b64 bar; .reg .pred %first;
    setp.eq.u32 %first, %i, 0; @%first mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
    mbarrier.arrive.shared.b64 %state, [bar]; mov.u32 %at, bar;
  SPIN: add.u32 %a, %at, 0; mbarrier.test_wait.shared.b64 %r, [%a], %state; selp.b32 %w, 0, 1, %r;
    setp.ne.u32 %s, %w, 0; @%s bra SPIN; ret;)");
  bench.pass(bench.allocate<uint32_t>(32));
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings.at(0).kind, "hang");
  EXPECT_NE(outcome.findings[0].what.find("an mbarrier"), std::string::npos)
      << outcome.findings[0].what;
}

TEST(Waiting, a_loop_that_no_time_ends_is_a_hang) {
  Bench bench(start + R"(
    .reg .b64 %b; SPIN: mov.u64 %b, %clock64; setp.ne.u64 %r, %b, 0; @%r bra SPIN; ret;)");
  bench.pass(bench.allocate<uint32_t>(32));
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].kind, "hang");
  EXPECT_EQ(outcome.findings[0].what.find("--hang-after"), std::string::npos)
      << outcome.findings[0].what;
}

TEST(Waiting, producers_and_consumers_hand_over_without_long_turns) {
  Bench bench(start + R"(
    .reg .b32 %b; ld.param.u64 %q, [out]; mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x; setp.ne.u32 %r, %t, 0; @%r ret; mov.u32 %n, 0;
  ROUND: ld.acquire.gpu.global.u32 %t, [%q]; and.b32 %v, %t, 1; setp.ne.u32 %s, %v, %b; @%s bra ROUND;
    add.u32 %t, %t, 1; st.release.gpu.global.u32 [%q], %t; add.u32 %n, %n, 1; setp.lt.u32 %s, %n, 2000; @%s bra ROUND; ret;)");
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  bench.grid = {2, 1, 1};
  const Outcome outcome = ran(bench);
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(out[0], 4000u);
  EXPECT_LT(outcome.counters.warp_instructions,
            4000u * 5 * 200);  // some rounds of waiting each, not a million
}

// Two warps take turns, and how often they did lies in memory alone: in a register, what is read
// next has taken its place.
TEST(Waiting, progress_between_two_waits_that_no_register_shows_is_no_hang) {
  Bench bench(R"(
    .reg .pred %p<4>; .reg .b32 %r<11>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out]; mov.u32 %r4, %tid.x; shr.u32 %r1, %r4, 5; and.b32 %r5, %r4, 31;
    setp.ne.s32 %p1, %r5, 0; @%p1 bra END; mul.wide.s32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;
    mov.u32 %r6, 1; sub.s32 %r2, %r6, %r1;
  WAIT: ld.volatile.global.u32 %r7, [%d1]; setp.ne.s32 %p2, %r7, %r1; @%p2 bra WAIT;
    ld.global.u32 %r8, [%d3+4]; add.s32 %r9, %r8, 1; st.global.u32 [%d3+4], %r9;
    st.volatile.global.u32 [%d1], %r2; setp.lt.s32 %p3, %r9, 2000; @%p3 bra WAIT;
    st.global.u32 [%d3+12], %r6;
  END: ret;)");
  auto* out = bench.allocate<uint32_t>(5);
  bench.pass(out);
  bench.block = {64, 1, 1};
  const Outcome outcome = ran(bench);
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  EXPECT_EQ(out[1], 2000u);
  EXPECT_EQ(out[2], 2000u);
}

// One block adds until it is told to stop; the other looks whether the sum is large enough.
TEST(Waiting, a_sum_of_floats_that_grows_is_no_hang) {
  const std::string before = R"(
    .reg .pred %p<5>; .reg .b32 %r<7>; .reg .b64 %d<2>;
    ld.param.u64 %d1, [out]; mov.u32 %r1, %ctaid.x; setp.eq.s32 %p1, %r1, 0; @%p1 bra ADD;)";
  const std::string after = R"(
    and.b32 %r3, %r2, -16384; setp.eq.s32 %p2, %r3, 0; @%p2 bra WAIT; mov.u32 %r4, 1;
    st.volatile.global.u32 [%d1], %r4; ret;)";
  const std::string told = R"(
    ld.volatile.global.u32 %r6, [%d1]; setp.eq.s32 %p4, %r6, 0; @%p4 bra ADD; ret;)";
  for (const std::string& body :
       {".reg .f32 %f<3>;" + before +
            "WAIT: ld.volatile.global.f32 %f1, [%d1+8]; cvt.rzi.s32.f32 "
            "%r2, %f1;" +
            after + "ADD: atom.global.add.f32 %f2, [%d1+8], 0f3F800000;" + told,
        ".reg .f64 %f<3>;" + before +
            "WAIT: ld.volatile.global.f64 %f1, [%d1+8]; cvt.rzi.s32.f64 "
            "%r2, %f1; mov.f64 %f1, 0d0000000000000000;" +
            after +
            "ADD: atom.global.add.f64 %f2, [%d1+8], 0d3FF0000000000000; mov.f64 %f2, "
            "0d0000000000000000;" +
            told}) {
    Bench bench(body);
    auto* out = bench.allocate<uint32_t>(4);
    bench.pass(out);
    bench.grid = {2, 1, 1};
    bench.block = {1, 1, 1};
    const Outcome outcome = ran(bench);
    ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
    EXPECT_EQ(out[0], 1u);
  }
}

// A word of a clock wraps: what it waits for is true for a while, and not for ever.
TEST(Waiting, a_loop_that_waits_for_the_low_word_of_a_clock_ends) {
  for (const std::string clock : {"%clock", "%globaltimer_lo"}) {
    for (const std::string until : {"lt.u32 %r, %v, 2200000000", "lt.u32 %r, %v, 4200000000",
                                    "lt.s32 %r, %v, 1500000000", "lt.s32 %r, %v, 2100000000"}) {
      Bench bench(start + "mov.u32 %n, " + clock + "; SPIN: mov.u32 %t, " + clock +
                  "; sub.u32 %v, %t, %n; setp." + until +
                  "; @%r bra SPIN; st.global.u32 [%p], 9; ret;");
      auto* out = bench.allocate<uint32_t>(32);
      bench.pass(out);
      const Outcome outcome = ran(bench);
      EXPECT_TRUE(outcome.completed)
          << clock << " " << until << ": " << outcome.findings.at(0).what;
      EXPECT_EQ(out[1], 9u);
    }
  }
}

// Nothing says that the loop waits, and the lane that would end it is where they would meet.
TEST(Waiting, lanes_go_on_though_a_loop_that_nobody_takes_for_waiting_waits_for_them) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out]; setp.eq.u32 %r, %i, 5; @%r bra MEET;
  SPIN: ld.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
  MEET: @%r st.global.u32 [%q], 1; ret;)");
  auto* flag = bench.allocate<uint32_t>(32);
  bench.pass(flag);
  const Outcome outcome = ran(bench, false, 100'000'000);
  EXPECT_TRUE(outcome.completed) << outcome.findings.at(0).what;
}

TEST(Waiting, reads_past_the_caches_wait_and_so_do_those_kept_in_local_memory) {
  const std::string loop = start + "ld.param.u64 %q, [out]; LOOP:";
  for (const std::string read : {"ld.global.cv.u32", "ld.global.cg.u32", "ld.cv.u32"})
    EXPECT_EQ(
        waiting_loops(Bench(loop + read + " %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra LOOP; ret;")),
        1u)
        << read;
  EXPECT_EQ(waiting_loops(Bench(".local .align 4 .u32 kept;" + loop +
                                "ld.volatile.global.u32 %t, [%q]; st.local.u32 [kept], %t; "
                                "ld.local.u32 %v, [kept]; setp.eq.u32 %r, %v, 0; @%r bra LOOP; "
                                "ret;")),
            1u);
}

// A host thread may answer.
TEST(Waiting, a_flag_in_memory_of_the_host_is_waited_for_a_while) {
  Bench bench(start + R"(
    ld.param.u64 %q, [out];
  SPIN: ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %s, %t, 0; @%s bra SPIN; ret;)");
  static volatile uint32_t flag = 0;
  bench.memory.map_host(reinterpret_cast<uint64_t>(&flag), sizeof flag);
  bench.pass(&flag);
  {
    std::jthread host([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      flag = 1;
    });
    const Outcome outcome = ran(bench);
    EXPECT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  }
  flag = 0;
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_NE(outcome.findings[0].what.find("memory of the host"), std::string::npos)
      << outcome.findings[0].what;
}

TEST(Waiting, what_is_no_address_any_more_is_not_read_for_the_message) {
  Bench bench(start + R"(
    .shared .align 8 .b8 word[8]; .reg .b64 %a, %base; cvt.u64.u32 %base, 0; st.shared.u64 [word], %base;
  SPIN: add.u64 %a, %base, 4; ld.volatile.shared.u32 %t, [%a]; mov.u64 %a, -4; setp.eq.u32 %s, %t, 0; @%s bra SPIN;
    st.global.u64 [%p], %a; ret;)");
  bench.pass(bench.allocate<uint32_t>(64));
  const Outcome outcome = ran(bench);
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].what.find("1844674407370955"), std::string::npos)
      << outcome.findings[0].what;
}

}  // namespace
}  // namespace headroom::sim
