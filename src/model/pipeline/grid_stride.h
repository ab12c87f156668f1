// Whether a loop goes over its work by the size of the grid, so that more blocks are fewer rounds.
//
//   LDC R3, c[0x0][0xc]; …; IMAD R0, R3, c[0x0][0x0], R0; ISETP …; @!P0 BRA …     i += gridDim.x * blockDim.x: yes
//   IMAD R0, R4, c[0x0][0xc], R5; …; IADD3 R2, R2, 0x4, RZ; @P0 BRA …             where it begins alone: no
#pragma once
#include "model/pipeline/loops.h"

namespace headroom {

// Machine code alone; of what PTX would likely become it is not asked.
bool strides_over_grid(const Trace&, const Loops&);

}  // namespace headroom
