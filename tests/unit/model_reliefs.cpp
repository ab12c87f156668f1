// Questions to the pipeline, on traces made by hand: what is gained without an obstacle.
#include <gtest/gtest.h>

#include "model/pipeline/evidence.h"
#include "played_kernel.h"

namespace headroom {
namespace {

// 32 warps execute an instruction with all lanes, then a hundred with half of them.
TEST(Reliefs, half_of_the_warps_do_what_half_of_their_lanes_did) {
  const sass::Instruction fma =
      instruction("FFMA", {reg(20, true), reg(1), reg(2), reg(255)}, {.stall = 4});
  Trace trace;
  for (int i = 0; i < 101; ++i) trace.code.push_back({&fma, uint16_t(1u << int(Pipe::fma))});
  trace.basic_blocks = {{0, 0}, {1, 100}};
  TracedWarp warp;
  warp.entered = {{0, 32}, {1, 16}};
  trace.blocks.push_back({0, std::vector<TracedWarp>(32, warp), {}, {}});
  const Machine machine = load_machine("h200");
  const std::vector<InstructionTiming> code = timings(trace, machine);
  SmTask task{trace, code, machine, Supply{}, 1};
  const double all = play(task).cycles;
  task.relief.divergence = true;
  EXPECT_NEAR(play(task).cycles / all, 0.5, 0.1);
  task.kept = {false, true};
  EXPECT_NEAR(play(task).cycles / all, 1, 0.01);
}

// The same hundred lines again and again, past L1, of which L2 keeps a half.
TEST(Reliefs, what_is_loaded_again_comes_from_l2) {
  Played kernel;
  kernel.supply_.l1_loads = false;
  kernel.supply_.l2_keeps = 0.5;
  for (uint32_t i = 0; i < 2000; ++i) {
    const uint64_t line = 4 * (i % 100);
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.access(i, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32},
                  {line, line + 1, line + 2, line + 3});
  }
  const SmRun all = kernel.run(1, 1, 1), without = kernel.run(1, 1, 1, {.l2_misses = true});
  // All that is new, and of 19 rounds a half.
  EXPECT_NEAR(all.memory.dram_cycles / without.memory.dram_cycles, 1 + 19 * 0.5, 1);
}

TEST(Reliefs, half_of_the_loads_are_left_out) {
  Played kernel;
  for (uint32_t i = 0; i < 1000; ++i) {
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.access(i, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  }
  const double all = kernel.run(1, 1, 1).cycles;
  EXPECT_NEAR(kernel.run(1, 1, 1, {.half_global_loads = true}).cycles / all, 0.5, 0.1);
}

// A byte a lane becomes a word a lane: of a sector four, which are a line.
TEST(Reliefs, wider_accesses_take_four_times_the_bytes) {
  Played kernel;
  for (uint32_t i = 0; i < 100; ++i) {
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.access(i, {.kind = AccessKind::global_load, .bytes = 1, .lanes = 32}, {i});
  }
  const SmRun all = kernel.run(1, 1, 1), wide = kernel.run(1, 1, 1, {.wide_accesses = true});
  EXPECT_EQ(wide.memory.dram_sectors, 4 * all.memory.dram_sectors);
  EXPECT_LT(wide.cycles, 1.5 * all.cycles);
}

TEST(Reliefs, wider_accesses_stay_in_the_device) {
  const DeviceSectors device{.begin = 1000, .end = 1400};
  const uint64_t turn = 3ull << bits_of_sectors;
  EXPECT_EQ(device.four_times(1000 + turn), 1000 + turn);
  EXPECT_EQ(device.four_times(1007), 1028u);
  EXPECT_EQ(device.four_times(1199), 1000u + 99 * 4);  // from its beginning again
  EXPECT_FALSE(device.leaves_to_host(device.four_times(1399) + 3));
}

TEST(Reliefs, obstacles_are_taken_away_together) {
  const Relief conflicts{.bank_conflicts = true}, barriers{.barriers = true, .latency = 2};
  const Relief together = conflicts.with(barriers);
  EXPECT_TRUE(together.bank_conflicts && together.barriers);
  EXPECT_FALSE(together.divergence);
  EXPECT_EQ(together.latency, 2);
  EXPECT_EQ(barriers.with(conflicts).latency, 2);
}

// A warp goes round a loop four times, with fewer lanes each time.
TEST(Evidence, lanes_that_went_round_less_often_are_counted_by_the_loop) {
  const sass::Instruction fma = instruction("FFMA", {reg(20, true), reg(1), reg(2)}, {}),
                          back = instruction("BRA", {}, {});
  Trace trace;
  trace.code = {{&fma}, {&fma}, {&back}};
  trace.basic_blocks = {{0, 0}, {1, 2}};
  TracedWarp warp;
  warp.entered = {{0, 32}, {1, 32}, {1, 24}, {1, 16}, {1, 8}};
  trace.blocks.push_back({0, {warp}, {}, {}});
  const Evidence evidence(trace);
  EXPECT_DOUBLE_EQ(evidence.fewer_rounds.total, 2 * (8 + 16 + 24) / 32.0);
  EXPECT_EQ(evidence.fewer_rounds.worst(), 2u);
}

}  // namespace
}  // namespace headroom
