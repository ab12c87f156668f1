// wgmma.mma_async: the product of four warps, each of which computes its 16 rows. It is done when
// it is issued, which is a legal time; what it reads stays as it is until all four have done so
// (wgmma.wait_group is their barrier).
//
//   operands in Program::operand_list: d (and addend), a or its descriptor, b's descriptor,
//   scale-d, and the metadata of a sparse a
#include <cstring>

#include "sim/described_matrix.h"
#include "sim/lanes/matrix.h"
#include "sim/spaces.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

// Eight bits or more of a unit's nth element.
uint32_t element(const unsigned char* unit, int bits, int nth) {
  uint32_t value = 0;
  std::memcpy(&value, unit + nth * (bits / 8), size_t(bits) / 8);
  return value;
}

// Rows [first, first + rows) of a matrix with k elements each: put(row, k, bits).
template <class Put>
void fetch(Warp& warp, const Operation& operation, const Described& from, Number number,
           bool across, int first, int rows, int k, Put&& put) {
  const int bits = number == Number::b1 ? 32 : bits_of(number), per_unit = 128 / bits;
  const uint64_t size = warp.block->machinery->shared_bytes;
  auto unit = [&](uint64_t address) {
    if (address + unit_bytes <= size)
      return reinterpret_cast<const unsigned char*>(warp.block->shared) + address;
    return reinterpret_cast<const unsigned char*>(resolve_shared(
        warp, __builtin_ctz(warp.mask), address, unit_bytes, "load", operation.instruction));
  };
  each_unit(from, UnitsOf{bits, across, first, rows, k}, [&](int row, int x, uint64_t address) {
    const unsigned char* at = unit(address);
    for (int e = 0; e < per_unit; ++e)
      put(across ? row + e : row, across ? x : x + e, element(at, bits, e));
  });
}

uint64_t descriptor(Warp& warp, uint32_t operand) {
  return at<uint64_t>(warp, operand)[__builtin_ctz(warp.mask)];
}

void multiply_warpgroup(Warp& warp, const Operation& operation) {
  const MatrixOperation& matrix = matrix_of(warp, operation);
  const uint32_t* operands = operands_of(warp, operation);
  const uint32_t *d = operands, *a = d + matrix.registers_d,
                 *b = a + (matrix.a_described ? 1 : matrix.registers_a), *scale = b + 1,
                 *metadata = scale + 1;
  const int n = matrix.n, wide = matrix.a == Number::b1 ? 32 : 1, k = matrix.k / wide;
  const int stored = matrix.group ? k / 2 : k;
  uint32_t a_bits[max_rows * max_k], widened[max_rows * max_k], b_bits[64 * max_columns],
      c_bits[max_rows * max_columns], d_bits[max_rows * max_columns];
  if (matrix.a_described) {
    fetch(warp, operation, Described(descriptor(warp, *a)), matrix.a, matrix.a_across,
          int(warp.index % 4) * max_rows, max_rows, stored,
          [&](int row, int x, uint32_t bits) { a_bits[row * stored + x] = bits; });
  } else {
    take_fragment(warp, a, matrix.registers_a, matrix.a, matrix.order_a, a_bits);
  }
  fetch(warp, operation, Described(descriptor(warp, *b)), matrix.b, matrix.b_across, 0, n, k,
        [&](int column, int x, uint32_t bits) {
          b_bits[(column / column_block * k + x) * column_block + column % column_block] = bits;
        });
  const bool adds = *at<uint32_t>(warp, *scale) >> __builtin_ctz(warp.mask) & 1;
  if (adds)
    take_fragment(warp, d, matrix.registers_d, matrix.d, matrix.order_c, c_bits);
  else
    std::memset(c_bits, 0, sizeof(uint32_t) * size_t(matrix.m * n));
  if (matrix.group) widen_sparse(warp, matrix, *metadata, a_bits, widened);
  multiply(matrix, matrix.group ? widened : a_bits, b_bits, c_bits, d_bits);
  put_fragment(warp, d, matrix.registers_d, matrix.d, matrix.order_d, d_bits);
}

}  // namespace

void matrix_warpgroup_rows(RowTable& table) {
  table.add("!multiply.warpgroup", Row{&multiply_warpgroup, &multiply_warpgroup, {}, 0, 0});
}

}  // namespace headroom::sim::HEADROOM_ISA
