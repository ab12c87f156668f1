// The pipeline, on traces made by hand: who waits for whom.
#include <gtest/gtest.h>

#include "model/pipeline/evidence.h"
#include "model/pipeline/sm_cycles.h"
#include "played_kernel.h"

using namespace headroom;

TEST(Pipeline, a_dependent_chain_takes_its_latency) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  const double branches = 9 * (branch_latency - 4);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 10)), 4000 + branches, 5);
  // Four warps of four sub-partitions take no longer; eight of one sub-partition fill its cycles.
  EXPECT_NEAR(cycles_of(kernel.run(1, 4, 10)), 4000 + branches, 5);
  EXPECT_NEAR(cycles_of(kernel.run(1, 16, 10)), 4000, 80);
  EXPECT_NEAR(cycles_of(kernel.run(1, 32, 10)), 8000, 80);
  const SmRun run = kernel.run(1, 1, 10);
  EXPECT_NEAR(run.stalls[size_t(Stall::wait)] / double(run.issued), 3, 0.1);
}

// Every second time half of the lanes go apart, and meet the others again.
TEST(Pipeline, lanes_that_part_and_meet_take_their_time) {
  Played kernel;
  for (int i = 0; i < 10; ++i) kernel.fma(1, 2, 255, 4);
  const double together = cycles_of(kernel.run(1, 1, 100));
  kernel.parts_ = true;
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100)) - together, 50 * lanes_part + 49 * lanes_meet, 10);
}

TEST(Pipeline, who_waits_for_a_load_waits_for_its_place) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const double from_l2 = cycles_of(kernel.run(1, 1, 100)) / 100;
  EXPECT_NEAR(from_l2, 280, 20);
  kernel.supply_.in_l2 = 0;
  const SmRun cold = kernel.run(1, 1, 100);
  EXPECT_GT(cold.cycles / 100, 690);
  EXPECT_GT(cold.stalls[size_t(Stall::long_scoreboard)], 0.9 * cold.cycles);
}

// Two results that come together: who has waited for one of them has waited for both.
TEST(Pipeline, a_latency_halved_is_halved_for_all_who_wait) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("LDG", {reg(4, true)}, {.stall = 1, .write_barrier = 1}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  kernel.add(instruction("FADD", {reg(3, true), reg(4), reg(3)}, {.stall = 4, .wait_mask = 2}),
             Pipe::fma);
  for (const uint32_t load : {0u, 1u})
    kernel.access(load, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {4 * load});
  const double all = cycles_of(kernel.run(1, 1, 100));
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100, {.latency = 2})), all / 2, 0.05 * all);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100, {.latency = 8})), all / 8, 0.05 * all);
}

TEST(Pipeline, the_first_atomic_is_noted) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 4);
  kernel.add(instruction("RED", {}, {.stall = 1}), Pipe::lsu);
  kernel.access(
      100, {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 32, .same_address = 1}, {0});
  EXPECT_NEAR(kernel.run(1, 1, 1).first_atomic, 400, 20);
}

TEST(Pipeline, bank_conflicts_take_a_pass_each) {
  Played kernel;
  kernel.add(instruction("LDS", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.access(0, {.kind = AccessKind::shared_load,
                    .bytes = 4,
                    .lanes = 32,
                    .wavefronts = 32,
                    .conflicts = 31});
  EXPECT_NEAR(cycles_of(kernel.run(1, 8, 100)), 8 * 100 * 32, 100);
  EXPECT_LT(cycles_of(kernel.run(1, 8, 100, {.bank_conflicts = true})), 8 * 100 * 2.5);
}

// Measured on an H200: 13.4 + 2 W cycles for W warps.
TEST(Pipeline, a_barrier_waits_for_the_last_warp) {
  Played kernel;
  kernel.add(instruction("BAR", {}, {.stall = 1}), Pipe::adu);
  const double not_reached = cycles_of(kernel.run(1, 32, 100)) / 100;  // its guard is false
  kernel.access(0, {.kind = AccessKind::barrier});
  EXPECT_LT(not_reached, 20);
  EXPECT_NEAR(cycles_of(kernel.run(1, 1, 100)) / 100, 15, 3);
  EXPECT_NEAR(cycles_of(kernel.run(1, 32, 100)) / 100, 77, 6);
  EXPECT_LT(cycles_of(kernel.run(1, 32, 100, {.barriers = true})) / 100, 20);
}

// What results/h200/fences.json has of one warp, of near and far slices.
double cycles_of_fence(std::string_view scope, std::string_view before) {
  Played kernel;
  kernel.supply_.l2_latency = 280, kernel.supply_.l2_far = 172, kernel.supply_.in_l2 = 1;
  if (before == "LDG") {
    kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
    kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 1}, {7});
  } else if (before == "STG") {
    kernel.add(instruction("STG", {}, {.stall = 1}), Pipe::lsu);
    kernel.access(0, {.kind = AccessKind::global_store, .bytes = 4, .lanes = 1}, {7});
  } else if (before == "RED") {
    kernel.add(instruction("RED", {}, {.stall = 1}), Pipe::lsu);
    kernel.access(0, {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 1}, {7});
  }
  sass::Instruction fence = instruction("MEMBAR", {}, {.stall = 1});
  fence.control.wait_mask = 1;
  fence.modifiers = {".SC", scope};
  kernel.add(fence);
  const SmRun run = kernel.run(1, 1, 100);
  EXPECT_EQ(run.stalls[size_t(Stall::membar)] > 100 * 250, scope == ".GPU");
  return run.cycles / 100;
}

TEST(Pipeline, a_fence_goes_to_l2_and_back) {
  EXPECT_NEAR(cycles_of_fence(".GPU", ""), 275, 15);
  EXPECT_NEAR(cycles_of_fence(".GPU", "STG"), (398 + 605) / 2.0, 30);
  EXPECT_NEAR(cycles_of_fence(".GPU", "RED"), (400 + 647) / 2.0, 40);
  EXPECT_NEAR(cycles_of_fence(".GPU", "LDG") - cycles_of_fence(".CTA", "LDG"), (327 + 482) / 2.0,
              30);
  EXPECT_LT(cycles_of_fence(".CTA", "STG"), 40);
}

TEST(Pipeline, a_fence_leaves_nothing_in_l1) {
  const auto cycles = [](std::string_view what) {
    Played kernel;
    kernel.supply_.in_l2 = 1;
    kernel.supply_.l1_loads = true;
    sass::Instruction loads =
        instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0, .wait_mask = 1});
    sass::Instruction between = instruction("CCTL", {}, {.stall = 1, .wait_mask = 1});
    between.modifiers = {what};
    kernel.add(loads, Pipe::lsu);
    kernel.add(between);
    kernel.add(loads, Pipe::lsu);
    for (const uint32_t at : {0u, 2u})
      kernel.access(at, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {7});
    return kernel.run(1, 1, 100).cycles / 100;
  };
  EXPECT_GT(cycles(".IVALL"), cycles(".PF1") + 150);
}

// Two warps wait at barriers of two that others, whose trace has ended, do not reach any more.
TEST(Pipeline, a_barrier_that_nobody_opens_opens) {
  Played kernel;
  sass::Operand one, of_64;
  one.kind = of_64.kind = sass::OperandKind::immediate;
  one.value = 1;
  of_64.value = 64;
  kernel.add(instruction("BAR", {one, of_64}, {.stall = 1}), Pipe::adu);
  kernel.access(0, {.kind = AccessKind::barrier, .wavefronts = 1});
  kernel.add(instruction("BAR", {one, of_64}, {.stall = 1}), Pipe::adu);
  kernel.access(1, {.kind = AccessKind::barrier, .wavefronts = 2});
  EXPECT_LT(cycles_of(kernel.run(1, 3, 101)), 101 * 100);
}

TEST(Pipeline, blocks_follow_one_another) {
  Played kernel;
  kernel.fma(1, 2, 4, 4);
  const double one = cycles_of(kernel.run(1, 4, 1000));
  EXPECT_GT(cycles_of(kernel.run(4, 4, 1000, {}, 1)), 4 * one);
  EXPECT_LT(cycles_of(kernel.run(4, 4, 1000, {}, 4)), 1.5 * one);
}

// Three warps of a sub-partition that may issue every second cycle want three slots of two.
TEST(Pipeline, the_block_that_began_first_goes_first) {
  Played kernel;
  for (int i = 0; i < 100; ++i) kernel.fma(1, 2, 255, 2);
  const SmRun run = kernel.run(3, 4, 100);
  const double branches = 99 * (branch_latency - 2);
  EXPECT_NEAR(run.ends[0], 20000 + branches, 500);
  EXPECT_NEAR(run.ends[1], 20000 + branches, 1000);
  EXPECT_NEAR(run.ends[2], 40000, 1000);
  EXPECT_NEAR(cycles_of(kernel.run(1, 12, 100)), 30000, 300);
}

TEST(Pipeline, another_name_of_a_value_takes_no_time) {
  const auto chain = [](bool renames) {
    Played kernel;
    kernel.likely_ = true;
    for (int i = 0; i < 100; ++i) {
      kernel.add(instruction("FFMA", {reg(1, true), reg(renames ? 2 : 1), reg(90), reg(91)}, {}),
                 Pipe::fma);
      if (renames) kernel.rename(2, 1);
    }
    return kernel.run(1, 1, 10);
  };
  EXPECT_NEAR(chain(true).cycles, chain(false).cycles, 1);
  EXPECT_EQ(chain(true).issued, chain(false).issued);
}

// What a copy brings is there when it and its copy's way have been gone; the copies of a round wait for one another.
TEST(Pipeline, who_waits_for_a_phase_waits_for_its_copies) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("UBLKCP", {}, {.stall = 2}));
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);
  std::vector<uint64_t> sectors(128);  // 4 KiB
  for (size_t i = 0; i < sectors.size(); ++i) sectors[i] = i;
  kernel.access(0, {.kind = AccessKind::bulk}, sectors);
  kernel.access(0, {.kind = AccessKind::arrival});
  kernel.access(1, {.kind = AccessKind::phase});
  const SmRun run = kernel.run(1, 1, 10);
  const double bytes = 4096 / kernel.supply_.l2_bytes;
  EXPECT_GT(cycles_of(run), 10 * (kernel.supply_.l2_latency + bytes));
  EXPECT_LT(cycles_of(run), 10 * (kernel.supply_.l2_latency + bytes + 250));
  EXPECT_GT(run.stalls[size_t(Stall::long_scoreboard)], 0.9 * cycles_of(run));
}

TEST(Pipeline, the_last_arrival_ends_a_phase) {
  Played kernel;
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);  // arrives
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);  // waits
  kernel.access(0, {.kind = AccessKind::arrival});
  kernel.access(1, {.kind = AccessKind::phase});
  const double one = cycles_of(kernel.run(1, 1, 100)), many = cycles_of(kernel.run(1, 16, 100));
  EXPECT_NEAR(one, 100 * 24, 50);
  EXPECT_GT(many, one);  // 16 warps take turns at arriving
  EXPECT_LT(many, 3 * one);
}

TEST(Pipeline, a_phase_that_nobody_ends_ends) {
  Played kernel;
  kernel.add(instruction("SYNCS", {}, {.stall = 2}), Pipe::lsu);
  kernel.access(0, {.kind = AccessKind::phase});
  EXPECT_LT(cycles_of(kernel.run(1, 4, 10)), 2000);
}

// Products of a warpgroup are under way while its warps go on; m64n256k16 takes 128 cycles of four tensor cores.
TEST(Pipeline, products_of_a_warpgroup_are_waited_for_by_groups) {
  const auto products = [](bool waits) {
    Played kernel;
    sass::Instruction multiply = instruction("HGMMA", {}, {.stall = 1});
    multiply.modifiers = {".64x256x16", ".F32"};
    sass::Operand commits;
    commits.kind = sass::OperandKind::word;
    commits.text = "gsb";
    multiply.operands = {commits};
    kernel.add(multiply, Pipe::tensor);
    sass::Instruction wait = instruction("WARPGROUP", {}, {.stall = 1});
    wait.modifiers = {".DEPBAR", ".LE"};
    if (waits) kernel.add(wait);
    return kernel.run(1, 4, 20);
  };
  EXPECT_NEAR(cycles_of(products(true)), 20 * (128 + branch_latency), 20);  // and the loop's branch
  EXPECT_GT(products(true).stalls[size_t(Stall::gmma)], 4 * 20 * 100);
  EXPECT_EQ(products(false).stalls[size_t(Stall::gmma)], 0);
}

// The blocks of an SM come to the barrier of a cooperative grid together.
TEST(Pipeline, a_grid_waits_for_the_last_block) {
  Played kernel;
  kernel.meets_grid_ = true;
  for (int i = 0; i < 10; ++i) kernel.fma(1, 2, 255, 4);
  kernel.add(instruction("BRA", {}, {.stall = 5}));
  kernel.access(10, {.kind = AccessKind::grid});
  const SmRun run = kernel.run(4, 1, 10);
  EXPECT_GT(cycles_of(run), 10 * kernel.supply_.l2_latency);
  EXPECT_GT(run.stalls[size_t(Stall::long_scoreboard)], 4 * 9 * kernel.supply_.l2_latency);
}

// A warp that waits for memory to begin with, and no more when its trace has ended.
TEST(Pipeline, the_rest_of_a_warp_goes_on_as_the_later_part_of_its_trace) {
  Played kernel;
  kernel.only_first_ = true;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  for (int i = 0; i < 98; ++i) kernel.fma(3, 4, 255, 1);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const SmRun traced = kernel.run(1, 8, 10);
  const double all = cycles_of(kernel.run(1, 8, 100)), part = cycles_of(traced);
  EXPECT_NEAR(part * (1 + 9 * pace_of_rest(traced, 1)) / all, 1, 0.03);
  EXPECT_GT(10 * part / all, 1.2);
}

// Two warps; the first lane of the first one works for the block, half of the second one's lanes go apart.
TEST(Evidence, what_a_thread_does_for_its_block_is_no_divergence) {
  Trace trace;
  trace.code.resize(3);
  trace.basic_blocks = {{0, 0}, {1, 1}, {2, 2}};
  TracedWarp first, second;
  first.entered = {{0, 32}, {1, 1}, {0, 32}};
  second.entered = {{0, 32}, {2, 16}, {0, 32}};
  trace.blocks.push_back({0, {first, second}, {}, {}});
  const Evidence evidence(trace);
  EXPECT_EQ(evidence.of_one_thread, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(evidence.lost_lanes.total, 0.5);
  EXPECT_EQ(evidence.diverging.total, 1);
  trace.blocks[0].warps[1].entered[1] = {1, 1};  // a lane of each warp
  EXPECT_FALSE(Evidence(trace).of_one_thread[1]);
}

TEST(Pipeline, the_use_of_a_value_that_is_left_out_still_waits_for_it) {
  Played kernel;
  kernel.supply_.in_l2 = 1;
  kernel.add(instruction("LDG", {reg(2, true)}, {.stall = 1, .write_barrier = 0}), Pipe::lsu);
  kernel.add(instruction("FADD", {reg(3, true), reg(2), reg(3)}, {.stall = 4, .wait_mask = 1}),
             Pipe::fma);
  for (int i = 0; i < 200; ++i) kernel.fma(3, 4, 255, 4);
  kernel.access(0, {.kind = AccessKind::global_load, .bytes = 4, .lanes = 32}, {0, 1, 2, 3});
  const double all = cycles_of(kernel.run(1, 1, 10)),
               memory = cycles_of(kernel.run(1, 1, 10, {.arithmetic = true})),
               arithmetic = cycles_of(kernel.run(1, 1, 10, {.memory = true}));
  EXPECT_NEAR(memory, 9 * 285, 9 * 15);  // the last one is used by nobody
  EXPECT_NEAR(arithmetic, 10 * 804, 100);
  EXPECT_NEAR(all, memory + arithmetic, 300);
}
