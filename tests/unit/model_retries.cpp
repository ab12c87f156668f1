// Compare-and-swap in a loop: who tries again, and how long the busiest place takes.
#include <gtest/gtest.h>

#include "model/pipeline/retries.h"
#include "played_kernel.h"

namespace headroom {
namespace {

sass::Operand predicate(uint16_t index, bool written = false) {
  sass::Operand made = reg(index, written);
  made.kind = sass::OperandKind::predicate;
  return made;
}
sass::Operand constant() {
  sass::Operand made = reg(0);
  made.kind = sass::OperandKind::constant;
  return made;
}
sass::Instruction with(sass::Instruction made, std::vector<std::string_view> modifiers) {
  made.modifiers = std::move(modifiers);
  return made;
}
sass::Instruction back() {
  sass::Instruction made = instruction("BRA", {}, {});
  made.guarded = true;
  made.guard = predicate(0);
  sass::Operand label;
  label.kind = sass::OperandKind::label;
  label.value = 0x10;  // the second instruction
  made.operands = {label};
  return made;
}

// LDG R4;  .L: FSETP P1, R5, R4 (or a constant, or FADD);  ATOMG.CAS R6, R4, R5;  ISETP P0, R6, R4;  MOV R4, R6;  @P0 BRA .L
const sass::Instruction
    load = instruction("LDG", {reg(4, true)}, {}),
    adds = instruction("FADD", {reg(5, true), reg(7), reg(4)}, {}),
    compares =
        with(instruction("FSETP", {predicate(1, true), reg(5), reg(4)}, {}), {".GT", ".AND"}),
    limits =
        with(instruction("FSETP", {predicate(1, true), constant(), reg(4)}, {}), {".GT", ".AND"}),
    swap = with(instruction("ATOMG", {reg(6, true), reg(4), reg(5)}, {}), {".E", ".CAS"}),
    tests = with(instruction("ISETP", {predicate(0, true), reg(6), reg(4)}, {}), {".NE", ".AND"}),
    moves = instruction(
        "IMAD", {reg(4, true), reg(sass::zero_register), reg(sass::zero_register), reg(6)}, {}),
    again = back(), nothing = instruction("NOP", {}, {});

struct Tried {
  int warps = 8, holds = 32;  // traced; swaps of a warp that hold
  bool best = false, loops = true, apart = false, limited = false;
};

// Each warp loads the place, and all of its lanes hold one after the other.
Trace trace_of(const Tried& tried) {
  Trace trace;
  const auto code = std::make_shared<sass::Function>();
  const sass::Instruction& first = tried.limited ? limits : tried.best ? compares : adds;
  code->instructions = {load, first, swap, tests, moves, tried.loops ? again : nothing};
  for (const sass::Instruction& each : code->instructions)
    trace.code.push_back({&each, uint16_t(1u << int(Pipe::lsu))});
  trace.sections = {code};
  trace.basic_blocks = {{0, 0}, {1, 5}};
  TracedBlock block;
  for (int w = 0; w < tried.warps; ++w) {
    TracedWarp warp;
    warp.entered.push_back({0, 31});
    const auto first = uint32_t(block.sectors.size());
    block.sectors.push_back(tried.apart ? uint64_t(100 + w) : 100);
    warp.accesses.push_back({.instruction = 0,
                             .kind = AccessKind::global_load,
                             .bytes = 4,
                             .lanes = 32,
                             .first_sector = first,
                             .sectors = 1});
    for (int i = 0; i < tried.holds; ++i) {
      warp.entered.push_back({1, 31});
      warp.accesses.push_back({.entry = uint32_t(i + 1),
                               .instruction = 2,
                               .kind = AccessKind::global_atomic,
                               .bytes = 4,
                               .lanes = uint8_t(32 - i),
                               .same_address = uint8_t(32 - i),
                               .first_sector = first,
                               .sectors = 1});
    }
    warp.traced = warp.executed = 1 + 5 * uint64_t(tried.holds);
    block.warps.push_back(warp);
  }
  trace.blocks = {block};
  return trace;
}

// Of a launch of so many warps, all resident.
Retries retries(const Tried& tried, double warps) {
  return retries_of(trace_of(tried),
                    {.requests = warps * tried.holds, .warps = warps, .trip = 450});
}

// As an H200 was measured: 528 blocks of 32 threads took 34.7 ms, 132 took 3349 us, of which events are 5 (results/h200/retries.json).
TEST(Retries, as_many_take_as_measured) {
  EXPECT_NEAR(retries({}, 528).cycles / 1.98e3, 34'705, 0.1 * 34'705);
  EXPECT_NEAR(retries({}, 132).cycles / 1.98e3, 3344, 0.1 * 3344);
  EXPECT_NEAR(retries({}, 2112).cycles / 1.98e3, 389'000, 0.1 * 389'000);
  EXPECT_EQ(retries({}, 528).lanes, 528 * 32);
  EXPECT_EQ(retries({}, 528).swap, 2u);
}

// As long as one way to L2 after the other takes longer.
TEST(Retries, few_wait_for_each_other_alone) {
  const Retries few = retries({.warps = 1, .holds = 1}, 4);
  EXPECT_EQ(few.cycles, 4 * 450);
  EXPECT_EQ(few.alone, few.cycles);
}

TEST(Retries, places_of_their_own_are_no_contention) {
  EXPECT_EQ(retries({.warps = 8, .holds = 1, .apart = true}, 8).cycles, 450);
}

TEST(Retries, where_few_blocks_come_others_go_elsewhere) {
  Trace trace = trace_of({});
  const auto with_others = [&](int count) {
    trace.others.clear();
    for (int i = 1; i <= count; ++i) {
      TracedBlock other = trace_of({.apart = true}).blocks[0];
      other.linear = uint64_t(i);
      for (uint64_t& sector : other.sectors) sector += 100 * uint64_t(i);
      trace.others.push_back(other);
    }
    return retries_of(trace, {.requests = 528 * 32, .warps = 528, .trip = 450}).lanes;
  };
  EXPECT_GT(with_others(1), 1000);
  EXPECT_LT(with_others(15), 32);
}

TEST(Retries, once_is_not_tried_again) { EXPECT_EQ(retries({.loops = false}, 528).cycles, 0); }

// As `while (old < limit)` does: it is no better value that ends it.
TEST(Retries, a_limit_is_no_better_value) {
  EXPECT_FALSE(retries({.limited = true}, 528).is_best);
  EXPECT_EQ(retries({.limited = true}, 528).cycles, retries({}, 528).cycles);
}

// 262 144 threads took 244 us where one of the first had the best, 1739 where each was better than the one before
// (results/h200/model_unseen.json, atomicCAS).
TEST(Retries, who_finds_a_better_one_leaves) {
  const Retries few = retries({.holds = 0, .best = true}, 8192);
  EXPECT_EQ(few.cycles, 0);  // nobody swaps
  Trace one = trace_of({.holds = 0, .best = true});
  TracedWarp& first = one.blocks[0].warps[0];
  first = trace_of({.holds = 1, .best = true}).blocks[0].warps[0];
  const Retries best = retries_of(one, {.requests = 1, .warps = 8192, .trip = 450});
  EXPECT_TRUE(best.is_best);
  EXPECT_NEAR(best.cycles / 1.98e3, 244, 0.25 * 244);
  EXPECT_NEAR(retries({.best = true}, 8192).cycles / 1.98e3, 1739, 0.25 * 1739);
}

}  // namespace
}  // namespace headroom
