// Which loops of a kernel's PTX wait for what others do (sim/waiting_loops.h).
#pragma once
#include "sim/program.h"

namespace headroom::sim {

void mark_waiting_loops(Program&);

}  // namespace headroom::sim
