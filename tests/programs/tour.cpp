// Shows a kernel between the rooms, for docs/tour.md: what no command of headroom prints.
//
//   tour build/release/bin/sgemm shared_tile instruction      the first FMA as IR
//   tour build/release/bin/sgemm shared_tile basic_blocks     straight lines and their terminators
//   tour build/release/bin/sgemm shared_tile operations       the operations around the first FMA
//   tour build/release/bin/sgemm shared_tile access_patterns  what some accesses of a warp cost
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "base/error.h"
#include "kernel/kernel.h"
#include "sim/access_pattern.h"
#include "sim/program.h"
#include "sim/simulate.h"

using namespace headroom;

namespace {

struct Found {
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* function = nullptr;
};

Found find_kernel(const std::string& program, const std::string& pattern) {
  const Image image = read_image_file(program);
  for (const ImageEntry& entry : image.entries) {
    if (entry.kind != ImageEntry::Kind::ptx) continue;
    auto module = std::make_shared<const ptx::Module>(ptx::parse(entry.text, program));
    for (const ptx::Function& function : module->functions)
      if (function.entry && function.name.find(pattern) != std::string::npos)
        return {module, &function};
  }
  throw Error{program, "no kernel with '" + pattern + "' in its name"};
}

size_t first_fma(const ptx::Function& function) {
  const auto is_fma = [](const ptx::Instruction& i) { return i.opcode == "fma"; };
  return size_t(std::ranges::find_if(function.body, is_fma) - function.body.begin());
}

void show_instruction(const Found& found) {
  const ptx::Instruction& fma = found.function->body[first_fma(*found.function)];
  std::vector<std::string> operands;
  for (const ptx::Operand& operand : fma.operands)
    operands.push_back(fmt::format("reg {} ({})", operand.reg,
                                   found.function->registers[size_t(operand.reg)].name));
  fmt::print("text       {}\n", ptx::print(fma, *found.function));
  fmt::print("form       {}   section {}\n", fma.form->text, fma.form->section);
  fmt::print("opcode     {}\nmodifiers  {}\n", fma.opcode, fmt::join(fma.modifiers, " "));
  fmt::print("operands   {}\n", fmt::join(operands, ", "));
  const std::string& file = found.module->files[size_t(fma.source.file)];
  fmt::print("source     {}:{}\n", file.substr(file.find("studies/")), fma.source.line);
}

void show_basic_blocks(const sim::Program& program) {
  using enum sim::Terminator;
  constexpr const char* names[] = {"fall through", "jump",    "branch", "indexed",
                                   "indirect",     "barrier", "arrive", "call",
                                   "ret",          "exit",    "trap"};
  fmt::print("basic block  operations  instructions  fp32  memory  terminator\n");
  for (size_t b = 0; b < program.basic_blocks.size(); ++b) {
    const sim::BasicBlock& here = program.basic_blocks[b];
    std::string end = names[int(here.terminator)];
    if (here.terminator == branch)
      end +=
          fmt::format(" to {}, else {}{}", here.target, here.next, here.back_edge ? ", back" : "");
    if (here.terminator == jump) end += fmt::format(" to {}", here.target);
    if (here.terminator == fall_through) end += fmt::format(" to {}", here.next);
    if (here.terminator == barrier) end += fmt::format(", then {}", here.next);
    const auto of_kind = [&](InstructionClass kind) { return here.profile.kinds[size_t(kind)]; };
    fmt::print("{:11}{:12}{:14}{:6}{:8}  {}\n", b, here.last - here.first,
               here.profile.instructions, of_kind(InstructionClass::fp32),
               of_kind(InstructionClass::memory), end);
  }
}

std::string place(uint32_t operand) {
  constexpr const char* storage[] = {"frame", "constant", "special"};
  return fmt::format("{}+{}", storage[operand & 3], operand & ~3u);
}

// A memory operation has its data in operand 0 and its address in operand 6.
void show_operations(const Found& found, const sim::Program& program) {
  const auto& operations = program.operations;
  const size_t fma = first_fma(*found.function);
  const auto is_fma = [&](const sim::Operation& s) {
    return program.instructions[s.instruction].index == fma;
  };
  const auto at = std::ranges::find_if(operations, is_fma);
  for (auto operation = at - 2; operation != at + 2; ++operation) {
    const ptx::Instruction& source =
        found.function->body[program.instructions[operation->instruction].index];
    std::vector<std::string> operands;
    for (int o = 0; o < 8; ++o)
      if (operation->operand[o] != sim::no_operand &&
          (o < 6 || (o == sim::address_operand && operation->move)))
        operands.push_back(place(operation->operand[o]));
    fmt::print("{:40}  {}", ptx::print(source, *found.function), fmt::join(operands, ", "));
    if (operation->move)
      fmt::print("   {} bytes a lane, site {}", operation->bytes, operation->site);
    fmt::print("\n");
  }
}

sim::AccessPattern pattern_of(uint64_t stride, uint8_t bytes) {
  sim::AccessPattern pattern{};
  pattern.mask = sim::all_lanes;
  pattern.phase = 0;
  pattern.bytes = bytes;
  for (int lane = 0; lane < sim::lanes; ++lane) pattern.delta[lane] = uint64_t(lane) * stride;
  return pattern;
}

void show_access_patterns() {
  struct Row {
    const char* what;
    uint64_t stride;
    uint8_t bytes;
  };
  constexpr Row rows[] = {
      {"all lanes one float", 0, 4},           {"neighbouring floats", 4, 4},
      {"neighbouring float4", 16, 16},         {"every second float", 8, 4},
      {"a column, rows of 32 floats", 128, 4}, {"a column, rows of 33 floats", 132, 4}};
  fmt::print("lanes of a warp read           sectors, global   wavefronts, shared   conflicts\n");
  for (const Row& row : rows) {
    sim::AccessPattern global = pattern_of(row.stride, row.bytes), shared = global;
    sim::analyse_global(global);
    sim::analyse_shared(shared);
    fmt::print("{:30}{:16}{:21}{:12}\n", row.what, global.sectors, shared.wavefronts,
               shared.conflicts);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4)
    throw Error{"tour", "PROGRAM KERNEL instruction|basic_blocks|operations|access_patterns", ""};
  const Found found = find_kernel(argv[1], argv[2]);
  sim::Memory memory{1ull << 32};
  const auto program = sim::decode(sim::load_module(found.module, memory), found.function->name);
  const std::string part = argv[3];
  if (part == "instruction")
    show_instruction(found);
  else if (part == "basic_blocks")
    show_basic_blocks(*program);
  else if (part == "operations")
    show_operations(found, *program);
  else if (part == "access_patterns")
    show_access_patterns();
  else
    throw Error{"tour", "no part '" + part + "'"};
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_code;
}
