// Loops that run long enough to be compiled while they run: from basic block to basic block, for whole warps and parts of them.
#include "sim/compiled/compile.h"
#include "sim/engine.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr uint32_t threads = 32;

// 3 x + 1, `rounds` times; of every other x a little more.
uint32_t grown(uint32_t x, uint32_t rounds, uint32_t more = 0) {
  for (uint32_t n = 0; n < rounds; ++n) x = 3 * (n % 2 ? x : x + more) + 1;
  return x;
}

// For whole warps, then for parts of them.
TEST(CompiledFlow, lanes_that_leave_a_loop_earlier_leave_it_to_the_others_and_come_back) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %x, %n, %most, %r; .reg .pred %few, %more, %again, %odd;
    mov.u32 %x, %i; mov.u32 %r, 0;
    setp.lt.u32 %few, %i, 16; selp.u32 %most, 9000, 4000, %few;
    setp.ne.u32 %odd, %i, %i;
  TWICE: mov.u32 %n, 0;
  LOOP: xor.pred %odd, %odd, %few; @%odd add.u32 %x, %x, 7; mad.lo.u32 %x, %x, 3, 1; add.u32 %n, %n, 1;
    setp.lt.u32 %more, %n, %most; @%more bra LOOP;
    add.u32 %r, %r, 1; setp.lt.u32 %again, %r, 2; @%again bra TWICE;
    st.global.u32 [%p], %x; ret;)");
  auto* out = bench.allocate<uint32_t>(threads);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  for (uint32_t i = 0; i < threads; ++i)
    EXPECT_EQ(out[i], i < 16 ? grown(i, 18000, 7) : grown(i, 8000)) << i;
  const Counters& c = outcome.counters;
  const uint64_t others = c.warp_instructions - 6 * 18000;
  EXPECT_LT(others, 30u);
  EXPECT_EQ(c.thread_instructions, threads * others + 6 * (32 * 8000 + 16 * 10000));
  EXPECT_EQ(c.divergent_branches, 2u);
}

TEST(CompiledFlow, a_loop_of_several_basic_blocks_counts_each_and_the_branches_it_takes) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %x, %n, %t; .reg .pred %more, %odd;
    mov.u32 %x, %i; mov.u32 %n, 0;
  LOOP: and.b32 %t, %n, 3; setp.ne.u32 %odd, %t, 0; @%odd bra NEXT;
    add.u32 %x, %x, 5; xor.b32 %x, %x, 9;
  NEXT: mad.lo.u32 %x, %x, 3, 1; add.u32 %n, %n, 1;
    setp.lt.u32 %more, %n, 8000; @%more bra LOOP;
    st.global.u32 [%p], %x; ret;)");
  auto* out = bench.allocate<uint32_t>(threads);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  for (uint32_t i = 0; i < threads; ++i) {
    uint32_t x = i;
    for (uint32_t n = 0; n < 8000; ++n) x = 3 * (n % 4 ? x : (x + 5) ^ 9) + 1;
    EXPECT_EQ(out[i], x) << i;
  }
  const uint64_t others = outcome.counters.warp_instructions - 7 * 8000 - 2 * 2000;
  EXPECT_LT(others, 20u);
  EXPECT_EQ(outcome.counters.thread_instructions, threads * outcome.counters.warp_instructions);
  EXPECT_EQ(outcome.counters.divergent_branches, 0u);
}

TEST(CompiledFlow, launches_add_up_until_it_is_worth_it) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %x, %n; .reg .pred %more;
    ld.global.u32 %x, [%p]; mov.u32 %n, 0;
  LOOP: mad.lo.u32 %x, %x, 3, 1; add.u32 %n, %n, 1;
    setp.lt.u32 %more, %n, 100; @%more bra LOOP;
    st.global.u32 [%p], %x; ret;)");
  auto* out = bench.allocate<uint32_t>(threads);
  bench.pass(out);
  for (uint32_t i = 0; i < threads; ++i) out[i] = i;
  const auto program = decode(bench.module, "k", axes_between_warps(bench.block));
  std::optional<uint64_t> instructions;
  for (uint32_t launch = 1; launch <= 40; ++launch) {
    const Outcome outcome = simulate(*program, bench.launch(), bench.memory, bench.limits, {});
    ASSERT_TRUE(outcome.completed);
    if (!instructions) instructions = outcome.counters.warp_instructions;
    EXPECT_EQ(outcome.counters.warp_instructions, *instructions) << launch;
    for (uint32_t i = 0; i < threads; ++i) ASSERT_EQ(out[i], grown(i, 100 * launch)) << i;
  }
}

TEST(CompiledFlow, what_one_host_thread_entered_stands_for_those_beside_it) {
  if (compiled::when() != compiled::When::worth_it) GTEST_SKIP() << "nothing, or all at once";
  const Bench bench(std::string(thread_index) + "add.u32 %i, %i, 7; st.global.u32 [%p], %i; ret;");
  const auto program = decode(bench.module, "k", axes_between_warps(bench.block));
  const std::vector<uint64_t> entries(program->basic_blocks.size(), 100);
  const auto after = [&](uint64_t ran, unsigned host_threads) {
    return program->bound.to(*engine().count, *program, {ran, entries.data(), host_threads});
  };
  const auto alone = after(2000, 1);  // 100 entries are not worth it
  EXPECT_EQ(alone.look, 1000u);
  EXPECT_EQ(after(0, 16).look, 1000u / 16);
  EXPECT_EQ(after(0, 16).first, alone.first);
  EXPECT_NE(after(1000, 16).first, alone.first);  // 1600 are
}

}  // namespace
}  // namespace headroom::sim
