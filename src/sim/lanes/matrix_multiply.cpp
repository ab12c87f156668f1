// mma.sync and wmma.mma: a warp's product of matrices that lie in registers.
//
//   operands in Program::operand_list: d, c, a, b, and the metadata of a sparse a
#include <cstring>

#include "sim/lanes/matrix.h"
#include "sim/meaning/float.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

// Elements of a fragment, 32 lanes of each, as bits.
template <int Bits>
void spread(Warp& warp, const uint32_t* operands, int registers, uint32_t* out) {
  for (int r = 0; r < registers; ++r) {
    const uint32_t* word = at<uint32_t>(warp, operands[r]);
    for (int e = 0; e < 32 / Bits; ++e, out += lanes) {
      for (int lane = 0; lane < lanes; ++lane)
        out[lane] = Bits == 32 ? word[lane] : word[lane] >> (e * Bits) & ((1ull << Bits) - 1);
    }
  }
}

template <int Bits>
void pack(Warp& warp, const uint32_t* operands, int registers, const Order& order,
          const uint32_t* bits) {
  const uint32_t* from = order.data();
  for (int r = 0; r < registers; ++r) {
    uint32_t word[lanes] = {};
    for (int e = 0; e < 32 / Bits; ++e, from += lanes) {
      for (int lane = 0; lane < lanes; ++lane) word[lane] |= bits[from[lane]] << (e * Bits);
    }
    keep<false>(warp, operands[r], word);
  }
}

// The NaN of f64 products: the one of B, else that of the addend, else that of A, made quiet.
double which_nan(double a, double b, double c) {
  const double found = b != b ? b : c != c ? c : a;
  const uint64_t bits = found != found ? meaning::bits_of(found) : 0xfff0000000000000;
  return meaning::float_of<double>(bits | 0x0008000000000000);
}

// f64: fma by fma along k, from the addend.
template <meaning::Round R>
void multiply_doubles(Warp& warp, const Operation& operation) {
  const MatrixOperation& matrix = matrix_of(warp, operation);
  const uint32_t* operands = operands_of(warp, operation);
  const uint32_t *d = operands, *c = d + matrix.registers_d, *a = c + matrix.registers_c,
                 *b = a + matrix.registers_a;
  const int n = matrix.n, k = matrix.k;
  double sums[max_rows * column_block];
  auto element = [&](const uint32_t* fragment, uint32_t nth) {
    return at<double>(warp, fragment[nth / lanes])[nth % lanes];
  };
  for (int i = 0; i < matrix.m; ++i) {
    double* sum = sums + i * n;
    for (int j = 0; j < n; ++j) sum[j] = element(c, matrix.order_c[size_t(i * n + j)]);
    for (int x = 0; x < k; ++x) {
      const double left = element(a, matrix.order_a[size_t(i * k + x)]);
      for (int j = 0; j < n; ++j) {
        const double right = element(b, matrix.order_b[size_t(x * column_block + j)]);
        const double addend = sum[j];
        sum[j] = meaning::fma<double, R>(left, right, addend);
        if (sum[j] != sum[j]) sum[j] = which_nan(left, right, addend);
      }
    }
  }
  for (int r = 0; r < matrix.registers_d; ++r) {
    double out[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      out[lane] = sums[matrix.order_d[size_t(r * lanes + lane)]];
    keep<false>(warp, d[r], out);
  }
}

void multiply_registers(Warp& warp, const Operation& operation) {
  const MatrixOperation& matrix = matrix_of(warp, operation);
  const uint32_t* operands = operands_of(warp, operation);
  const uint32_t *d = operands, *c = d + matrix.registers_d, *a = c + matrix.registers_c,
                 *b = a + matrix.registers_a, *metadata = b + matrix.registers_b;
  uint32_t a_bits[max_rows * max_k * 2], b_bits[max_k * 32], c_bits[512], d_bits[512];
  take_fragment(warp, a, matrix.registers_a, matrix.a, matrix.order_a, a_bits);
  take_fragment(warp, b, matrix.registers_b, matrix.b, matrix.order_b, b_bits);
  take_fragment(warp, c, matrix.registers_c, matrix.c, matrix.order_c, c_bits);
  const uint32_t* dense = a_bits;
  uint32_t widened[max_rows * max_k];
  if (matrix.group) {
    widen_sparse(warp, matrix, *metadata, a_bits, widened);
    dense = widened;
  }
  for (int p = 0; p < matrix.products; ++p) {
    multiply(matrix, dense + p * matrix.m * matrix.k, b_bits + p * matrix.k * matrix.n,
             c_bits + p * matrix.m * matrix.n, d_bits + p * matrix.m * matrix.n);
  }
  put_fragment(warp, d, matrix.registers_d, matrix.d, matrix.order_d, d_bits);
}

constexpr Row whole_warp(Handler handler) { return Row{handler, handler, {}, 0, 0}; }

}  // namespace

void take_fragment(Warp& warp, const uint32_t* operands, int registers, Number number,
                   const Order& order, uint32_t* bits) {
  uint32_t spread_out[64 * 2 * lanes];
  switch (bits_of(number)) {
    case 16: spread<16>(warp, operands, registers, spread_out); break;
    case 8: spread<8>(warp, operands, registers, spread_out); break;
    case 4: spread<4>(warp, operands, registers, spread_out); break;
    default: spread<32>(warp, operands, registers, spread_out);
  }
  const uint32_t* from = order.data();
  const size_t count = order.size();
  for (size_t i = 0; i < count; ++i) bits[i] = spread_out[from[i]];
}

void put_fragment(Warp& warp, const uint32_t* operands, int registers, Number number,
                  const Order& order, const uint32_t* bits) {
  if (bits_of(number) == 16)
    pack<16>(warp, operands, registers, order, bits);
  else
    pack<32>(warp, operands, registers, order, bits);
}

// Metadata: two bits say which of four neighbours a number is, the lower of a pair first; of tf32
// four bits which of two, and for s4 and u4 neighbours are pairs of numbers. Lane 4g + t of the
// warp has rows g and g + 8.
void widen_sparse(Warp& warp, const MatrixOperation& operation, uint32_t metadata,
                  const uint32_t* packed, uint32_t* bits) {
  const uint32_t* words = at<uint32_t>(warp, metadata);
  const int k = operation.k, stored = k / 2, side_by_side = operation.group == 8 ? 2 : 1;
  const int index_bits = operation.group == 2 ? 4 : 2;  // of an index
  const int indices = stored / side_by_side;            // of a row
  const int row_bits = indices * index_bits;            // 16, 32 or 64
  const uint32_t nothing = absent_bits(operation.a);
  for (int i = 0; i < operation.m * k; ++i) bits[i] = nothing;
  for (int row = 0; row < operation.m; ++row) {
    for (int n = 0; n < indices; ++n) {
      const int bit = n * index_bits;
      const int upper = row / 8, quad = 4 * (row % 8);
      // 16 bits a row: one lane has two rows. More: of 16-bit numbers and tf32 a lane has half of
      // both rows, of smaller ones 32 bits of one row.
      int lane = quad + operation.selector, from = bit + 16 * upper;
      if (row_bits > 16 && bits_of(operation.a) >= 16)
        lane = quad + 2 * operation.selector + bit / 16, from = bit % 16 + 16 * upper;
      if (row_bits > 16 && bits_of(operation.a) < 16)
        lane = quad + 2 * operation.selector + bit / 32 * 2 + upper, from = bit % 32;
      const uint32_t index = words[lane] >> from & ((1u << index_bits) - 1);
      const int group = operation.group == 2 ? n : n / 2;
      const int column = group * operation.group +
                         (operation.group == 2 ? int(index >> 3 & 1) : int(index) * side_by_side);
      for (int e = 0; e < side_by_side; ++e)
        bits[row * k + in_halves(operation, column + e)] =
            packed[row * stored + n * side_by_side + e];
    }
  }
}

void matrix_rows(RowTable& table) {
  table.add("!multiply", whole_warp(&multiply_registers));
  table.add("!multiply.f64.rn", whole_warp(&multiply_doubles<meaning::rn>));
  table.add("!multiply.f64.rz", whole_warp(&multiply_doubles<meaning::rz>));
  table.add("!multiply.f64.rm", whole_warp(&multiply_doubles<meaning::rm>));
  table.add("!multiply.f64.rp", whole_warp(&multiply_doubles<meaning::rp>));
  matrix_memory_rows(table);
  matrix_warpgroup_rows(table);
}

}  // namespace headroom::sim::HEADROOM_ISA
