// An instruction as NVIDIA's disassembler writes it; of an unknown encoding its bits.
//
//   @!P0 LDG.E.64 R4, desc[UR6][R2.64+0x10]          unknown: 0x0000000604047c2c 0x004fd20008000004
#pragma once
#include <string>

#include "sass/instruction.h"

namespace headroom::sass {

std::string print(const Instruction&);
std::string print(const Operand&);

}  // namespace headroom::sass
