// Constants that all lanes have: which lines a sub-partition's cache keeps, and what warps wait for.
#include <gtest/gtest.h>

#include "model/pipeline/immediate_constants.h"
#include "played_kernel.h"

namespace headroom {
namespace {

sass::Operand constant(uint16_t bank, int64_t offset) {
  sass::Operand made;
  made.kind = sass::OperandKind::constant;
  made.index = bank;
  made.value = offset;
  return made;
}
uint64_t line_of(std::string_view opcode, sass::Operand operand) {
  return constant_line(instruction(opcode, {reg(2, true), reg(3), operand}, {}));
}

TEST(ImmediateConstants, lines_are_of_a_bank_and_64_bytes) {
  const uint64_t line = line_of("FFMA", constant(3, 0x1000));
  EXPECT_NE(line, no_line);
  EXPECT_EQ(line_of("FFMA", constant(3, 0x103c)), line);
  EXPECT_EQ(line_of("ULDC", constant(3, 0x103c)), line);
  EXPECT_NE(line_of("FFMA", constant(3, 0x1040)), line);
  EXPECT_NE(line_of("FFMA", constant(2, 0x1000)), line);
  EXPECT_EQ(line_of("FFMA", constant(0, 0x210)), no_line);  // parameters
  EXPECT_EQ(line_of("LDC", constant(3, 0x1000)), no_line);  // by another cache
  EXPECT_EQ(line_of("FFMA", reg(4)), no_line);
  sass::Operand indexed = constant(3, 0x1000);
  indexed.uniform = 6;
  EXPECT_EQ(line_of("ULDC", indexed), no_line);
  EXPECT_TRUE(is_constant_by_uniform(instruction("ULDC", {reg(4, true), indexed}, {})));
  EXPECT_FALSE(is_constant_by_uniform(instruction("ULDC", {reg(4, true), constant(3, 0)}, {})));
}

TEST(ImmediateConstants, lines_used_longest_ago_go) {
  ImmediateConstants constants(2);
  double now = 0;
  const auto misses = [&](uint64_t line) {
    const double begin = now += 1000;
    now = constants.wait(0, line, begin);
    return now > begin;
  };
  for (uint64_t line = 0; line < 48; ++line) EXPECT_TRUE(misses(line));
  for (uint64_t line = 0; line < 48; ++line) EXPECT_FALSE(misses(line));
  EXPECT_TRUE(misses(48));
  EXPECT_TRUE(misses(0));
  EXPECT_FALSE(misses(47));
  // Who comes while it is on its way waits no longer than for the rest.
  const double first = constants.wait(0, 1, now);
  EXPECT_GT(first, now + 40);
  EXPECT_DOUBLE_EQ(constants.wait(0, 1, now + 30), first);
  // Another sub-partition has lines of its own, and they take turns.
  EXPECT_GT(constants.wait(1, 1, now), first + 5);
}

TEST(ImmediateConstants, what_the_sm_has_not_had_comes_from_further) {
  ImmediateConstants constants(2);
  EXPECT_DOUBLE_EQ(constants.wait(0, 400, 1000), 1267);
  EXPECT_DOUBLE_EQ(constants.wait(0, 401, 2000), 2053);  // came with it, of 256 bytes
  EXPECT_DOUBLE_EQ(constants.wait(1, 402, 3000), 3053);
  EXPECT_DOUBLE_EQ(constants.wait(1, 404, 4000), 4267);
  // Who asks for a neighbour while they are on their way waits for them.
  EXPECT_DOUBLE_EQ(constants.wait(0, 405, 4010), 4267);
}

// A table of so many lines, of which each is used 16 times, over and over.
SmRun walk(int warps, int lines, const Relief& relief = {}) {
  Played kernel;
  for (int line = 0; line < lines; ++line)
    for (int i = 0; i < 16; ++i)
      kernel.add(
          instruction("FFMA", {reg(20, true), reg(1), constant(3, 64 * line + 4 * i), reg(2)},
                      {.stall = 1}),
          Pipe::fma);
  return kernel.run(1, warps, 20, relief);
}

TEST(ImmediateConstants, tables_beyond_their_cache_cost_a_wait_a_line) {
  const Relief without{.immediate_constants = true};
  const auto more_a_line = [&](int lines) {
    return (walk(4, lines).cycles - walk(4, lines, without).cycles) / (20.0 * lines);
  };
  EXPECT_LT(more_a_line(32), 6);  // the first time alone
  EXPECT_NEAR(more_a_line(64), 53.5 + 53.5 / 20, 2);
  EXPECT_GT(walk(4, 64).stalls[size_t(Stall::imc_miss)], 4 * 20 * 64 * 50);
  EXPECT_EQ(walk(4, 64, without).stalls[size_t(Stall::imc_miss)], 0);
}

// A uniform register goes through a table: where, is told by the trace.
TEST(ImmediateConstants, loads_by_a_uniform_register_wait_for_where_it_leads) {
  const auto cycles = [](uint64_t apart) {
    Played kernel;
    sass::Operand from = constant(3, 0);
    from.uniform = 6;
    for (uint32_t i = 0; i < 200; ++i) {
      kernel.add(instruction("ULDC", {reg(8, true), from}, {.stall = 1}), Pipe::uniform);
      kernel.access(i, {.kind = AccessKind::constant_load, .bytes = 8, .lanes = 1}, {i * apart});
    }
    return kernel.run(1, 1, 1).cycles;
  };
  // None of it has been read before.
  EXPECT_NEAR((cycles(2) - cycles(0)) / 199, 107, 3);
  EXPECT_NEAR((cycles(1) - cycles(0)) / 99, 107, 3);  // two a line
}

// More lines are wanted at once than the cache keeps: all come through.
TEST(ImmediateConstants, warps_that_take_each_others_lines_end) {
  EXPECT_GT(walk(64, 64).cycles, 64 / 4 * 16 * 64 * 20);
}

}  // namespace
}  // namespace headroom
