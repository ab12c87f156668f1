// Products of matrices: from registers to rows of numbers, their sums, and back. Elements are taken
// out of registers once, put in the order of their matrix by a table, and multiplied over
// contiguous columns.
#pragma once
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/matrix.h"

namespace headroom::sim::HEADROOM_ISA {

inline const MatrixOperation& matrix_of(const Warp& warp, const Operation& operation) {
  return warp.block->machinery->program->matrices[size_t(operation.offset)];
}
inline const uint32_t* operands_of(const Warp& warp, const Operation& operation) {
  return warp.block->machinery->program->operand_list.data() + operation.extra;
}

inline constexpr int max_columns = 256, max_k = 128, max_rows = 16;

// The elements of a fragment as bits, in the order of its matrix.
void take_fragment(Warp&, const uint32_t* operands, int registers, Number, const Order&,
                   uint32_t* bits);
// The other way round, for the lanes that run.
void put_fragment(Warp&, const uint32_t* operands, int registers, Number, const Order&,
                  const uint32_t* bits);
// What stands for an element that a sparse matrix does not store: bits that no element has, as not
// even an infinity of B adds to the sum there.
constexpr uint32_t absent_bits(Number number) {
  switch (number) {
    case Number::tf32: return 0x80000001;
    case Number::f16:
    case Number::bf16:
    case Number::e4m3:
    case Number::e5m2: return 0x80000000;
    default: return 0;
  }
}
// A sparse A with its zeros, from [m][k / 2] to [m][k].
void widen_sparse(Warp&, const MatrixOperation&, uint32_t metadata, const uint32_t* packed,
                  uint32_t* bits);

// d = a · b + c: bits of the matrices as MatrixOperation's orders have them.
void multiply(const MatrixOperation&, const uint32_t* a, const uint32_t* b, const uint32_t* c,
              uint32_t* d);

}  // namespace headroom::sim::HEADROOM_ISA
