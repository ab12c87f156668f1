// How long a product of matrices keeps a tensor core: as multiply-adds of FP16 that take as long.
//
//   HMMA.16816.F32        2048    16 × 8 × 16
//   HMMA.1688.F32.TF32    2048    1024, each of twice the bits
//   IMMA.16832.S8.S8      2048    4096, each of half the bits
//   HMMA.SP.16832.F32     2048    4096, half of them on zeros that are left out
#pragma once
#include "machine/machine.h"
#include "sass/instruction.h"

namespace headroom {

// 0: no product of matrices (HFMA2.MMA).
double f16_multiply_adds(const sass::Instruction&);

bool is_of_warpgroup(const sass::Instruction&);

// On a sub-partition; where the machine's rate is not known, an H200's.
double cycles_of_product(const sass::Instruction&, const Machine&);

}  // namespace headroom
