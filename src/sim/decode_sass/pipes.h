// Which pipes of an SM execute an instruction, by Nsight Compute's counts on an H200.
//
//   pipes_of(FFMA R0, R1, R2, R3, 90)   {Pipe::fma}
//   pipes_of(RET.REL.NODEC R2 …, 90)    {Pipe::adu, Pipe::cbu}
//   pipes_of(BRA 0x120, 90)             {}
#pragma once
#include <span>

#include "record/pipe.h"
#include "sass/module.h"

namespace headroom::sim {

// `architecture`: 90; those of before 8.6 have a pipe of their own for packed halves (Nsight Compute's
// documentation of the pipelines), the rest is taken to be as on the H200.
std::span<const Pipe> pipes_of(const sass::Instruction&, int architecture);

}  // namespace headroom::sim
