// Where lanes that parted come together: how often a warp enters what stands there is counted by
// its requests.
#include <algorithm>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

struct Ran {
  std::vector<uint32_t> words;
  Counters counters;
};

Ran ran(Bench& bench, size_t n = 32) {
  auto* out = bench.allocate<uint32_t>(n);
  bench.pass(out);
  const Outcome outcome = bench.run();
  EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  return {{out, out + n}, outcome.counters};
}

constexpr const char* registers =
    ".reg .b32 %n, %t, %v; .reg .pred %q, %r, %more; mov.u32 %n, 0; mov.u32 %v, 0;";

TEST(Convergence, both_sides_of_a_branch_meet_behind_it) {
  Bench bench(std::string(thread_index) + registers + R"(
    and.b32 %t, %i, 1; setp.eq.u32 %q, %t, 0; @%q bra EVEN; mov.u32 %v, 7; bra END;
  EVEN: mov.u32 %v, 8;
  END: st.global.u32 [%p], %v; ret;)");
  EXPECT_EQ(ran(bench).counters.global_store_requests, 1u);
}

TEST(Convergence, a_side_that_stands_behind_the_reconvergence_point_is_waited_for) {
  Bench bench(std::string(thread_index) + registers + R"(
    and.b32 %t, %i, 1; setp.eq.u32 %q, %t, 0; @%q bra EVEN; mov.u32 %v, 7;
  END: st.global.u32 [%p], %v; ret;
  EVEN: mov.u32 %v, 8; bra END;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i & 1 ? 7u : 8u) << i;
}

TEST(Convergence, lanes_that_skip_the_rest_of_a_round_wait_at_the_head_of_the_loop) {
  Bench bench(std::string(thread_index) + registers + R"(
  HEAD: setp.ge.u32 %more, %n, 10; @%more bra END; add.u32 %n, %n, 1;
    add.u32 %t, %n, %i; and.b32 %t, %t, 1; setp.eq.u32 %q, %t, 0; @%q bra HEAD;
    ld.global.u32 %t, [%p]; add.u32 %v, %v, 1; bra HEAD;
  END: st.global.u32 [%p], %v; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_load_requests, 10u);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  EXPECT_EQ(out.words[3], 5u);
}

TEST(Convergence, a_loop_whose_latch_stands_above_its_head_keeps_its_lanes_together) {
  Bench bench(std::string(thread_index) + registers + R"(
    bra HEAD;
  LATCH: add.u32 %n, %n, 1; setp.ge.u32 %more, %n, 10; @%more bra END;
  HEAD: add.u32 %t, %n, %i; and.b32 %t, %t, 1; setp.eq.u32 %q, %t, 0; @%q bra LATCH;
    ld.global.u32 %t, [%p]; add.u32 %v, %v, 1; bra LATCH;
  END: st.global.u32 [%p], %v; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_load_requests, 10u);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
}

TEST(Convergence, lanes_that_leave_a_loop_by_another_exit_pass_it_one_after_the_other) {
  Bench bench(std::string(thread_index) + registers + R"(
  HEAD: setp.eq.u32 %q, %n, %i; @%q bra FOUND; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 24; @%more bra HEAD;
    mov.u32 %v, 1000; bra END;
  FOUND: ld.global.u32 %v, [%p]; add.u32 %v, %v, %n;
  END: st.global.u32 [%p], %v; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_load_requests, 24u);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i < 24 ? i : 1000) << i;
}

TEST(Convergence, lanes_that_end_are_not_waited_for_and_do_not_move_the_reconvergence_point) {
  Bench bench(std::string(thread_index) + registers + R"(
    setp.lt.u32 %q, %i, 16; @!%q bra REST;
    setp.lt.u32 %r, %i, 4; @%r bra END; mov.u32 %v, 5;
  REST: st.global.u32 [%p], %v; add.u32 %v, %v, 1; st.global.u32 [%p], %v;
  END: ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_store_requests, 2u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i < 4 ? 0u : i < 16 ? 6u : 1u) << i;
}

TEST(Convergence,
     an_early_return_that_does_something_is_no_reconvergence_point_for_those_who_stay) {
  const std::string branch = std::string(thread_index) + registers + R"(
    setp.lt.u32 %q, %i, 16; @%q bra LOW; mov.u32 %v, 3; bra JOIN;
  LOW: setp.lt.u32 %r, %i, 4; @!%r bra JOIN;)";
  const std::string early = "EARLY: st.global.u32 [%p], 77; ret;",
                    join = "JOIN: st.global.u32 [%p], %v; ret;";
  for (const std::string& body : {branch + early + join, branch + "bra EARLY;" + join + early}) {
    Bench bench(body);
    const Ran out = ran(bench);
    EXPECT_EQ(out.counters.global_store_requests, 2u) << body;
    for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i < 4 ? 77u : i < 16 ? 0u : 3u) << i;
  }
}

TEST(Convergence, a_loop_left_only_by_ending_keeps_its_lanes_together) {
  Bench bench(std::string(thread_index) + registers + R"(
  HEAD: setp.ge.u32 %more, %n, 12; @%more exit; add.u32 %n, %n, 1;
    add.u32 %t, %n, %i; and.b32 %t, %t, 1; setp.eq.u32 %q, %t, 0; @%q bra EVEN; add.u32 %v, %v, 2; bra HEAD;
  EVEN: add.u32 %v, %v, 1; st.global.u32 [%p], %v; bra HEAD;)");
  EXPECT_EQ(ran(bench).counters.global_store_requests, 12u);
}

// Loads in both sides of a branch, in a loop before the last one: 10 rounds of one load a side and
// one behind it, for lanes that go round 10 times or 11; then lane i goes i % 3 + 1 times round.
TEST(Convergence, a_last_loop_left_only_by_ending_leaves_earlier_reconvergence_points_as_they_are) {
  Bench bench(std::string(thread_index) + registers + R"(
    and.b32 %t, %i, 1; add.u32 %t, %t, 10; mov.u32 %v, %t;
  FIRST: add.u32 %t, %n, %i; and.b32 %t, %t, 1; setp.eq.u32 %q, %t, 0; @%q bra EVEN;
    ld.global.u32 %t, [%p]; bra JOIN;
  EVEN: ld.global.u32 %t, [%p];
  JOIN: ld.global.u32 %t, [%p]; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, %v; @%more bra FIRST;
    rem.u32 %n, %i, 3;
  LAST: st.global.u32 [%p], %n; setp.eq.u32 %more, %n, 0; @%more bra END; sub.u32 %n, %n, 1;
    bra LAST;
  END: ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_load_requests, 10u * 3 + 2);
  EXPECT_EQ(out.counters.global_store_requests, 3u);
}

// Of the lanes below 16, those below 4 store and return; an H200 brings the others together again
// with the rest, wherever the early end stands (nvcc puts it last).
TEST(Convergence, an_early_return_before_the_last_loop_is_no_reason_to_part) {
  const std::string branch = std::string(thread_index) + registers + R"(
    setp.ge.u32 %q, %i, 16; @%q bra JOIN; ld.global.u32 %t, [%p]; setp.lt.u32 %r, %i, 4;)";
  const std::string loop = R"(
  JOIN: ld.global.u32 %t, [%p];
  LAST: add.u32 %n, %n, 1; st.global.u32 [%p], %n; setp.lt.u32 %more, %n, 12; @%more bra LAST;)";
  const std::string early = "EARLY: st.global.u32 [%p], 77;";
  for (const std::string& body :
       {branch + "@%r bra EARLY;" + loop + "bra END;" + early + "END: ret;",
        branch + "@!%r bra JOIN;" + early + "ret;" + loop + "ret;"}) {
    Bench bench(body);
    const Ran out = ran(bench);
    EXPECT_EQ(out.counters.global_load_requests, 2u) << body;
    EXPECT_EQ(out.counters.global_store_requests, 13u) << body;
    for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i < 4 ? 77u : 12u) << i;
  }
}

TEST(Convergence, two_ways_into_a_loop_meet_behind_it) {
  Bench bench(std::string(thread_index) + registers + R"(
    and.b32 %t, %i, 1; setp.eq.u32 %q, %t, 0; @%q bra SECOND;
  FIRST: add.u32 %v, %v, 1;
  SECOND: add.u32 %v, %v, 100; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 4; @%more bra FIRST;
    st.global.u32 [%p], %v; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], 400u + 3u + (i & 1)) << i;
}

TEST(Convergence, lanes_that_return_apart_meet_behind_the_call) {
  Bench bench(std::string(thread_index) + registers + R"(
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %i; call.uni (r), f, (a); ld.param.b32 %v, [r]; }
    st.global.u32 [%p], %v; ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) f(.param .b32 x)
  { .reg .b32 %x; .reg .pred %q; ld.param.b32 %x, [x]; st.param.b32 [result], %x; setp.lt.u32 %q, %x, 8; @%q bra LOW;
    setp.lt.u32 %q, %x, 16; @%q ret; add.u32 %x, %x, 1; st.param.b32 [result], %x; ret;
  LOW: st.param.b32 [result], 99; ret; })");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i < 8 ? 99u : i < 16 ? i : i + 1) << i;
}

TEST(Convergence, lanes_that_a_barrier_let_go_at_one_place_run_on_together) {
  Bench bench(std::string(thread_index) + registers + R"(
  HEAD: setp.eq.u32 %q, %i, %n; @%q bra LAST; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 5; @%more bra HEAD;
  LAST: bar.sync 0; st.global.u32 [%p], %n; ret;)");
  EXPECT_EQ(ran(bench).counters.global_store_requests, 1u);
}

TEST(Convergence, an_indexed_branch_is_counted_once_and_its_lanes_meet) {
  Bench bench(std::string(thread_index) + registers + R"(
    rem.u32 %t, %i, 3;
    ts: .branchtargets A, B, A;
    brx.idx %t, ts;
  A: mov.u32 %v, 1; bra END;
  B: mov.u32 %v, 2;
  END: st.global.u32 [%p], %v; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.counters.branches, 2u);  // brx, and one of the two sides has a bra
  EXPECT_EQ(out.counters.divergent_branches, 1u);
  EXPECT_EQ(out.counters.global_store_requests, 1u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i % 3 == 1 ? 2u : 1u) << i;
}

TEST(Convergence, a_lock_taken_in_a_loop_and_given_back_behind_it_reaches_every_lane) {
  Bench bench(std::string(thread_index) + registers + R"(
    .shared .align 4 .u32 lock; .shared .align 4 .u32 sum;
  SPIN: atom.shared.cas.b32 %t, [lock], 0, 1; setp.ne.u32 %q, %t, 0; @%q bra SPIN;
    ld.volatile.shared.u32 %v, [sum]; add.u32 %v, %v, 1; st.volatile.shared.u32 [sum], %v; membar.cta; atom.shared.exch.b32 %t, [lock], 0;
    st.global.u32 [%p], %v; ret;)");
  Ran out = ran(bench);
  std::sort(out.words.begin(), out.words.end());
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out.words[i], i + 1) << i;
}

TEST(Convergence, a_lane_may_wait_for_what_another_does_behind_their_reconvergence_point) {
  Bench bench(std::string(thread_index) + registers + R"(
    .shared .align 4 .u32 flag; setp.ne.u32 %q, %i, 0;
    @!%q bra END;
  SPIN: ld.volatile.shared.u32 %t, [flag]; setp.eq.u32 %more, %t, 0; @%more bra SPIN;
  END: @!%q st.volatile.shared.u32 [flag], 1; st.global.u32 [%p], 5; ret;)");
  const Ran out = ran(bench);
  EXPECT_EQ(out.words[31], 5u);
}

}  // namespace
}  // namespace headroom::sim
