// The sums of a product of matrices, a row of A with eight columns of B at a time.
#include "sim/lanes/matrix.h"
#include "sim/meaning/float.h"
#include "sim/meaning/tensor.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

constexpr int columns = column_block;

template <int E, int M, bool Infinity = true, int Drop = 0>
void as_factors(const uint32_t* bits, int count, int32_t* value, int32_t* exponent) {
  for (int i = 0; i < count; ++i) {
    const meaning::Factor f = meaning::factor<E, M, Infinity>(bits[i] >> Drop);
    value[i] = f.value, exponent[i] = f.exponent;
  }
}
// Fraction bits of the numbers, which is where their integers stand.
int as_factors(Number number, const uint32_t* bits, int count, int32_t* value, int32_t* exponent) {
  switch (number) {
    case Number::f16: as_factors<5, 10>(bits, count, value, exponent); return 10;
    case Number::bf16: as_factors<8, 7>(bits, count, value, exponent); return 7;
    case Number::tf32: as_factors<8, 10, true, 13>(bits, count, value, exponent); return 10;
    case Number::e4m3: as_factors<4, 3, false>(bits, count, value, exponent); return 3;
    case Number::e5m2: as_factors<5, 2>(bits, count, value, exponent); return 2;
    default: as_factors<8, 23>(bits, count, value, exponent); return 23;
  }
}

constexpr uint32_t canonical_nan(Number d) { return d == Number::f16 ? 0x7fff : 0x7fffffff; }

uint32_t result_bits(const MatrixOperation& operation, double sum) {
  const bool narrow = operation.d == Number::f16 && operation.c == Number::f16;
  if (sum != sum) return canonical_nan(narrow ? Number::f16 : Number::f32);
  return narrow ? meaning::round_f16(sum) : meaning::cut_f32(sum, operation.result_bits);
}

void round_sums(const MatrixOperation& operation, const double* sum, uint32_t* out) {
  if (operation.d == Number::f16 && operation.c == Number::f16) {
    for (int j = 0; j < columns; ++j) out[j] = meaning::round_f16(sum[j]);
  } else {
    for (int j = 0; j < columns; ++j) out[j] = meaning::cut_f32(sum[j], operation.result_bits);
  }
}

float float_of_f16(uint32_t bits) { return meaning::convert<float>(meaning::half{uint16_t(bits)}); }
uint32_t canonical_bits(float x) { return meaning::bits_of(meaning::canonical(x)); }
uint32_t f16_of(float x) { return meaning::convert<meaning::half>(x).bits; }

// One row of A, eight columns, `k` of them from `first` on; the addend and the result as bits.
struct FusedRow {
  const MatrixOperation& operation;
  const int32_t *a, *a_exponent, *b, *b_exponent;
  int lift;

  // The sums of parts of k, one after the other onto the addend. Where addend and result are of
  // different widths, the product is one of f32 and the conversions are instructions of their own.
  void in_turn(int k, const uint32_t* c, uint32_t* out) const {
    uint32_t sums[columns];
    Number addend = operation.c;
    for (int j = 0; j < columns; ++j) sums[j] = c[j];
    if (operation.c == Number::f16 && operation.d != Number::f16) {
      addend = Number::f32;
      for (int j = 0; j < columns; ++j) sums[j] = meaning::bits_of(float_of_f16(c[j]));
    }
    const int at_once = operation.at_once ? operation.at_once : k;
    for (int first = 0; first < k; first += at_once) sum(first, at_once, addend, sums, sums);
    const bool narrows = operation.d == Number::f16 && operation.c != Number::f16;
    for (int j = 0; j < columns; ++j)
      out[j] = narrows ? f16_of(std::bit_cast<float>(sums[j])) : sums[j];
  }

  void sum(int first, int k, Number addend, const uint32_t* c, uint32_t* out) const {
    int32_t value[columns], exponent[columns], greatest[columns];
    double sums[columns];
    const int fraction = as_factors(addend, c, columns, value, exponent);
    const int32_t *b_at = b + first * columns, *b_exponent_at = b_exponent + first * columns;
    meaning::fused_sums<columns>(a + first, a_exponent + first, b_at, b_exponent_at, k, lift, value,
                                 exponent, operation.fraction_bits - fraction,
                                 operation.fraction_bits, greatest, sums);
    round_sums(operation, sums, out);
    for (int j = 0; j < columns; ++j) {
      if (greatest[j] < meaning::any_not_finite) continue;
      out[j] = result_bits(
          operation, meaning::special_sum(a + first, a_exponent + first, b_at + j,
                                          b_exponent_at + j, columns, k, value[j], exponent[j]));
    }
  }
};

void fused(const MatrixOperation& operation, const uint32_t* a, const uint32_t* b,
           const uint32_t* c, uint32_t* d) {
  const int m = operation.m, n = operation.n, k = operation.k;
  int32_t a_value[max_rows * max_k], a_exponent[max_rows * max_k];
  int32_t b_value[max_k * columns], b_exponent[max_k * columns];
  const int a_fraction = as_factors(operation.a, a, m * k, a_value, a_exponent);
  if (operation.group) {
    const uint32_t nothing = absent_bits(operation.a);
    for (int i = 0; i < m * k; ++i)
      a_exponent[i] = a[i] == nothing ? meaning::of_nothing : a_exponent[i];
  }
  if (operation.a_negative != operation.b_negative) {
    for (int i = 0; i < m * k; ++i) a_value[i] = -a_value[i];
  }
  for (int block = 0; block < n / columns; ++block) {
    const int b_fraction =
        as_factors(operation.b, b + block * k * columns, k * columns, b_value, b_exponent);
    for (int i = 0; i < m; ++i) {
      const FusedRow row{operation,          a_value + i * k,
                         a_exponent + i * k, b_value,
                         b_exponent,         operation.fraction_bits - a_fraction - b_fraction};
      const uint32_t* addend = c + i * n + block * columns;
      uint32_t* out = d + i * n + block * columns;
      if (operation.sum == Sum::fused) {
        row.in_turn(k, addend, out);
        continue;
      }
      uint32_t half[columns] = {};  // fused_halves
      row.sum(0, k / 2, operation.d, half, half);
      row.sum(k / 2, k / 2, operation.d, half, half);
      for (int j = 0; j < columns; ++j) {
        out[j] =
            operation.d == Number::f16
                ? f16_of(float_of_f16(half[j]) + float_of_f16(addend[j]))
                : canonical_bits(std::bit_cast<float>(half[j]) + std::bit_cast<float>(addend[j]));
      }
    }
  }
}

// m8n8k4 of f16, which sm_80 and later run on their scalar pipes.
void chains(const MatrixOperation& operation, const uint32_t* a, const uint32_t* b,
            const uint32_t* c, uint32_t* d) {
  for (int i = 0; i < operation.m; ++i) {
    for (int j = 0; j < operation.n; ++j) {
      const uint32_t bits = c[i * operation.n + j];
      const float addend =
          operation.c == Number::f16 ? float_of_f16(bits) : std::bit_cast<float>(bits);
      float left[4], right[4];
      for (int x = 0; x < 4; ++x) {
        left[x] = float_of_f16(a[i * operation.k + x]);
        right[x] = float_of_f16(b[x * columns + j]);
      }
      auto pair = [&](int x) { return std::fma(left[x + 1], right[x + 1], left[x] * right[x]); };
      float sum = 0;
      if (operation.sum == Sum::pairs) {
        sum = pair(0) + addend + pair(2);
      } else {
        for (int x = 0; x < 4; ++x) sum = std::fma(left[x], right[x], sum);
        sum += addend;
      }
      d[i * operation.n + j] = operation.d == Number::f16 ? f16_of(sum) : canonical_bits(sum);
    }
  }
}

int32_t integer_of(Number number, uint32_t bits) {
  switch (number) {
    case Number::s8: return int8_t(bits);
    case Number::s4: return int32_t(bits << 28) >> 28;
    default: return int32_t(bits);
  }
}

void integers(const MatrixOperation& operation, const uint32_t* a, const uint32_t* b,
              const uint32_t* c, uint32_t* d) {
  const int m = operation.m, n = operation.n, k = operation.k;
  int32_t rows[max_rows * max_k], block_of_b[max_k * columns];
  for (int i = 0; i < m * k; ++i) rows[i] = integer_of(operation.a, a[i]);
  for (int block = 0; block < n / columns; ++block) {
    for (int i = 0; i < k * columns; ++i)
      block_of_b[i] = integer_of(operation.b, b[block * k * columns + i]);
    for (int i = 0; i < m; ++i) {
      int32_t sum[columns] = {};
      for (int x = 0; x < k; ++x) {
        for (int j = 0; j < columns; ++j) sum[j] += rows[i * k + x] * block_of_b[x * columns + j];
      }
      for (int j = 0; j < columns; ++j) {
        const int at = i * n + block * columns + j;
        int64_t whole = int64_t(sum[j]) + int32_t(c[at]);
        if (operation.saturates) {
          whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
        }
        d[at] = uint32_t(whole);
      }
    }
  }
}

template <bool Xor>
void bits(const MatrixOperation& operation, const uint32_t* a, const uint32_t* b, const uint32_t* c,
          uint32_t* d) {
  const int n = operation.n, words = operation.k / 32;
  for (int i = 0; i < operation.m; ++i) {
    for (int j = 0; j < n; ++j) {
      uint32_t sum = c[i * n + j];
      for (int x = 0; x < words; ++x) {
        const uint32_t left = a[i * words + x],
                       right = b[(j / columns * words + x) * columns + j % columns];
        sum += uint32_t(__builtin_popcount(Xor ? left ^ right : left & right));
      }
      d[i * n + j] = sum;
    }
  }
}

}  // namespace

void multiply(const MatrixOperation& operation, const uint32_t* a, const uint32_t* b,
              const uint32_t* c, uint32_t* d) {
  switch (operation.sum) {
    case Sum::fused:
    case Sum::fused_halves: return fused(operation, a, b, c, d);
    case Sum::chain:
    case Sum::pairs: return chains(operation, a, b, c, d);
    case Sum::chain_from: return;  // of doubles: matrix_multiply.cpp
    case Sum::integers: return integers(operation, a, b, c, d);
    case Sum::bits_and: return bits<false>(operation, a, b, c, d);
    case Sum::bits_xor: return bits<true>(operation, a, b, c, d);
  }
}

}  // namespace headroom::sim::HEADROOM_ISA
