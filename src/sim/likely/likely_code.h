// What ptxas would likely make of a kernel's PTX: for the time model, where there is no machine code.
// Nothing executes it.
//
//   fma.rn.f32 %f3, %f1, %f2, %f3;   ->   FFMA R3, R1, R2, R3
//   mov.u32 %r2, %r1;                ->   none of it: another name of the same value
//   rem.s32 %r3, %r1, %r2;           ->   22 times IMAD R3, R1, R2
//
// A guess of what an optimising assembler does: constants, moves and widened addresses become operands,
// loads are issued early. Registers are numbered through all functions, predicates among them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "record/trace.h"
#include "sass/module.h"

namespace headroom::sim {

struct Program;

struct LikelyCode {
  std::shared_ptr<const sass::Function> code;  // as many instructions as the program has
  struct Times {
    uint8_t all, on_unit;  // machine instructions that it stands for, and those on its own unit
  };
  std::vector<Times> times;  // machine instructions that each stands for
};
LikelyCode likely_code(const Program&);

// The instructions of each basic block, which stand in a row; no instruction is of two.
std::vector<TracedBasicBlock> ranges_of(const Program&);

// Where each instruction goes: its new place in its basic block. The longest chains go first, behind what they
// need and the stores before them; few loads wait for their first use.
std::vector<uint32_t> likely_order(const LikelyCode&, const std::vector<TracedBasicBlock>&);

}  // namespace headroom::sim
