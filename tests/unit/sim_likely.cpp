// What PTX would likely become: which instructions, how many, in which order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/likely/likely_code.h"
#include "sim/program.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

std::shared_ptr<const Program> program_of(const std::string& body) {
  const Bench bench(body);
  return decode(bench.module, "k");
}

struct Made {
  std::string opcode;
  int times;
  friend bool operator==(const Made&, const Made&) = default;
};

// Of the first instruction of a kernel.
Made made_of(const std::string& instruction) {
  const auto program = program_of(
      ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>; .reg .pred %p<4>;" +
      instruction + " ret;");
  const LikelyCode likely = likely_code(*program);
  return {std::string(likely.code->instructions[0].opcode), likely.times[0].all};
}

TEST(Likely, an_instruction_of_ptx_is_one_of_the_machine_or_several_or_none) {
  EXPECT_EQ(made_of("fma.rn.f32 %f1, %f2, %f3, %f1;"), (Made{"FFMA", 1}));
  EXPECT_EQ(made_of("add.s64 %rd1, %rd2, %rd3;"), (Made{"IADD3", 2}));
  EXPECT_EQ(made_of("mad.wide.s32 %rd1, %r1, %r2, %rd2;"), (Made{"IMAD", 1}));
  EXPECT_EQ(made_of("mov.u32 %r1, %r2;"), (Made{"MOV", 0}));
  EXPECT_EQ(made_of("mov.u32 %r1, %tid.x;"), (Made{"S2R", 1}));
  EXPECT_EQ(made_of("mov.u32 %r1, %ntid.x;"), (Made{"MOV", 0}));
  EXPECT_EQ(made_of("cvt.u64.u32 %rd1, %r1;"), (Made{"LOP3", 0}));
  EXPECT_EQ(made_of("cvt.rn.f32.s32 %f1, %r1;"), (Made{"I2FP", 1}));
  EXPECT_EQ(made_of("cvt.rn.bf16x2.f32 %r1, %f1, %f2;"), (Made{"F2FP", 1}));
  EXPECT_EQ(made_of("cvt.rzi.s32.f32 %r1, %f1;"), (Made{"F2I", 1}));
  EXPECT_EQ(made_of("ld.param.u64 %rd1, [out];"), (Made{"LDC", 0}));
  EXPECT_EQ(made_of("setp.lt.f32 %p1, %f1, %f2;"), (Made{"FSETP", 1}));
}

// As executed by machine code of sm_90 with ordinary operands.
TEST(Likely, what_takes_several_takes_as_many_as_ptxas_makes) {
  EXPECT_EQ(made_of("rsqrt.approx.ftz.f32 %f1, %f2;"), (Made{"MUFU", 1}));
  EXPECT_EQ(made_of("rsqrt.approx.f32 %f1, %f2;"), (Made{"MUFU", 4}));
  EXPECT_EQ(made_of("sqrt.rn.f32 %f1, %f2;"), (Made{"MUFU", 10}));
  EXPECT_EQ(made_of("div.rn.f32 %f1, %f2, %f3;"), (Made{"MUFU", 10}));
  EXPECT_EQ(made_of("div.rn.ftz.f32 %f1, %f2, %f3;"), (Made{"MUFU", 8}));
  EXPECT_EQ(made_of("div.approx.ftz.f32 %f1, %f2, %f3;"), (Made{"MUFU", 2}));
  EXPECT_EQ(made_of("div.rn.f64 %fd1, %fd2, %fd3;"), (Made{"DFMA", 16}));
  EXPECT_EQ(made_of("rem.s32 %r1, %r2, %r3;"), (Made{"IMAD", 22}));
  EXPECT_EQ(made_of("div.s64 %rd1, %rd2, %rd3;"), (Made{"IMAD", 90}));
}

TEST(Likely, products_of_matrices_have_their_shape_and_their_elements) {
  const auto made = [](const std::string& instruction) {
    const auto program =
        program_of(".reg .b32 %r<16>; .reg .f32 %f<16>; .reg .f64 %fd<8>;" + instruction + " ret;");
    const LikelyCode likely = likely_code(*program);
    const auto& product = likely.code->instructions[0];
    return fmt::format("{}{}", product.opcode, fmt::join(product.modifiers, ""));
  };
  EXPECT_EQ(made("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, "
                 "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};"),
            "HMMA.16816");
  EXPECT_EQ(made("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, "
                 "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};"),
            "HMMA.1688.TF32");
  EXPECT_EQ(made("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r0,%r1,%r2,%r3}, "
                 "{%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r0,%r1,%r2,%r3};"),
            "IMMA.16832.S8");
  EXPECT_EQ(made("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0,%fd1}, {%fd2}, {%fd3}, "
                 "{%fd0,%fd1};"),
            "DMMA.884");
}

// "LDG LDG FADD": opcodes in the likely order.
std::string ordered(const Program& program) {
  const LikelyCode likely = likely_code(program);
  const std::vector<uint32_t> place = likely_order(likely, ranges_of(program));
  std::vector<std::string_view> opcodes(place.size());
  for (size_t i = 0; i < place.size(); ++i) opcodes[place[i]] = likely.code->instructions[i].opcode;
  return fmt::format("{}", fmt::join(opcodes, " "));
}

TEST(Likely, loads_come_before_what_uses_the_first_of_them) {
  const auto program = program_of(
      ".reg .b64 %rd<2>; .reg .f32 %f<5>; ld.param.u64 %rd1, [out];"
      "ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;"
      "ld.global.f32 %f3, [%rd1+4]; add.f32 %f4, %f3, %f3; ret;");
  EXPECT_EQ(ordered(*program), "LDC LDG LDG FADD FADD RET");
}

TEST(Likely, a_load_stays_behind_the_store_before_it_and_behind_what_it_needs) {
  const auto program = program_of(
      ".reg .b64 %rd<3>; .reg .f32 %f<5>; ld.param.u64 %rd1, [out];"
      "add.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;"
      "ld.global.f32 %f2, [%rd1]; add.f32 %f3, %f2, %f1; ret;");
  EXPECT_EQ(ordered(*program), "LDC FADD STG LDG FADD RET");
}

// A value that a call passes comes through a register of its own.
TEST(Likely, what_a_call_returns_is_there_when_it_was_made) {
  const Bench bench(
      ".reg .b64 %rd<2>; .reg .f32 %f<3>; .param .b32 given; .param .b32 back;"
      "ld.param.u64 %rd1, [out]; st.param.f32 [given], %f1; call.uni (back), twice, (given);"
      "ld.param.f32 %f2, [back]; ret;",
      ".param .u64 out",
      ".func (.param .b32 r) twice(.param .b32 p) { .reg .f32 %f<2>; ld.param.f32 %f0, [p];"
      "add.f32 %f1, %f0, %f0; st.param.f32 [r], %f1; ret; }");
  const auto program = decode(bench.module, "k");
  const LikelyCode likely = likely_code(*program);
  std::vector<std::pair<bool, bool>> passes;  // needs, gives
  for (const sass::Instruction& instruction : likely.code->instructions) {
    std::pair<bool, bool> both{};
    for (const sass::Operand& operand : instruction.operands)
      if (operand.kind == sass::OperandKind::reg && operand.index == 0)
        (operand.written ? both.second : both.first) = true;
    passes.push_back(both);
  }
  using P = std::pair<bool, bool>;
  EXPECT_EQ(passes, (std::vector<P>{P{false, false}, P{true, true}, P{false, false}, P{true, false},
                                    P{false, false}, P{true, false}, P{false, false}, P{true, true},
                                    P{false, false}}));
}

// What is executed once stands in one basic block, in a row.
TEST(Likely, basic_blocks_have_every_instruction_once) {
  const auto program = program_of(
      ".reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, 0;"
      "LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bar.sync 0; @%p1 bra LOOP; ret;");
  std::vector<int> seen(program->instructions.size());
  for (const TracedBasicBlock& range : ranges_of(*program))
    for (uint32_t i = range.first; i <= range.last && range.first <= range.last; ++i) ++seen[i];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

// Accesses go with their instructions, which stand in the likely order.
TEST(Likely, a_trace_tells_accesses_at_their_new_places) {
  Bench bench(
      ".reg .b64 %rd<2>; .reg .f32 %f<5>; ld.param.u64 %rd1, [out];"
      "ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;"
      "ld.global.f32 %f3, [%rd1+128]; add.f32 %f4, %f3, %f2; st.global.f32 [%rd1], %f4;"
      "bar.sync 0; ret;");
  auto* out = bench.allocate<float>(64);
  bench.pass(out);
  Options options;
  options.trace = {.first = 0, .step = 1, .count = 1, .instructions = 100};
  const Outcome outcome = bench.run(options);
  ASSERT_TRUE(outcome.trace);
  EXPECT_TRUE(outcome.trace->likely);
  std::vector<std::string> accesses;
  for (const TracedAccess& access : outcome.trace->blocks.at(0).warps.at(0).accesses)
    accesses.push_back(std::string(outcome.trace->code[access.instruction].instruction->opcode));
  EXPECT_EQ(accesses, (std::vector<std::string>{"LDC", "LDG", "LDG", "STG", "BAR"}));
}

TEST(Likely, a_trace_tells_what_lies_in_memory_of_the_host) {
  Bench bench(
      ".reg .b64 %rd<3>; .reg .f32 %f; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [from];"
      "ld.global.f32 %f, [%rd2]; st.global.f32 [%rd1], %f; ret;",
      ".param .u64 out, .param .u64 from");
  std::vector<float> host(64);
  bench.memory.map_host(uint64_t(host.data()), host.size() * 4);
  bench.pass(bench.allocate<float>(64));
  bench.pass(host.data());
  Options options;
  options.trace = {.first = 0, .step = 1, .count = 1, .instructions = 100};
  const Outcome outcome = bench.run(options);
  ASSERT_TRUE(outcome.trace);
  const TracedBlock& block = outcome.trace->blocks.at(0);
  std::vector<bool> in_host;
  for (const TracedAccess& access : block.warps.at(0).accesses)
    if (access.kind == AccessKind::global_load || access.kind == AccessKind::global_store)
      in_host.push_back(
          outcome.trace->device.leaves_to_host(block.sectors.at(access.first_sector)));
  EXPECT_EQ(in_host, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace headroom::sim
