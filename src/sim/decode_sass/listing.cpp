// A decoded kernel's machine instructions as a person reads them: address, text, source line.
#include <algorithm>

#include "sass/print.h"
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

}  // namespace

MachineListing listing_of(const Program& program) {
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
