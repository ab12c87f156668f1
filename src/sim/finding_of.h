// A fault of a warp as a finding: kernel, source line, thread, instruction.
#pragma once
#include "record/finding.h"
#include "sim/program.h"

namespace headroom::sim {

// The line of the program and the text of an instruction.
void describe_place(const Program&, uint32_t instruction, std::string& source, std::string& text);
Finding finding_of(const Fault&, const Program&, const Warp&);

}  // namespace headroom::sim
