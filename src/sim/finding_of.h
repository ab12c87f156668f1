// A fault of a warp as a finding: kernel, source line, thread, instruction.
#pragma once
#include "record/finding.h"
#include "sim/program.h"

namespace headroom::sim {

Finding finding_of(const Fault&, const Program&, const Warp&);

}  // namespace headroom::sim
