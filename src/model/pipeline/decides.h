// Whether what an instruction gives decides how often the warps go round a loop: as a number drawn from a counter does, and a place
// in a list where results are put does not.
//
//   ATOMG.ADD R5, …;  ISETP.GE P0, R5, R2;  @P0 EXIT        true
//   ATOMG.ADD R5, …;  IMAD.WIDE R6, R5, 4, R8;  STG [R6]    false
#pragma once
#include <cstdint>

#include "record/trace.h"

namespace headroom {

bool decides_a_loop(const Trace&, uint32_t instruction);

}  // namespace headroom
