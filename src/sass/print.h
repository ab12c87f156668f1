// An instruction as NVIDIA's disassembler writes it.
//
//   @!P0 LDG.E.64 R4, desc[UR6][R2.64+0x10]
#pragma once
#include <string>

#include "sass/instruction.h"

namespace headroom::sass {

std::string print(const Instruction&);
std::string print(const Operand&);

}  // namespace headroom::sass
