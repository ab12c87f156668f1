// Where lanes that part at a branch come together again: BasicBlock::reconvergence_point and
// BasicBlock::is_reconvergence_point of a decoded function.
#pragma once
#include "sim/program.h"

namespace headroom::sim {

// Of the function whose basic blocks are [begin, end).
void find_reconvergence_points(Program&, uint32_t begin, uint32_t end, bool is_kernel);

}  // namespace headroom::sim
