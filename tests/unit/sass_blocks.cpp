// Basic blocks of lists of instructions.
#include <gtest/gtest.h>

#include "sass/module.h"

namespace headroom::sass {
namespace {

Instruction plain(std::string_view opcode) {
  Instruction instruction;
  instruction.opcode = opcode;
  return instruction;
}

Instruction jump(std::string_view opcode, uint64_t to, bool guarded = false) {
  Instruction instruction = plain(opcode);
  instruction.guarded = guarded;
  Operand label;
  label.kind = OperandKind::label;
  label.value = int64_t(to * instruction_bytes);
  instruction.operands = {label};
  return instruction;
}

Instruction guarded(Instruction instruction) {
  instruction.guarded = true;
  return instruction;
}

TEST(Blocks, a_loop_has_a_block_of_its_own) {
  const auto blocks =
      find_blocks({plain("MOV"), plain("IADD3"), jump("BRA", 1, true), plain("EXIT")}, {});
  EXPECT_EQ(blocks, (std::vector<BasicBlock>{{0, 1, {1}}, {1, 3, {1, 2}}, {3, 4, {}}}));
}

TEST(Blocks, both_sides_of_a_branch_lead_to_where_they_meet) {
  const auto blocks = find_blocks({jump("BSSY", 5), jump("BRA", 3, true), jump("BRA", 4),
                                   plain("MOV"), plain("BSYNC"), plain("EXIT")},
                                  {});
  EXPECT_EQ(blocks, (std::vector<BasicBlock>{
                        {0, 2, {1, 2}}, {2, 3, {3}}, {3, 4, {3}}, {4, 5, {4}}, {5, 6, {}}}));
}

TEST(Blocks, a_guarded_exit_is_passed_and_an_unguarded_is_not) {
  EXPECT_EQ(find_blocks({guarded(plain("EXIT")), plain("EXIT"), plain("NOP")}),
            (std::vector<BasicBlock>{{0, 1, {1}}, {1, 2, {}}, {2, 3, {}, true}}));
}

TEST(Blocks, an_exit_under_a_second_predicate_is_passed) {
  Instruction leave = plain("EXIT");
  leave.operands.resize(1);
  leave.operands[0].kind = OperandKind::predicate;
  EXPECT_EQ(find_blocks({leave, plain("NOP")}),
            (std::vector<BasicBlock>{{0, 1, {1}}, {1, 2, {}, true}}));
}

TEST(Blocks, a_call_goes_on_behind_itself_and_its_function_is_a_block) {
  EXPECT_EQ(find_blocks({jump("CALL", 2), plain("EXIT"), plain("RET")}),
            (std::vector<BasicBlock>{{0, 1, {1}}, {1, 2, {}}, {2, 3, {}}}));
}

TEST(Blocks, an_indirect_jump_leads_where_the_notes_say) {
  EXPECT_EQ(find_blocks({plain("BRX"), plain("EXIT"), plain("EXIT")}, {{0, {16, 32, 4800}}}),
            (std::vector<BasicBlock>{{0, 1, {1, 2}}, {1, 2, {}}, {2, 3, {}}}));
}

TEST(Blocks, each_indirect_jump_has_targets_of_its_own_or_leads_elsewhere) {
  const std::vector<Instruction> code = {plain("BRX"), plain("BRX"), plain("EXIT"), plain("EXIT")};
  EXPECT_EQ(find_blocks(code, {{0, {32}}}),
            (std::vector<BasicBlock>{{0, 1, {2}}, {1, 2, {}, true}, {2, 3, {}}, {3, 4, {}}}));
}

TEST(Blocks, functions_inside_the_section_are_entered_at_a_block) {
  EXPECT_EQ(find_blocks({plain("EXIT"), plain("MOV"), plain("MOV"), plain("RET")}, {}, {32}),
            (std::vector<BasicBlock>{{0, 1, {}}, {1, 2, {2}}, {2, 4, {}}}));
}

TEST(Blocks, targets_outside_the_section_are_none) {
  EXPECT_EQ(find_blocks({jump("BRA", 1000), jump("BRA", ~0ull >> 8)}),
            (std::vector<BasicBlock>{{0, 1, {}, true}, {1, 2, {}, true}}));
  EXPECT_TRUE(find_blocks({}).empty());
}

}  // namespace
}  // namespace headroom::sass
