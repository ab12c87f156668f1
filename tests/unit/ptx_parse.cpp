// The parser, noun by noun: what the IR holds after reading. Texts and messages are held by
// ptx_golden.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ptx_samples.h"

namespace headroom::ptx {
namespace {

Module in_module(const std::string& text) {
  return parse(".version 8.8\n.target sm_80\n.address_size 64\n" + text, "test");
}
Function in_kernel(const std::string& text) {
  return in_module(".entry k()\n{\n" + text + "}\n").functions.at(0);
}
Variable variable(const std::string& text) { return in_module(text).variables.at(0); }

TEST(PtxParse, the_sample_of_the_header_reads_as_it_says) {
  Function kernel = in_kernel(
      ".reg .pred %p<2>; .reg .f32 %f<2>; .reg .b64 %rd<4>;\n"
      "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];");
  ASSERT_EQ(kernel.body.size(), 1u);
  const Instruction& load = kernel.body[0];
  ASSERT_TRUE(load.form);
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.modifiers, (std::vector<std::string>{".global", ".v2", ".f32"}));
  EXPECT_EQ(load.type(), Type::f32);
  EXPECT_TRUE(load.has(".v2"));
  EXPECT_TRUE(load.guard.negated);
  EXPECT_EQ(kernel.registers[size_t(load.guard.reg)].name, "%p1");
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].items.at(1).kind, Operand::Kind::sink);
  EXPECT_EQ(kernel.registers[size_t(load.operands[1].reg)].name, "%rd3");
  EXPECT_EQ(load.operands[1].offset, 8);
  EXPECT_EQ(print(load, kernel), "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd3+8];");
}

TEST(PtxParse, a_call_always_has_results_callee_and_arguments) {
  Function kernel = in_module(".func f();\n.entry k() { call.uni f; }").functions.at(1);
  const Instruction& call = kernel.body.at(0);
  ASSERT_TRUE(call.form);
  ASSERT_EQ(call.operands.size(), 3u);
  EXPECT_EQ(call.operands[0].kind, Operand::Kind::list);
  EXPECT_EQ(call.operands[1].name, "f");
  EXPECT_TRUE(call.operands[2].items.empty());
}

TEST(PtxParse, literals_keep_their_bits_and_their_type) {
  Function kernel = in_kernel(
      ".reg .b32 %r<2>; .reg .f32 %f<2>; .reg .f64 %fd<2>;\n"
      "mov.u32 %r1, 0xFFU; mov.u32 %r1, -1; mov.f32 %f1, 0f40490FDB; mov.f64 %fd1, 0.5;");
  auto immediate = [&](size_t i) { return kernel.body.at(i).operands.at(1); };
  EXPECT_EQ(immediate(0).immediate_type, Type::u64);
  EXPECT_EQ(immediate(0).bits, 255u);
  EXPECT_EQ(immediate(1).immediate_type, Type::s64);
  EXPECT_EQ(immediate(1).bits, ~0ull);
  EXPECT_EQ(immediate(2).immediate_type, Type::f32);
  EXPECT_EQ(immediate(2).bits, 0x40490FDBu);
  EXPECT_EQ(immediate(3).immediate_type, Type::f64);
  EXPECT_EQ(immediate(3).bits, 0x3FE0000000000000u);
}

TEST(PtxParse, initialisers_are_little_endian_bytes_in_row_order) {
  EXPECT_EQ(variable(".global .u16 x[3] = {0x0102, -1};").init,
            (std::vector<uint8_t>{2, 1, 255, 255, 0, 0}));
  EXPECT_EQ(variable(".global .u8 x[2][2] = {{1}, {2, 3}};").init,
            (std::vector<uint8_t>{1, 0, 2, 3}));
  EXPECT_EQ(variable(".const .f32 x = 1.0;").init, (std::vector<uint8_t>{0, 0, 0x80, 0x3F}));
  EXPECT_EQ(variable(".global .u32 x[] = {1, 2, 3};").bytes, 12u);
  EXPECT_TRUE(variable(".global .u32 x[4] = {0, 0};").init.empty());
}

TEST(PtxParse, eight_masked_bytes_of_an_address_are_one_relocation) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += (i ? ", 0xFF" : "0xFF") + std::string(size_t(2 * i), '0') + "(generic(y)+16)";
  Module module = in_module(
      ".global .u32 y;\n.global .align 8 .b8 x[16] = {1, 0, 0, 0, 0, 0, 0, 0, " + bytes + "};");
  const Variable& x = module.variables.at(1);
  ASSERT_EQ(x.relocations.size(), 1u);
  EXPECT_EQ(x.relocations[0].offset, 8u);
  EXPECT_EQ(x.relocations[0].symbol, "y");
  EXPECT_EQ(x.relocations[0].addend, 16);
  EXPECT_EQ(x.relocations[0].bytes, 8);
  EXPECT_TRUE(x.relocations[0].generic);
}

TEST(PtxParse, a_label_of_an_inner_scope_is_that_scopes_own) {
  Function kernel = in_kernel(
      ".reg .b32 %r<2>;\n"
      "{ bra L; mov.u32 %r1, 1; L: mov.u32 %r1, 2; }\n"
      "{ bra L; mov.u32 %r1, 3; L: mov.u32 %r1, 4; }\n");
  EXPECT_EQ(kernel.labels.at(kernel.body.at(0).operands.at(0).name), 2);
  EXPECT_EQ(kernel.labels.at(kernel.body.at(3).operands.at(0).name), 5);
}

TEST(PtxParse, a_shadowing_register_is_another_register) {
  Function kernel =
      in_kernel(".reg .b32 t; mov.u32 t, 1; { .reg .b64 t; mov.u64 t, 2; } mov.u32 t, 3;");
  auto written = [&](size_t i) {
    return kernel.registers.at(size_t(kernel.body.at(i).operands.at(0).reg));
  };
  EXPECT_EQ(written(0).type, Type::b32);
  EXPECT_EQ(written(1).type, Type::b64);
  EXPECT_EQ(written(2), written(0));
}

TEST(PtxParse, lines_come_from_loc_until_the_next_one) {
  Function kernel = in_kernel(
      "membar.gl;\n.loc 2 7 1\nmembar.gl;\nmembar.gl;\n.loc 2 9 0, function_name f, inlined_at 1 3 "
      "4\nret;");
  EXPECT_EQ(kernel.body.at(0).source, (SourceLine{0, 0}));
  EXPECT_EQ(kernel.body.at(2).source, (SourceLine{2, 7}));
  EXPECT_EQ(kernel.body.at(3).source, (SourceLine{2, 9}));
}

TEST(PtxParse, inlined_code_knows_where_it_was_called) {
  Function kernel = in_kernel(R"(.loc 1 8 3
.loc 1 4 3, function_name $a, inlined_at 1 8 3
.loc 2 107 3, function_name $b+20, inlined_at 1 4 3
membar.gl;
.loc 1 9 3
membar.gl;
.loc 1 4 3, function_name $a, inlined_at 1 9 3
.loc 2 107 3, function_name $b+20, inlined_at 1 4 3
membar.gl;
.loc 2 5 5, function_name $b, inlined_at 2 5 5
ret;)");
  const auto lines = [&](int instruction) {
    std::vector<std::pair<int, int>> found;
    SourceLine at = kernel.body.at(size_t(instruction)).source;
    for (;; at = kernel.call_sites.list.at(size_t(at.inlined_at))) {
      found.push_back({at.file, at.line});
      if (at.inlined_at < 0) return found;
    }
  };
  using Lines = std::vector<std::pair<int, int>>;
  EXPECT_EQ(lines(0), (Lines{{2, 107}, {1, 4}, {1, 8}}));
  EXPECT_EQ(lines(1), (Lines{{1, 9}}));
  EXPECT_EQ(lines(2), (Lines{{2, 107}, {1, 4}, {1, 9}}));
  EXPECT_EQ(lines(3), (Lines{{2, 5}, {2, 5}})) << "not round and round";
}

TEST(PtxParse, a_form_nobody_knows_marks_its_function_only) {
  Module module = in_module(
      ".entry bad() { .reg .f32 %f<2>; add.ftz.rn.f32 %f1, %f1, %f1; }\n.entry good() { ret; }");
  ASSERT_EQ(module.function("bad")->problems.size(), 1u);
  EXPECT_NE(module.function("bad")->problems[0].hint.find("add{.rnd}{.ftz}{.sat}.f32 d, a, b"),
            std::string::npos);
  EXPECT_FALSE(module.function("bad")->body.at(0).form);
  EXPECT_TRUE(module.function("good")->problems.empty());
}

TEST(PtxParse, a_definition_is_found_before_its_declaration_and_through_an_alias) {
  Module module = in_module(".func f();\n.func f() { ret; }\n.alias g, f;\n.func g();");
  EXPECT_TRUE(module.function("f")->defined);
  ASSERT_TRUE(module.function("g"));
  EXPECT_EQ(module.function("g")->name, "f");
  EXPECT_EQ(module.function("h"), nullptr);
}

TEST(PtxParse, sizes_are_one_or_more_but_a_cluster_of_none_is_no_cluster) {
  for (const char* directive : {".maxntid 0, 1, 1", ".reqntid 4, 0"})
    EXPECT_THROW(in_module(std::string(".entry k()\n") + directive + "\n{ }\n"), Error)
        << directive;
  for (const char* sizes : {"0, 1, 1", "2, 0"}) {
    const Module module =
        in_module(std::string(".entry k()\n.reqnctapercluster ") + sizes + "\n{ }\n");
    EXPECT_EQ(module.functions[0].cluster[0], 0) << sizes;
    EXPECT_EQ(without_spans(parse(print(module), "test")), without_spans(module)) << sizes;
  }
}

TEST(PtxParse, errors_say_where_and_show_the_line) {
  try {
    parse(".version 8.8\n.target sm_80\n.entry k()\n{\n  .reg .b32 a\n  ret;\n}\n", "k.ptx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where, "k.ptx:6:3");
    EXPECT_NE(error.problem.find("6 |   ret;\n    |   ^"), std::string::npos) << error.problem;
  }
}

}  // namespace
}  // namespace headroom::ptx
