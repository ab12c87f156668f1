// Straight lines of operations as code of the host, where it has AVX-512: what a run of arithmetic does to a
// full warp, without going from one operation to the next. Operations it does not know, accesses, guarded
// operations and warps of which only some lanes run are left to the handlers (lanes/), which are the
// reference: results and counters are the same bit by bit.
//
//   operations  IADD3 LOP3 SHF | LDG | FFMA FFMA FADD      full of the first of each run becomes its code,
//                                                           which ends by going on with what comes behind it
#pragma once
#include <memory>
#include <vector>

#include "sim/program.h"

namespace headroom::sim::compiled {

// Changes `full` of operations; the code lasts as long as what is returned. Null: nothing was compiled.
std::shared_ptr<const void> compile(std::vector<Operation>& operations,
                                    const std::vector<BasicBlock>& basic_blocks);

}  // namespace headroom::sim::compiled
