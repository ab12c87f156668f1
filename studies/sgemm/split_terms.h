// Single-precision numbers split into terms of a shorter type that tensor cores multiply: 3 × bf16
// (bf16x3) and 2 × f16.
//
//   Bf16   x = x0 + x1 + x2           8 bits each with the exponents of floats: exact from 2^-109 on
//   F16    x = x0 + x1 / 2048         11 bits each: 23 bits at least, of numbers from 2^-13 to 2^15
//
// Products of terms (of A, of B) stand in the order in which they are summed, the smallest first;
// those that are left out are below 2^-24 (Bf16) and 2^-22 (F16) of the product.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cfloat>

namespace sgemm {

struct Bf16 {
  using Number = __nv_bfloat16;
  static constexpr int count = 3, products = 6;
  struct Order {
    int of_a[products] = {2, 0, 1, 1, 0, 0}, of_b[products] = {0, 2, 1, 0, 1, 0};
  };
  // What the sum of all products but the last is multiplied by before the last is added.
  static constexpr float factor = 1;
  static constexpr int k = 32, promotion_k = 32;  // of a stage, and between promotions

  static __device__ void split(float x, Number (&term)[count]) {
    term[0] = __float2bfloat16_rn(x);
    // What would be rounded to infinity is cut off instead.
    if (__hisinf(term[0]) && fabsf(x) <= FLT_MAX)
      term[0] = __ushort_as_bfloat16(x < 0 ? 0xff7f : 0x7f7f);
    const float rest = x - __bfloat162float(term[0]);
    term[1] = __float2bfloat16_rn(rest);
    term[2] = __float2bfloat16_rn(rest - __bfloat162float(term[1]));
  }
};

struct F16 {
  using Number = __half;
  static constexpr int count = 2, products = 3;
  struct Order {
    int of_a[products] = {1, 0, 0}, of_b[products] = {0, 1, 0};
  };
  static constexpr float factor = 1.0f / 2048;
  static constexpr int k = 64, promotion_k = 32;
  static constexpr float least = 1.0f / 8192;  // that has 23 bits

  static __device__ void split(float x, Number (&term)[count]) {
    term[0] = __float2half_rn(x);
    term[1] = __float2half_rn((x - __half2float(term[0])) * 2048);
  }
};

}  // namespace sgemm
