// 128 bits become an Instruction.
//
//   decode({0x0000001102117212, 0x000fe200078efe10}, 0x40, 90) --> LOP3.LUT R17, R2, R17, R16, 0xfe, !PT
#pragma once
#include <optional>

#include "sass/instruction.h"

namespace headroom::sass {

inline constexpr int first_architecture = 75, last_architecture = 90;

Control control_of(const Encoding&);
// Encoding, control word and guard alone; the opcode is empty.
Instruction undecoded(const Encoding&);
// `offset` is the instruction's own place in its section, for labels; `architecture` as in sm_90.
// Nothing where no form fits: data, or the machine code of an architecture that is not between those
// two.
std::optional<Instruction> decode(const Encoding&, uint64_t offset, int architecture);

}  // namespace headroom::sass
