// m, n and k of an instruction that multiplies matrices, as its name has them; of a warpgroup's, one warp's share.
//
//   HMMA.16816.F32       16 × 8 × 16        DMMA.8x8x4     8 × 8 × 4
//   HGMMA.64x32x16.F32   16 × 32 × 16       BMMA.88128     8 × 8 × 128
#pragma once
#include "sass/instruction.h"

namespace headroom::sass {

struct MatrixShape {
  int m = 0, n = 0, k = 0;
};
MatrixShape matrix_shape(const Instruction&);  // 0, 0, 0 if it names none

}  // namespace headroom::sass
