// What counters call a machine instruction: its class, and the operations it does in a lane.
#pragma once
#include "record/instruction_class.h"
#include "sass/instruction.h"

namespace headroom::sim {

InstructionClass class_of(const sass::Instruction&);
int float_operations_of(const sass::Instruction&);        // a lane
uint64_t tensor_operations_of(const sass::Instruction&);  // a warp
bool is_uniform(std::string_view opcode);  // of the uniform datapath: once for the warp
bool is_branch(std::string_view opcode);   // as Nsight Compute counts them: EXIT and BSYNC are

}  // namespace headroom::sim
