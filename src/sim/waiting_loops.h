// Which loops of a decoded kernel wait for what others do: BasicBlock::spins and
// BasicBlock::changes.
#pragma once
#include "sim/program.h"

namespace headroom::sim {

void mark_waiting_loops(Program&);

}  // namespace headroom::sim
