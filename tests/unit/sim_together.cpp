// Blocks that wait for one another get on together, as on a GPU, and wait for as long as others work.
#include <algorithm>

#include "sim/program.h"
#include "sim/turn_length.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Block n waits for block n - 1, does `work` and goes round a loop 100 times, and lets block n + 1 go on.
std::string chain(const std::string& work) {
  return R"(
    .reg .b32 %b, %n, %t; .reg .b64 %q, %o; .reg .pred %r;
    ld.param.u64 %q, [out]; mov.u32 %b, %ctaid.x; mul.wide.u32 %o, %b, 4; add.u64 %q, %q, %o;
  SPIN: ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra SPIN;
    mov.u32 %n, 0;
  WORK: add.u32 %n, %n, 1;)" +
         work + R"(setp.lt.u32 %r, %n, 100; @%r bra WORK;
    st.volatile.global.u32 [%q+4], 1; ret;)";
}

// How often the last of 8 blocks goes round its loop, a link of the chain.
double rounds_of_a_link(const std::string& work) {
  constexpr double instructions = 3;  // of a round
  Bench bench(chain(work));
  auto* flags = bench.allocate<uint32_t>(9);
  bench.pass(flags);
  bench.grid = {8, 1, 1};
  flags[0] = 1;
  Options options;
  options.trace = {.first = 0, .step = 1, .count = 1, .instructions = 100};
  const Outcome outcome = bench.run(options);
  EXPECT_TRUE(outcome.completed);
  EXPECT_TRUE(outcome.trace->spins);
  EXPECT_TRUE(outcome.trace->together);
  const auto& blocks = outcome.trace->work;
  EXPECT_EQ(blocks.size(), 8u);
  return double(blocks.back().instructions - blocks.front().instructions) / instructions / 7;
}

TEST(Together, a_block_waits_for_as_long_as_those_before_it_work) {
  // A round of waiting takes as long as 16 basic blocks, or an access to global memory.
  EXPECT_NEAR(rounds_of_a_link(""), 100.0 / 16, 2);
  EXPECT_NEAR(rounds_of_a_link("ld.global.u32 %t, [%q];"), 100, 10);
  EXPECT_NEAR(rounds_of_a_link("membar.gl;"), 100, 10);  // or a fence
}

// A lane behind the loop has to be let go before the others get on: some hundred rounds.
TEST(Together, lanes_that_wait_with_a_fence_are_let_go_soon) {
  for (const std::string fence : {"", "membar.gl;", "nanosleep.u32 20;"}) {
    Bench bench(
        ".reg .b32 %t, %i; .reg .b64 %q; .reg .pred %r; ld.param.u64 %q, [out];"
        "mov.u32 %i, %tid.x; setp.eq.u32 %r, %i, 0; @%r bra SET;"
        "SPIN:" +
        fence +
        "ld.volatile.global.u32 %t, [%q]; setp.eq.u32 %r, %t, 0; @%r bra SPIN;"
        "SET: st.volatile.global.u32 [%q], 1; ret;");
    bench.pass(bench.allocate<uint32_t>(1));
    const Outcome outcome = bench.run();
    EXPECT_TRUE(outcome.completed);
    EXPECT_LT(outcome.counters.warp_instructions, 5000u) << fence;
  }
}

bool waits(const std::string& loop) {
  Bench bench(
      ".reg .b32 %t, %v, %n; .reg .b64 %q; .reg .pred %r; ld.param.u64 %q, [out];"
      "ld.global.u32 %v, [%q];" +
      loop + "ret;");
  return decode(bench.module, "k")->facts.waits;
}

TEST(Together, a_swap_that_is_tried_again_waits_for_nobody) {
  EXPECT_TRUE(
      waits("AGAIN: atom.global.cas.b32 %t, [%q], 0, 1; setp.ne.u32 %r, %t, 0; @%r bra "
            "AGAIN;"));  // a lock
  EXPECT_FALSE(
      waits("AGAIN: mov.u32 %t, %v; add.u32 %n, %t, 1; atom.global.cas.b32 %v, [%q], %t, "
            "%n; setp.ne.u32 %r, %t, %v; @%r bra AGAIN;"));
  EXPECT_FALSE(
      waits("AGAIN: ld.volatile.global.u32 %t, [%q]; add.u32 %n, %t, 1;"
            "atom.global.cas.b32 %v, [%q], %t, %n; setp.ne.u32 %r, %t, %v; @%r bra AGAIN;"));
  // Nor for who took the places before an empty one.
  EXPECT_FALSE(
      waits("AGAIN: add.u64 %q, %q, 4; atom.global.cas.b32 %t, [%q], 0, 1;"
            "setp.ne.u32 %r, %t, 0; @%r bra AGAIN;"));
}

struct Read {
  bool spins, waits_for_blocks;
};
Read read_in_function(const std::string& read, const std::string& fence = "") {
  const std::string function =
      ".func (.param .b32 got) read(.param .b64 where) { .reg .b32 %t; "
      ".reg .b64 %q; ld.param.u64 %q, [where];" +
      read + " %t, [%q]; st.param.b32 [got], %t; ret; }";
  Bench bench(
      ".reg .b32 %t; .reg .b64 %q; .reg .pred %r; ld.param.u64 %q, [out]; LOOP:" + fence +
          "{ .param .b64 where; .param .b32 got; st.param.b64 [where], %q; call.uni (got), read, "
          "(where); ld.param.b32 %t, [got]; } setp.eq.u32 %r, %t, 0; @%r bra LOOP; ret;",
      ".param .u64 out", function);
  const auto program = decode(bench.module, "k");
  return {std::ranges::any_of(program->basic_blocks, &BasicBlock::spins), program->facts.waits};
}

TEST(Together, a_plain_load_in_a_function_is_surely_waited_for_if_there_is_a_fence) {
  const Read plain = read_in_function("ld.global.u32");
  EXPECT_TRUE(plain.spins);  // so that it gives way
  EXPECT_FALSE(plain.waits_for_blocks);
  EXPECT_TRUE(read_in_function("ld.volatile.global.u32").waits_for_blocks);
  EXPECT_TRUE(read_in_function("ld.global.u32", "membar.gl;").waits_for_blocks);
  EXPECT_TRUE(read_in_function("membar.gl; ld.global.u32").waits_for_blocks);
}

TEST(Together, turns_grow_with_the_way_of_warps) {
  TurnLengths turns(true);
  turns.begin(4);
  EXPECT_EQ(turns.now().basic_blocks, cost_of_far);
  turns.had_turn(4, 100);
  EXPECT_EQ(turns.now().basic_blocks, cost_of_far);
  turns.had_turn(4, 4 * 64000);
  EXPECT_EQ(turns.now().basic_blocks, 1000u);
  EXPECT_EQ(TurnLengths(false).now().basic_blocks, slice_basic_blocks);
}

TEST(Together, a_queue_of_those_that_wait_ends_it) {
  TurnLengths turns(true);
  turns.begin(1024);
  for (int n = 0; n < 5 * 1024 + 64; ++n) turns.had_turn(1024, 100);
  EXPECT_TRUE(turns.now().together);
  turns.had_turn(1024, 100);
  EXPECT_FALSE(turns.now().together);
  EXPECT_EQ(turns.now().basic_blocks, slice_basic_blocks);
  EXPECT_EQ(turns.now().rounds, 1u);  // those that have begun look once
}

}  // namespace
}  // namespace headroom::sim
