// Straight lines of operations as code of the host, where it has AVX-512: what a run of arithmetic and of loads and
// stores does to a warp, without going from one operation to the next. Operations it does not know, and accesses whose
// lanes lie elsewhere than last time (accesses.h), are left to the handlers (lanes/), which are the reference: results
// and counters are the same bit by bit. From basic block to basic block: flow.h.
//
//   operations  IADD3 LOP3 @P0 LDG | ATOMG | FFMA FFMA FADD   `full` of the first of each run becomes its code for
//                                                             a full warp, which ends by going on with what comes
//                                                             behind it, `masked` that for a warp of which some run
#pragma once
#include <memory>
#include <vector>

#include "sim/program.h"

namespace headroom::sim::compiled {

// Where this host can, what runs often; HEADROOM_COMPILED in the environment: 0 nothing, all everything at once.
enum class When : uint8_t { never, worth_it, at_once };
When when();

// Of the basic blocks that are asked for, by index. Changes operations; the code lasts as long as what is returned. Null: nothing was compiled. sums: with guarded
// operations and accesses, of which nobody is told but Warp::guarded and Warp::accesses. temporaries: registers that
// hold nothing from one instruction to the next.
std::shared_ptr<const void> compile(std::vector<Operation>& operations,
                                    const std::vector<BasicBlock>& basic_blocks,
                                    const std::vector<uint32_t>& asked, bool sums,
                                    const std::vector<Columns>& temporaries);

}  // namespace headroom::sim::compiled
