// headroom disassemble: the machine code of a program's kernels, with what the assembler says of each
// instruction's time.
//
//   saxpy(int, float, float *, float *): sm_90, 24 instructions, 3 basic blocks
//
//   block 0, then 1 or 2
//     0x0000  ......:.:.:.: 1  LDC R1, c[0x0][0x28]                            saxpy.cu:4
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "cli/command.h"
#include "cli/image_code.h"
#include "cli/kernel_pattern.h"
#include "cli/values.h"
#include "sass/print.h"

namespace headroom {
namespace {

struct DisassembleOptions {
  std::string machine = "h200", image, kernel;
};

// "..2...:1:0:y: 4": barriers waited for, read barrier, write barrier, yield, stall.
std::string control(const sass::Control& control) {
  std::string text;
  for (int barrier = 0; barrier < 6; ++barrier)
    text += control.wait_mask >> barrier & 1 ? char('0' + barrier) : '.';
  for (const uint8_t set : {control.read_barrier, control.write_barrier})
    text += set == sass::no_barrier ? ":." : fmt::format(":{}", set);
  return text + fmt::format(":{}:{:2}", control.yield ? 'y' : '.', control.stall);
}

std::string place(const sass::Module& module, const sass::Function& function, uint64_t offset) {
  const auto after =
      std::upper_bound(function.lines.begin(), function.lines.end(), offset,
                       [](uint64_t at, const sass::SourceLine& line) { return at < line.offset; });
  if (after == function.lines.begin()) return "";
  const sass::SourceLine& line = *std::prev(after);
  const std::string& file = module.files[line.file];
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line.line);
}

std::string title(const sass::BasicBlock& block, size_t index) {
  std::string text = fmt::format("block {}", index);
  for (size_t i = 0; i < block.next.size(); ++i)
    text += fmt::format("{}{}", i ? " or " : ", then ", block.next[i]);
  if (block.elsewhere) text += block.next.empty() ? ", then elsewhere" : " or elsewhere";
  return text;
}

void show(const sass::Module& module, const sass::Function& function) {
  fmt::print("{}: sm_{}, {} instructions, {} basic blocks\n", demangle(function.name),
             module.architecture, function.instructions.size(), function.blocks.size());
  std::string before;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const sass::BasicBlock& block = function.blocks[b];
    fmt::print("\n{}\n", title(block, b));
    for (uint32_t i = block.first; i < block.last; ++i) {
      const sass::Instruction& instruction = function.instructions[i];
      const uint64_t offset = i * sass::instruction_bytes;
      for (const sass::Symbol& symbol : function.symbols)
        if (symbol.offset == offset) fmt::print("  {}:\n", demangle(symbol.name));
      const std::string text =
          instruction.opcode.empty()
              ? fmt::format("unknown: {:#018x} {:#018x}", instruction.encoding.low,
                            instruction.encoding.high)
              : print(instruction);
      const std::string from = place(module, function, offset);
      const std::string line =
          fmt::format("  {:#06x}  {}  {:<52}  {}", offset, control(instruction.control), text,
                      from == before ? "" : from);
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
      before = from;
    }
  }
  fmt::print("\n");
}

void show(const DisassembleOptions& options) {
  const KernelPattern pattern(options.kernel);
  std::vector<Caveat> caveats;
  std::string names;
  bool any = false;
  each_module(options.image, load_machine(options.machine), caveats,
              [&](const sass::Module& module) {
                for (const sass::Function& function : module.functions) {
                  const std::string name = demangle(function.name);
                  names += (names.empty() ? "" : ", ") + name;
                  if (!pattern.matches(name) && !pattern.matches(function.name)) continue;
                  show(module, function);
                  any = true;
                }
              });
  for (const Caveat& caveat : caveats)
    fmt::print(stderr, "headroom: {}: {}; {}{}{}\n", options.image, caveat.what, caveat.cause,
               caveat.advice.empty() ? "" : "\n  hint: ", caveat.advice);
  if (!any) throw Error{options.image, "no kernel matches --kernel", "it has: " + names};
}

}  // namespace

void add_disassemble(CLI::App& app, CommandLine&) {
  auto options = std::make_shared<DisassembleOptions>();
  app.add_option("IMAGE", options->image, "program, library, .fatbin, .cubin or .ptx")
      ->type_name("")
      ->check(not_empty())
      ->required();
  app.add_option("--machine", options->machine, "a name of 'headroom machine list' or a file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--kernel", options->kernel, "only kernels in whose name or signature it is found")
      ->check(not_empty())
      ->type_name("REGEX")
      ->join('|');
  app.callback([options] { show(*options); });
}

}  // namespace headroom
