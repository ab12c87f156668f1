// What becomes of the bytes of an instruction's operands: which it copies, which it computes with,
// and which registers hold them.
//
//   mov.b64 %rd1, {%r1, %r2}     copies: bytes of %r1, then of %r2
//   add.s32 %r3, %r1, 1          computes: all bytes of %r3 follow from all bytes of %r1
//   selp.b32 %r3, %r1, %r2, %p1  selects: of %r1 or %r2, as %p1 says
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program.h"

namespace headroom::sim::check {

struct Part {  // a register, or a constant of so many bytes a lane; predicates have none
  uint32_t at = no_operand;  // in the warp's block; no_operand: a constant
  uint8_t bytes = 0;
  bool negated = false;  // of a predicate
  uint64_t bits = 0;     // of a constant
  uint8_t which = 0xff;  // bytes of it that count, a bit each
  bool is_predicate() const { return at != no_operand && bytes == 0; }
};

struct Flow {
  enum class Kind : uint8_t {
    nothing,  // what it writes is written: constants, matrices, textures
    copies,
    computes,
    selects,
    masks,      // and.b32, or.b32: constants hide bytes
    shifts,     // shl, shr: by a register or a constant
    permutes,   // prmt
    widens,     // cvt between integers
    bitwise,    // machine code: LOP3, PLOP3
    funnels,    // … SHF of a pair
    places,     // … a * 2^n + b
    packs,      // … two numbers into the halves of a register
    halves,     // … the halves of a register by themselves
    compares,   // … ISETP and the like: a comparison and, or another predicate, the last operand
    exchanges,  // shfl
    gathers,    // vote, match, redux: of all lanes
    loads,
    stores,
    modifies,       // atom, red
    copies_memory,  // cp.async
  };
  Kind kind = Kind::nothing;
  bool is_or = false, to_right = false, is_signed = false;
  bool only_exchanges = false;  // atom.exch
  char mode = 0;                // of a shuffle: u(p), d(own), b(fly), i(dx)
  bool for_all_lanes = false;   // of the uniform datapath
  uint8_t table = 0;    // bitwise: the result by the bits of the operands, the first the highest
  uint8_t element = 0;  // bytes of each value that a load or store moves, or a cvt reads
  std::vector<Part> to, from;
  std::vector<Part> address;  // of a memory instruction
  std::vector<Part> guards;   // that decide whether it runs, or where a branch goes
};

Flow flow_of(const Program&, uint32_t instruction);
Flow flow_of_code(const Program&, uint32_t instruction);  // of machine code (machine_flow.cpp)

}  // namespace headroom::sim::check
