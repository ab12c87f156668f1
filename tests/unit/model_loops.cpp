// Loops of a trace, which of them go over their work by the size of the grid, whose rounds can be shared out, and addresses that all
// threads have alike.
#include <gtest/gtest.h>

#include <initializer_list>

#include "model/pipeline/alike_addresses.h"
#include "model/pipeline/grid_stride.h"
#include "model/pipeline/shared_rounds.h"
#include "played_kernel.h"

using namespace headroom;

namespace {

sass::Operand constant(int64_t offset) {
  sass::Operand operand;
  operand.kind = sass::OperandKind::constant;
  operand.index = 0;
  operand.value = offset;
  return operand;
}
const sass::Operand grid = constant(0xc), block = constant(0);

sass::Instruction make(std::string_view opcode, std::vector<sass::Operand> operands) {
  return instruction(opcode, std::move(operands), {});
}

// A block of one warp that executes `before` and goes round the loop of the rest.
struct Code {
  std::vector<sass::Instruction> all;
  Trace trace;

  Code(std::initializer_list<sass::Instruction> before,
       std::initializer_list<sass::Instruction> round, int rounds = 3)
      : all(before) {
    all.insert(all.end(), round);
    all.push_back(make("BRA", {}));
    for (const sass::Instruction& each : all) trace.code.push_back({&each});
    trace.basic_blocks = {{0, uint32_t(before.size() - 1)},
                          {uint32_t(before.size()), uint32_t(all.size() - 1)}};
    TracedWarp warp;
    warp.entered.push_back({0, 32});
    for (int i = 0; i < rounds; ++i) warp.entered.push_back({1, 32});
    trace.blocks.push_back({0, {warp}, {}, {}});
  }
  bool strides() const { return strides_over_grid(trace, Loops(trace)); }
  bool is_shared_out() const { return rounds_can_be_shared(trace, Loops(trace).all.at(0)); }
};

}  // namespace

TEST(Loops, are_where_code_branches_back) {
  const Code code({make("MOV", {reg(1, true)})}, {make("IADD3", {reg(1, true), reg(1)})}, 5);
  const Loops loops(code.trace);
  ASSERT_EQ(loops.all.size(), 1);
  EXPECT_EQ(loops.all[0].first, 1);
  EXPECT_EQ(loops.all[0].last, 2);
  EXPECT_EQ(loops.ways[1].times, 4);  // that something follows
  EXPECT_TRUE(Loops(Code({make("MOV", {reg(1, true)})}, {make("MOV", {reg(2, true)})}, 1).trace)
                  .all.empty());
}

// for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
TEST(Loops, step_by_the_size_of_the_grid) {
  EXPECT_TRUE(Code({make("MOV", {reg(3, true), block})},
                   {make("IMAD", {reg(0, true), reg(3), grid, reg(0)})})
                  .strides());
  EXPECT_TRUE(Code({make("LDC", {reg(5, true), grid}), make("IMAD", {reg(5, true), reg(5), block})},
                   {make("IADD3", {reg(0, true), reg(0), reg(5)})})
                  .strides());
  // Unrolled by two, the step read again in each round.
  EXPECT_TRUE(Code({make("MOV", {reg(0, true)})}, {make("LDC", {reg(5, true), grid}),
                                                   make("IADD3", {reg(4, true), reg(0), reg(5)}),
                                                   make("IADD3", {reg(0, true), reg(4), reg(5)})})
                  .strides());
}

TEST(Loops, that_only_begin_where_the_size_of_the_grid_says) {
  // y * gridDim.x + x, and from there by one
  EXPECT_FALSE(Code({make("IMAD", {reg(0, true), reg(4), grid, reg(5)})},
                    {make("IADD3", {reg(0, true), reg(0), reg(7)})})
                   .strides());
  // … as the base of a sum that is made anew in each round
  EXPECT_FALSE(Code({make("IMAD", {reg(6, true), reg(4), grid, reg(5)})},
                    {make("IADD3", {reg(1, true), reg(6), reg(2)}),
                     make("IADD3", {reg(2, true), reg(2), reg(7)})})
                   .strides());
  // … in a register that something else is in by then
  EXPECT_FALSE(Code({make("LDC", {reg(5, true), grid}), make("MOV", {reg(5, true), reg(8)})},
                    {make("IADD3", {reg(0, true), reg(0), reg(5)})})
                   .strides());
  EXPECT_FALSE(
      Code({make("LDC", {reg(5, true), block})}, {make("IADD3", {reg(0, true), reg(0), reg(5)})})
          .strides());
}

TEST(Loops, that_nothing_goes_round) {
  EXPECT_FALSE(
      Code({make("LDC", {reg(5, true), grid})}, {make("IADD3", {reg(0, true), reg(0), reg(5)})}, 1)
          .strides());
}

namespace {

sass::Operand at_address(uint16_t base) {
  sass::Operand operand;
  operand.kind = sass::OperandKind::memory;
  operand.base = base;
  operand.wide = true;
  return operand;
}
const sass::Instruction begin = make("MOV", {reg(1, true)});

bool shared_out(std::initializer_list<sass::Instruction> round) {
  return Code({begin}, round).is_shared_out();
}

}  // namespace

// sum += a[i], its address going on through another register.
TEST(Loops, rounds_that_add_up_are_shared_out) {
  EXPECT_TRUE(shared_out({make("LDG", {reg(4, true), at_address(2)}),
                          make("IADD3", {reg(6, true), reg(2), constant(0x210)}),
                          make("IADD3", {reg(7, true), reg(3)}),
                          make("FADD", {reg(8, true), reg(8), reg(4)}),
                          make("IADD3", {reg(2, true), reg(6), constant(0x210)}),
                          make("FFMA", {reg(9, true), reg(4), reg(4), reg(9)})}));
}

TEST(Loops, rounds_that_need_the_one_before_are_not_shared_out) {
  // p = p->next
  EXPECT_FALSE(shared_out({make("LDG", {reg(2, true), at_address(2)})}));
  // x = x * c + b[i]; x = sin(x)
  EXPECT_FALSE(shared_out({make("FFMA", {reg(8, true), reg(8), reg(5), reg(4)})}));
  EXPECT_FALSE(shared_out({make("MUFU", {reg(8, true), reg(8)})}));
  // sum += a[i]; if (sum > most) …
  EXPECT_FALSE(
      shared_out({make("FADD", {reg(8, true), reg(8), reg(4)}), make("FSETP", {reg(8), reg(5)})}));
  // out[i] = sum += a[i]
  EXPECT_FALSE(shared_out(
      {make("FADD", {reg(8, true), reg(8), reg(4)}), make("STG", {at_address(2), reg(8)})}));
  // a[i + 1] = a[i] …, of shared memory behind a barrier
  EXPECT_FALSE(shared_out({make("LDS", {reg(4, true), at_address(2)}),
                           make("STS", {at_address(2), reg(4)}), make("BAR", {})}));
  // i = i * 5 + 3
  EXPECT_FALSE(shared_out({make("IMAD", {reg(8, true), reg(8), constant(0x210), constant(0x214)}),
                           make("LDG", {reg(4, true), at_address(8)})}));
}

// What a round makes anew for itself is nobody else's.
TEST(Loops, values_of_a_round_alone_may_be_anything) {
  EXPECT_TRUE(
      shared_out({make("LDG", {reg(4, true), at_address(2)}), make("MUFU", {reg(5, true), reg(4)}),
                  make("FMUL", {reg(5, true), reg(5), reg(5)}),
                  make("FADD", {reg(8, true), reg(5), reg(8)})}));
}

namespace {

sass::Operand special(std::string_view name) {
  sass::Operand operand;
  operand.kind = sass::OperandKind::special;
  operand.text = name;
  return operand;
}
sass::Instruction wide(std::string_view opcode, std::vector<sass::Operand> operands) {
  sass::Instruction made = make(opcode, std::move(operands));
  made.modifiers = {opcode == "IMAD" ? ".WIDE" : ".64"};
  return made;
}
// Of the load, which is the last instruction of a round.
bool has_address_of_all(std::vector<sass::Instruction> round) {
  Trace trace;
  for (const sass::Instruction& each : round) trace.code.push_back({&each});
  return alike_addresses(trace).back();
}

}  // namespace

TEST(Addresses, of_parameters_alone_are_alike) {
  const auto pointer = wide("LDC", {reg(2, true), constant(0x210)});
  const auto load = make("LDG", {reg(3, true), at_address(2)});
  EXPECT_TRUE(has_address_of_all({pointer, load}));  // though it loads over half of the pointer
  EXPECT_FALSE(
      has_address_of_all({pointer, make("S2R", {reg(4, true), special("SR_CTAID.X")}),
                          wide("IMAD", {reg(2, true), reg(4), constant(0x214), reg(2)}), load}));
  EXPECT_FALSE(
      has_address_of_all({pointer, make("S2R", {reg(4, true), special("SR_TID.X")}),
                          wide("IMAD", {reg(2, true), reg(4), constant(0x214), reg(2)}), load}));
}

TEST(Addresses, of_what_was_loaded_are_not_alike) {
  EXPECT_FALSE(has_address_of_all(
      {make("LDG", {reg(2, true), at_address(6)}), make("LDG", {reg(8, true), at_address(2)})}));
}
