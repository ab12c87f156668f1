// A decoded kernel's machine instructions as a person reads them: address, text, source line.
#include <algorithm>

#include "sass/print.h"
#include "sim/likely/likely_code.h"
#include "sim/machine_code.h"
#include "sim/program.h"

namespace headroom::sim {
namespace {

const sass::SourceLine* line_at(const sass::Function& function, uint64_t offset) {
  const auto after =
      std::upper_bound(function.lines.begin(), function.lines.end(), offset,
                       [](uint64_t at, const sass::SourceLine& line) { return at < line.offset; });
  return after == function.lines.begin() ? nullptr : &*std::prev(after);
}

// In the order of the likely machine code, which a trace has too.
MachineListing listing_of_ptx(const Program& program) {
  const ptx::Module& module = *program.module.module;
  MachineListing listing;
  listing.files = module.files;
  listing.instructions.resize(program.instructions.size());
  const std::vector<uint32_t> place = likely_order(likely_code(program), ranges_of(program));
  for (size_t i = 0; i < place.size(); ++i) {
    const InstructionAt& at = program.instructions[i];
    const ptx::Instruction& instruction = at.function->body[at.index];
    MachineInstruction& made = listing.instructions[place[i]];
    made.text = ptx::print(instruction, *at.function);
    const ptx::SourceLine& line = instruction.source;
    if (line.line <= 0 || size_t(line.file) >= listing.files.size()) continue;
    made.file = uint32_t(line.file);
    made.line = uint32_t(line.line);
  }
  return listing;
}

}  // namespace

MachineListing listing_of(const Program& program) {
  if (!program.code) return listing_of_ptx(program);
  MachineListing listing;
  listing.files = program.code->files;
  for (const InstructionAt& at : program.instructions) {
    const uint64_t offset = at.index * sass::instruction_bytes;
    MachineInstruction& made = listing.instructions.emplace_back();
    made.address = offset;
    made.text = sass::print(at.code->instructions[at.index]);
    const sass::SourceLine* line = line_at(*at.code, offset);
    if (!line || line->line == 0 || line->file >= listing.files.size()) continue;
    made.file = line->file;
    made.line = line->line;
  }
  return listing;
}

}  // namespace headroom::sim
