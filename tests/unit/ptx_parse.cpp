// The parser, construct by construct.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

Module in_module(const std::string& text) { return parse(".version 8.8\n.target sm_80\n.address_size 64\n" + text, "test"); }
Function in_kernel(const std::string& text) { return in_module(".entry k()\n{\n" + text + "}\n").functions.at(0); }

TEST(PtxParse, the_sample_of_the_header_reads_as_it_says) {
  Function kernel = in_kernel(".reg .pred %p<2>; .reg .f32 %f<2>; .reg .b64 %rd<4>;\n"
                              "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];");
  ASSERT_EQ(kernel.body.size(), 1u);
  const Instruction& load = kernel.body[0];
  ASSERT_TRUE(load.form);
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.modifiers, (std::vector<std::string>{".global", ".v2", ".f32"}));
  EXPECT_TRUE(load.guard.negated);
  EXPECT_EQ(kernel.registers[size_t(load.guard.reg)].name, "%p1");
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].items.at(1).kind, Operand::Kind::sink);
  EXPECT_EQ(kernel.registers[size_t(load.operands[1].reg)].name, "%rd3");
  EXPECT_EQ(load.operands[1].offset, 8);
  EXPECT_EQ(print(load, kernel), "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];");
}

}  // namespace
}  // namespace headroom::ptx
