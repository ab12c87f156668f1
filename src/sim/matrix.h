// A product of matrices as an operation: which elements the lanes hold, and how their products are
// summed.
//
//   mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32   m 16, n 8, k 16, f16 times f16 into f32;
//                                                       a: 4 registers, b: 2, c and d: 4
//
// Where an element lies is data, not code: an order says for every element of a matrix which one of
// the fragment it is. A fragment's elements are counted register by register, within a register
// from the low bits up, and 32 lanes of each: element (r·p + i)·32 + lane, of p in a register.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace headroom::sim {

enum class Number : uint8_t {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
  none
};
[[gnu::always_inline]] constexpr int bits_of(Number number) {
  switch (number) {
    case Number::f16:
    case Number::bf16: return 16;
    case Number::f64: return 64;
    case Number::e4m3:
    case Number::e5m2:
    case Number::s8:
    case Number::u8: return 8;
    case Number::s4:
    case Number::u4: return 4;
    case Number::b1: return 1;
    default: return 32;
  }
}
// Elements of a 32-bit register, or of a 64-bit one of f64.
[[gnu::always_inline]] constexpr int elements_of_register(Number number) {
  return bits_of(number) >= 32 ? 1 : 32 / bits_of(number);
}
Number number_named(std::string_view);  // ".f16"; none if it is none

using Order = std::vector<uint32_t>;

// How products become a sum. Measured on sm_90; docs/tensor.md has the models and what was
// compared.
enum class Sum : uint8_t {
  fused,         // all products and the addend, aligned and truncated, then summed exactly
  fused_halves,  // fp8 of mma.sync: two fused sums over half of k each, the addend rounded onto
                 // them
  chain,         // f16 of m8n8k4 into f32: fma by fma from zero, the addend last
  pairs,         // f16 of m8n8k4 into f16: the first pair, the addend, the second pair
  chain_from,    // f64: fma by fma from the addend
  integers,
  bits_and,
  bits_xor
};

// Block: how many columns of B stand side by side in a product's inner loop.
inline constexpr int column_block = 8;

struct MatrixOperation {
  int m = 0, n = 0, k = 0;  // of what one warp computes; k counts the zeros of a sparse matrix
  int products = 1;         // independent ones of that shape: four of m8n8k4
  Number a = Number::none, b = Number::none, c = Number::none, d = Number::none;
  Sum sum = Sum::fused;
  int fraction_bits = 25;  // kept below the greatest exponent when products are aligned
  int result_bits = 23;    // fraction of an f32 result
  int at_once = 0;         // products summed at once, of k; the rest are added onto the result
  bool saturates = false;
  uint8_t round = 0;  // f64: meaning::Round
  // Sizes in registers, and where each begins in Program::operand_list: d, c, a, b, then the rest.
  int registers_a = 0, registers_b = 0, registers_c = 0, registers_d = 0;
  // Which element of a fragment a matrix has at [product][m][k] (of a sparse one [m][k / 2]), at
  // [product][n / column_block][k][column_block] and at [product][m][n]. Of d the other way round.
  Order order_a, order_b, order_c, order_d;
  // Sparse: of each group of dense elements, those that are stored; metadata say which.
  int group = 0;     // dense elements of a group: 4, of tf32 2, of s4 and u4 8; 0: dense
  int selector = 0;  // which lanes of each four hold the metadata
  // Of a warpgroup: a descriptor in place of registers, and what becomes of it.
  bool a_described = false, b_described = false, a_across = false, b_across = false;
  bool a_negative = false, b_negative = false;
};

struct Cell {
  int row, column;
};

// A matrix between memory and registers: ldmatrix, stmatrix, wmma.load, wmma.store. The registers,
// the address and (wmma) the stride follow each other in Program::operand_list.
struct MatrixAccess {
  int registers = 0;
  Number number = Number::none;
  uint8_t place = 0;  // sim::Place: shared, global or generic
  bool wide = true;   // the address is 64 bits
  int64_t offset = 0;
  bool across = false;      // ldmatrix .trans; wmma: columns are contiguous
  uint32_t stride = 0;      // wmma, where no operand says it
  std::vector<Cell> cells;  // wmma: of every element of the fragment
};

// Where in its matrix an element of a fragment lies. Measured where the manual leaves it open
// (wmma).
Cell cell_of_a(const MatrixOperation&, int lane, int reg, int element);
Cell cell_of_b(const MatrixOperation&, int lane, int reg, int element);
Cell cell_of_c(const MatrixOperation&, Number, int lane, int reg, int element);

int in_halves(const MatrixOperation&, int k);  // where element k stands in the order of summation

// Fill in the orders, from the shape, the types and the numbers of registers.
void place_fragments(MatrixOperation&);
void place_quads(MatrixOperation&, bool a_is_row, bool b_is_row);  // m8n8k4 of f16

}  // namespace headroom::sim
