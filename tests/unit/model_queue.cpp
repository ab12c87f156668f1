// Launches whose warps draw their work: the first block's trace, cut to the mean of the launch.
#include <gtest/gtest.h>

#include "model/pipeline/decides.h"
#include "model/pipeline/queue.h"
#include "played_kernel.h"

namespace headroom {
namespace {

// PT, which ptxas writes where an instruction could read or write another predicate.
sass::Operand always(bool written = false) {
  sass::Operand made = reg(sass::true_predicate, written);
  made.kind = sass::OperandKind::predicate;
  return made;
}
sass::Instruction branch() {
  sass::Instruction made = instruction("BRA", {}, {});
  made.guarded = true;
  made.guard = reg(0);
  made.guard.kind = sass::OperandKind::predicate;
  return made;
}
sass::Instruction test(uint16_t of) {
  sass::Instruction made =
      instruction("ISETP", {reg(0, true), always(true), reg(of), reg(9), always()}, {});
  made.operands[0].kind = sass::OperandKind::predicate;
  return made;
}
const sass::Instruction draws = instruction("ATOMG", {always(true), reg(1, true)}, {}),
                        adds = instruction("RED", {}, {}), other = instruction("MOV", {}, {}),
                        copies = instruction("MOV", {reg(2, true), reg(1)}, {}),
                        begins_anew = instruction("MOV", {reg(2, true), reg(7)}, {}),
                        stores = instruction("STS", {reg(8), reg(1)}, {}),
                        loads = instruction("LDS", {reg(2, true), reg(8)}, {}), tests = test(2),
                        goes_on = branch();

// A round draws a number and does four more instructions, of which the last goes on by that number; the first block took `rounds` of them, the traced one `others`.
struct Drawn {
  int rounds = 100, others = 0;
  bool elsewhere = false;  // each round at a place of its own
  bool counts = false;     // goes on by something else
  bool shared = false;     // tells the block by shared memory
};
Trace trace_of(const sass::Instruction& atomic, Drawn drawn) {
  Trace trace;
  trace.code = {{&atomic}, {drawn.counts ? &begins_anew : &copies}, {&other}, {&tests}, {&goes_on}};
  if (drawn.shared) trace.code[1] = {&stores}, trace.code[2] = {&loads};
  trace.basic_blocks = {{0, 4}};
  TracedBlock first{0, {TracedWarp{}}, {}, {}};
  TracedWarp& warp = first.warps[0];
  for (int i = 0; i < drawn.rounds; ++i) {
    warp.entered.push_back({0, 32});
    warp.accesses.push_back({.entry = uint32_t(i),
                             .instruction = 0,
                             .kind = AccessKind::global_atomic,
                             .first_sector = uint32_t(i),
                             .sectors = 1});
    first.sectors.push_back(drawn.elsewhere ? 100 + uint64_t(i) : 100);
  }
  warp.traced = warp.executed = uint64_t(5 * drawn.rounds);
  trace.longest_warp = warp.executed;
  trace.others = {first};
  trace.blocks.push_back({66, {TracedWarp{}}, {}, {}});
  trace.blocks[0].warps[0].executed = uint64_t(5 * drawn.others);
  return trace;
}
void expect_share(const std::optional<Trace>& shared, bool found = false) {
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->drawn, !found);
  EXPECT_EQ(shared->found, found);
  ASSERT_EQ(shared->blocks.size(), 1u);
  const TracedWarp& warp = shared->blocks[0].warps[0];
  EXPECT_EQ(warp.entered.size(), 10u);
  EXPECT_EQ(warp.accesses.size(), 10u);
  EXPECT_EQ(warp.executed, 50u);
  EXPECT_EQ(warp.traced, 50u);
  EXPECT_EQ(shared->longest_warp, 0u);
}

TEST(Queue, what_the_first_block_drew_is_shared_out) {
  expect_share(shared_out(trace_of(draws, {}), 50));
  expect_share(shared_out(trace_of(draws, {.shared = true}), 50));
  // … where it is one of the sample, too.
  Trace of_sample = trace_of(draws, {});
  of_sample.blocks.insert(of_sample.blocks.begin(), of_sample.others.front());
  of_sample.others.clear();
  expect_share(shared_out(of_sample, 50));
}

// Where all that are resident got on together they shared the work as on a GPU.
TEST(Queue, what_blocks_drew_beside_each_other_is_theirs) {
  Trace trace = trace_of(draws, {});
  trace.together = true;
  EXPECT_FALSE(shared_out(trace, 50));
}

// As where it waits for copies, so that others have a turn.
TEST(Queue, what_a_traced_block_drew_too_is_shared_out) {
  Trace trace = trace_of(draws, {.others = 20});
  trace.work = {{0, 1, 500, 500}, {1, 66, 100, 100}, {67, 65, 5, 5}};
  expect_share(shared_out(trace, 50));
  trace.work.back().instructions = 50;  // who comes last has work left
  EXPECT_FALSE(shared_out(trace, 50));
}

// bool more = true; … if (drawn >= n) goto end; …; more = false; end: while (more): what is set on one of two ways decides
// as the number that chooses the way does, and what is neither does not.
bool decides(uint16_t set_on_the_way) {
  const auto predicate = [](uint16_t index, bool written = false) {
    sass::Operand made = reg(index, written);
    made.kind = sass::OperandKind::predicate;
    return made;
  };
  sass::Instruction over = branch(), again = branch();
  over.guard = predicate(1);
  sass::Operand label;
  label.kind = sass::OperandKind::label;
  label.value = 6 * sass::instruction_bytes;
  over.operands = {label};
  auto function = std::make_shared<sass::Function>();
  function->instructions = {
      draws,
      instruction("ISETP", {predicate(1, true), always(true), reg(1), reg(9), always()}, {}),
      instruction("PLOP3", {predicate(0, true), always(), always()}, {}),
      over,
      other,
      instruction("PLOP3", {predicate(set_on_the_way, true), always(), always()}, {}),
      again};
  Trace trace;
  trace.sections = {function};
  for (const sass::Instruction& each : function->instructions) trace.code.push_back({&each});
  trace.basic_blocks = {{0, 3}, {4, 5}, {6, 6}};
  TracedWarp warp;
  for (int round = 0; round < 3; ++round)
    for (const uint32_t block : {0u, 1u, 2u}) warp.entered.push_back({block, 32});
  warp.traced = warp.executed = 21;
  trace.blocks.push_back({0, {warp}, {}, {}});
  return LoopDecisions(trace).decides(0);
}

TEST(Queue, a_number_decides_by_what_is_done_on_its_ways) {
  EXPECT_TRUE(decides(0));
  EXPECT_FALSE(decides(3));
}

// The traces of both warps end in the first round, of 50: for (;;) { drawn = …; if (drawn >= n) return; … }
TEST(Queue, a_loop_that_no_trace_comes_round_is_one_by_its_code) {
  sass::Instruction leaves = branch(), back = branch();
  leaves.opcode = "EXIT";
  back.guarded = false;
  sass::Operand label;
  label.kind = sass::OperandKind::label;
  label.value = 0;
  back.operands = {label};
  sass::Instruction ends = branch();
  ends.opcode = "EXIT";
  ends.guarded = false;
  const auto two_warps = [&](bool in_loop, uint64_t others_place, bool behind_the_end = false) {
    auto function = std::make_shared<sass::Function>();
    function->instructions = {draws, copies, tests, leaves, in_loop ? back : other};
    if (behind_the_end) function->instructions.insert(function->instructions.end() - 1, ends);
    Trace trace;
    trace.sections = {function};
    for (const sass::Instruction& each : function->instructions) trace.code.push_back({&each});
    trace.basic_blocks = {{0, 4}};
    TracedBlock first{0, {}, {100, others_place}, {}};
    for (uint32_t i = 0; i < 2; ++i) {
      TracedWarp& warp = first.warps.emplace_back();
      warp.entered = {{0, 32}};
      warp.accesses = {
          {.kind = AccessKind::global_atomic, .lanes = 1, .first_sector = i, .sectors = 1}};
      warp.traced = 5;
      warp.executed = 250;
    }
    trace.others = {first};
    trace.blocks.push_back({66, {TracedWarp{}, TracedWarp{}}, {}, {}});
    return shared_out(trace, 50);
  };
  const auto shared = two_warps(true, 100);
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->drawn);
  EXPECT_EQ(shared->blocks[0].warps[0].executed, 50u);
  EXPECT_FALSE(two_warps(false, 100));       // one ticket each
  EXPECT_FALSE(two_warps(true, 101));        // not one counter
  EXPECT_FALSE(two_warps(true, 100, true));  // code that is out of line, behind the kernel's end
}

// while (list[next]) …: the first block goes along all of it, and those that come later find it shortened.
TEST(Queue, what_others_would_have_done_meanwhile_is_shared_out) {
  static const sass::Instruction follows = instruction("LDG", {reg(1, true)}, {});
  const auto along = [](bool counts, uint64_t stored) {
    Trace trace = trace_of(follows, {.counts = counts});
    for (TracedAccess& access : trace.others[0].warps[0].accesses)
      access.kind = AccessKind::global_load;
    TracedBlock& other = trace.blocks[0];
    other.linear = 1;
    other.warps[0].accesses = {{.kind = AccessKind::global_store, .sectors = 1}};
    other.sectors = {stored};
    return shared_out(trace, 50);
  };
  const auto shared = along(false, 100);
  expect_share(shared, true);
  EXPECT_FALSE(along(true, 100));   // goes on by something else
  EXPECT_FALSE(along(false, 200));  // nobody stores there
}

TEST(Queue, none_is_where_work_is_unequal_otherwise) {
  EXPECT_FALSE(shared_out(trace_of(adds, {}), 50));                    // nobody asks for the sum
  EXPECT_FALSE(shared_out(trace_of(draws, {}), 300));                  // others do as much
  EXPECT_FALSE(shared_out(trace_of(draws, {.rounds = 1}), 1));         // a ticket, drawn once
  EXPECT_FALSE(shared_out(trace_of(draws, {.others = 10}), 50));       // the first one is longer
  EXPECT_FALSE(shared_out(trace_of(draws, {.elsewhere = true}), 50));  // a table of counts
  EXPECT_FALSE(shared_out(trace_of(draws, {.counts = true}), 50));  // a place in a list of results
  Trace climbs = trace_of(draws, {.elsewhere = true});  // a tree, of which two nodes share a sector
  climbs.others[0].sectors[1] = climbs.others[0].sectors[0];
  EXPECT_FALSE(shared_out(climbs, 50));
  sass::Instruction swaps = draws;
  swaps.modifiers = {".E", ".CAS"};
  EXPECT_FALSE(shared_out(trace_of(swaps, {}), 50));
  Trace alone = trace_of(draws, {});
  alone.others.clear();
  EXPECT_FALSE(shared_out(alone, 50));
}

}  // namespace
}  // namespace headroom
