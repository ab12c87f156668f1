// Machine code of what nvcc made of tests/golden/kernel/three.cu.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "base/error.h"
#include "fewer.h"
#include "kernel/machine_code.h"
#include "sass/print.h"

namespace headroom {
namespace {

std::string contents(const std::string& name) {
  std::ifstream file(std::string(FIXTURES) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

sass::Module read(const std::string& bytes) {
  return read_machine_code({std::as_bytes(std::span(bytes)), "cubin"});
}

const sass::Function& function(const sass::Module& module, const std::string& part) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const auto& f) { return f.name.find(part) != f.name.npos; });
  EXPECT_NE(found, module.functions.end()) << part;
  return *found;
}

TEST(MachineCode, of_every_architecture_is_read_whole) {
  for (const int architecture : {75, 80, 90}) {
    const auto module = read(contents("sm_" + std::to_string(architecture) + ".cubin"));
    EXPECT_EQ(module.architecture, architecture);
    EXPECT_TRUE(module.linked);
    EXPECT_EQ(module.functions.size(), 3u);
    for (const sass::Function& each : module.functions) {
      EXPECT_TRUE(each.kernel) << each.name;
      EXPECT_GT(each.instructions.size(), 30u) << each.name;
      for (const sass::Instruction& instruction : each.instructions)
        EXPECT_FALSE(instruction.opcode.empty()) << each.name;
    }
  }
}

TEST(MachineCode, blocks_cover_it_once_and_the_barrier_is_where_it_was_written) {
  const auto module = read(contents("sm_90.cubin"));
  for (const sass::Function& each : module.functions) {
    uint32_t at = 0;
    for (const sass::BasicBlock& block : each.blocks) {
      EXPECT_EQ(block.first, at);
      EXPECT_LT(block.first, block.last);
      for (const uint32_t next : block.next) EXPECT_LT(next, each.blocks.size());
      at = block.last;
    }
    EXPECT_EQ(at, each.instructions.size());
  }
  const auto& code = function(module, "saxpy").instructions;
  const auto count = [&](std::string_view opcode) {
    return std::count_if(code.begin(), code.end(),
                         [&](const auto& instruction) { return instruction.opcode == opcode; });
  };
  EXPECT_EQ(count("BAR"), 1);
  EXPECT_EQ(count("LDG"), 2);
  EXPECT_EQ(count("STG"), 1);
  EXPECT_EQ(count("FFMA"), 1);
}

TEST(MachineCode, parameters_are_a_bank_of_the_kernel) {
  const auto module = read(contents("sm_90.cubin"));
  const auto& name = function(module, "saxpy").name;
  const auto bank = std::find_if(module.banks.begin(), module.banks.end(),
                                 [&](const sass::Bank& each) { return each.kernel == name; });
  ASSERT_NE(bank, module.banks.end());
  EXPECT_EQ(bank->number, 0);
  EXPECT_EQ(bank->content.size(),
            0x210u + 24);  // int, float and two pointers behind what the driver keeps
}

TEST(MachineCode, lines_are_those_of_the_source) {
  EXPECT_TRUE(function(read(contents("sm_90.cubin")), "saxpy").lines.empty());
  const auto module = read(contents("lines.cubin"));
  const auto& saxpy = function(module, "saxpy");
  ASSERT_FALSE(saxpy.lines.empty());
  const auto line_at = [&](uint64_t offset) {
    const auto after =
        std::upper_bound(saxpy.lines.begin(), saxpy.lines.end(), offset,
                         [](uint64_t at, const auto& line) { return at < line.offset; });
    return *std::prev(after);
  };
  for (uint32_t i = 0; i < saxpy.instructions.size(); ++i) {
    const auto& line = line_at(i * sass::instruction_bytes);
    const uint32_t expected = saxpy.instructions[i].opcode == "BAR"   ? 7
                              : saxpy.instructions[i].opcode == "STG" ? 8
                                                                      : line.line;
    EXPECT_EQ(line.line, expected);
    EXPECT_NE(module.files.at(line.file).find("three.cu"), std::string::npos);
  }
}

TEST(MachineCode, what_is_inlined_from_the_toolkit_has_the_line_that_called_it) {
  const auto module = read(contents("inlined.cubin"));
  const auto& counting = function(module, "counting");
  std::map<std::string, uint32_t, std::less<>> line_of;
  for (uint32_t i = 0; i < counting.instructions.size(); ++i) {
    const auto after = std::ranges::upper_bound(counting.lines, i * sass::instruction_bytes, {},
                                                &sass::SourceLine::offset);
    ASSERT_NE(after, counting.lines.begin());
    const sass::SourceLine& line = *std::prev(after);
    EXPECT_NE(module.files.at(line.file).find("inlined.cu"), std::string::npos);
    line_of[std::string(counting.instructions[i].opcode)] = line.line;
  }
  EXPECT_EQ(line_of.at("REDG"), 2u) << "the helper's";
  EXPECT_EQ(line_of.at("LDG"), 5u);
}

TEST(MachineCode, of_functions_only_kernels_are_entries) {
  for (const sass::Function& each : read(contents("said_90.cubin")).functions)
    EXPECT_EQ(each.kernel, each.name.find("said") != each.name.npos) << each.name;
}

TEST(MachineCode, what_is_no_cubin_or_of_another_architecture_is_refused) {
  for (const char* name : {"plain", "none.fatbin", "three.ptx"})
    EXPECT_THROW(read(contents(name)), Error) << name;
  try {
    read(contents("sm_120.cubin"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem, "machine code of sm_120 is not read");
  }
}

TEST(MachineCode, damaged_cubins_never_crash) {
  for (const char* name : {"sm_90.cubin", "lines.cubin"}) {
    const std::string whole = contents(name);
    ASSERT_FALSE(whole.empty());
    std::mt19937_64 random(17);
    for (int round = 0; round < fewer(1500); ++round) {
      std::string damaged = whole;
      for (int i = 0; i < 1 + round % 4; ++i) damaged[random() % whole.size()] = char(random());
      if (round % 2) damaged[whole.size() - 1 - random() % 3000] = char(random());
      if (round % 5 == 0) damaged.resize(random() % damaged.size());
      try {
        for (const sass::Function& each : read(damaged).functions)
          for (const sass::Instruction& instruction : each.instructions) print(instruction);
      } catch (const Error& error) {
        EXPECT_FALSE(error.problem.empty());
      }
    }
  }
}

}  // namespace
}  // namespace headroom
