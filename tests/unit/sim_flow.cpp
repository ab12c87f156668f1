// Who runs next: divergence, indexed branches, returns, and the lanes of a warp that come apart and together.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

std::vector<uint32_t> words(Bench& bench, size_t n) {
  auto* out = bench.allocate<uint32_t>(n);
  bench.pass(out);
  const Outcome outcome = bench.run();
  EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  return {out, out + n};
}

TEST(Flow, an_indexed_branch_takes_each_lane_to_its_label_and_repeats_nothing) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %n; mov.u32 %n, 0;
  AGAIN: add.u32 %n, %n, 1; rem.u32 %v, %i, 3;
    ts: .branchtargets A, B, C;
    brx.idx %v, ts;
  A: add.u32 %n, %n, 100; bra END;
  B: add.u32 %n, %n, 200; bra END;
  C: add.u32 %n, %n, 300;
  END: st.global.u32 [%p], %n; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 1 + 100 * (i % 3 + 1)) << i;
}

TEST(Flow, a_guarded_indexed_branch_lets_the_others_fall_through) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %n, %k; .reg .pred %q; mov.u32 %n, 5; mov.u32 %k, 7;
    setp.lt.u32 %q, %i, 16; and.b32 %v, %i, 1;
    ts: .branchtargets A, B;
    @%q brx.idx %v, ts;
    add.u32 %n, %n, %k; bra END;
  A: mov.u32 %n, 100; bra END;
  B: mov.u32 %n, 200;
  END: st.global.u32 [%p], %n; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i >= 16 ? 12u : i & 1 ? 200u : 100u) << i;
}

TEST(Flow, a_guarded_return_at_the_closing_brace_ends_the_others_too) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v; .reg .pred %q; setp.lt.u32 %q, %i, 16; mov.u32 %v, %i;
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %i; call.uni (r), f, (a); ld.param.b32 %v, [r]; }
    st.global.u32 [%p], %v;
    @%q ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) f(.param .b32 x)
  { .reg .b32 %x; .reg .pred %q; ld.param.b32 %x, [x]; setp.lt.u32 %q, %x, 8; add.u32 %x, %x, 1; st.param.b32 [result], %x; @%q ret; })");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 1) << i;
}

TEST(Flow, registers_that_share_a_place_keep_their_lanes_apart) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %a, %b, %c, %n; .reg .pred %q, %more;
    mov.u32 %n, 0; mov.u32 %c, 0;
  LOOP: and.b32 %a, %i, 1; setp.eq.u32 %q, %a, 0; @%q bra EVEN;
    add.u32 %b, %i, %n; mul.lo.u32 %b, %b, 3; add.u32 %c, %c, %b; bra NEXT;
  EVEN: add.u32 %a, %i, %n; mul.lo.u32 %a, %a, 5; add.u32 %c, %c, %a;
  NEXT: add.u32 %n, %n, 1; setp.le.u32 %more, %n, %i; @%more bra LOOP;
    st.global.u32 [%p], %c; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t sum = 0;
    for (uint32_t n = 0; n <= i; ++n) sum += (i + n) * (i & 1 ? 3 : 5);
    EXPECT_EQ(out[i], sum) << i;
  }
}

TEST(Flow, a_guarded_write_keeps_the_old_value_round_a_loop) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %last, %n, %t, %u; .reg .pred %q, %more;
    mov.u32 %n, 0; mov.u32 %last, 77;
  LOOP: and.b32 %t, %n, 7; setp.eq.u32 %q, %t, 3; @%q mov.u32 %last, %n; xor.b32 %u, %t, 5; add.u32 %n, %n, 1;
    setp.lt.u32 %more, %n, %i; @%more bra LOOP;
    st.global.u32 [%p], %last; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 4 ? 77u : (i - 4) / 8 * 8 + 3) << i;
}

TEST(Flow, a_shuffle_waits_for_the_lanes_it_names) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %w; .reg .pred %q; setp.lt.u32 %q, %i, 16; @%q bra LOW;
    add.u32 %v, %i, 1000; bra.uni SUM;
  LOW: mov.u32 %v, %i;
  SUM: shfl.sync.bfly.b32 %w, %v, 16, 31, -1; st.global.u32 [%p], %w; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? i + 16 + 1000 : i - 16) << i;
}

TEST(Flow, votes_leave_out_the_lanes_that_ended) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v; .reg .pred %q; setp.ge.u32 %q, %i, 20; @%q exit;
    setp.lt.u32 %q, %i, 4; vote.sync.ballot.b32 %v, !%q, -1; st.global.u32 [%p], %v; ret;)");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 20 ? 0xffff0u : 0u) << i;
}

TEST(Flow, a_lane_may_exit_inside_a_function) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %n; .reg .pred %more; mov.u32 %n, 0;
  LOOP: { .param .b32 a; .param .b32 b; .param .b32 r; st.param.b32 [a], %i; st.param.b32 [b], %n; call.uni (r), f, (a, b); ld.param.b32 %v, [r]; }
    st.global.u32 [%p], %v; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 40; @%more bra LOOP; ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) f(.param .b32 x, .param .b32 y)
  { .reg .b32 %x, %y; .reg .pred %q; ld.param.b32 %x, [x]; ld.param.b32 %y, [y]; setp.eq.u32 %q, %x, %y; @%q exit; add.u32 %y, %y, 1; st.param.b32 [result], %y; ret; })");
  const auto out = words(bench, 32);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i) << i;
}

}  // namespace
}  // namespace headroom::sim
