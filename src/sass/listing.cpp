#include "sass/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sass/print.h"

namespace headroom::sass {
namespace {

// "..2...:1:0:y: 4": barriers waited for, read barrier, write barrier, yield, stall.
std::string control_text(const Control& control) {
  std::string text;
  for (int barrier = 0; barrier < 6; ++barrier)
    text += control.wait_mask >> barrier & 1 ? char('0' + barrier) : '.';
  for (const uint8_t set : {control.read_barrier, control.write_barrier})
    text += set == no_barrier ? ":." : fmt::format(":{}", set);
  return text + fmt::format(":{}:{:2}", control.yield ? 'y' : '.', control.stall);
}

std::string source_of(const Module& module, const Function& function, uint64_t offset) {
  const auto after =
      std::upper_bound(function.lines.begin(), function.lines.end(), offset,
                       [](uint64_t at, const SourceLine& line) { return at < line.offset; });
  if (after == function.lines.begin()) return "";
  const SourceLine& line = *std::prev(after);
  const std::string& file = module.files[line.file];
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line.line);
}

std::string title(const BasicBlock& block, size_t index) {
  std::string text = fmt::format("block {}", index);
  for (size_t i = 0; i < block.next.size(); ++i)
    text += fmt::format("{}{}", i ? " or " : ", then ", block.next[i]);
  if (block.elsewhere) text += block.next.empty() ? ", then elsewhere" : " or elsewhere";
  return text;
}

}  // namespace

std::string list(const Module& module, const Function& function,
                 const std::function<std::string(const std::string&)>& name_of) {
  std::string text =
      fmt::format("{}: sm_{}, {} instructions, {} basic blocks\n", name_of(function.name),
                  module.architecture, function.instructions.size(), function.blocks.size());
  std::multimap<uint64_t, std::string> names;
  for (const Symbol& symbol : function.symbols) names.emplace(symbol.offset, symbol.name);
  std::string before;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const BasicBlock& block = function.blocks[b];
    text += "\n" + title(block, b) + "\n";
    for (uint32_t i = block.first; i < block.last; ++i) {
      const Instruction& instruction = function.instructions[i];
      const uint64_t offset = i * instruction_bytes;
      const auto [first, last] = names.equal_range(offset);
      for (auto name = first; name != last; ++name) text += "  " + name_of(name->second) + ":\n";
      const std::string from = source_of(module, function, offset);
      const std::string line =
          fmt::format("  {:#06x}  {}  {:<52}  {}", offset, control_text(instruction.control),
                      print(instruction), from == before ? "" : from);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      before = from;
    }
  }
  return text;
}

}  // namespace headroom::sass
