// The classes of arithmetic instructions that latency.cu and arithmetic.cu measure, one row each.
//
//   struct Ffma    name "ffma", instruction "FFMA"
//     Ffma::step(x, a, b)    on the GPU
//     Ffma::host(x, a, b)    the same on the host
//
// A step depends on the one before through x; a and b are the same for all. `count` machine
// instructions make a step: those that the class cannot do without, where its result cannot be its
// operand (a comparison gives no number), stand beside it: "ISETP + SEL". asm volatile keeps the
// compiler from dropping or merging steps; that ptxas left them is checked in the machine code
// (instructions.txt). What is exact (tolerance 0) must equal the host bit for bit, the rest to
// within the tolerance times the larger of 1 and the result.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <tuple>

#include "machines/probes/probe.cuh"

namespace probe {

template <typename Half>
uint32_t pair_of(Half low, Half high) {
  uint32_t bits = 0;
  std::memcpy(&bits, &low, 2);
  std::memcpy(reinterpret_cast<char*>(&bits) + 2, &high, 2);
  return bits;
}
// f on both halves of packed operands; double holds every product and sum of the inputs exactly.
template <typename Half, typename Function>
uint32_t each_half(uint32_t x, uint32_t a, uint32_t b, Function f) {
  Half result[2], operand[3][2];
  const uint32_t packed[3] = {x, a, b};
  std::memcpy(operand, packed, sizeof packed);
  for (int i = 0; i < 2; ++i)
    result[i] = Half(f(double(float(operand[0][i])), double(float(operand[1][i])),
                       double(float(operand[2][i]))));
  return pair_of(result[0], result[1]);
}
inline double plus(double x, double a, double) { return x + a; }
inline double times(double x, double a, double) { return x * a; }
inline double plus_times(double x, double a, double b) { return x * a + b; }

// The reciprocal of a reciprocal would be left out, whatever PTX says: it is changed in between.
inline float flip_last(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  bits ^= 1;
  std::memcpy(&x, &bits, 4);
  return x;
}

#define OPERATION(Row, Type, letter, name_, instruction_, count_, tolerance_, ptx, expression) \
  struct Row {                                                                                 \
    using T = Type;                                                                            \
    static constexpr const char *name = name_, *instruction = instruction_;                    \
    static constexpr int count = count_;                                                       \
    static constexpr double tolerance = tolerance_;                                            \
    static __device__ __forceinline__ void step(T& x, T a, T b) {                              \
      asm volatile("{" ptx "}" : "+" letter(x) : letter(a), letter(b));                        \
    }                                                                                          \
    static T host([[maybe_unused]] T x, [[maybe_unused]] T a, [[maybe_unused]] T b) {          \
      return T(expression);                                                                    \
    }                                                                                          \
  };

// clang-format off
OPERATION(Ffma, float, "f", "ffma", "FFMA", 1, 0, "fma.rn.f32 %0, %0, %1, %2;", std::fma(x, a, b))
OPERATION(Fadd, float, "f", "fadd", "FADD", 1, 0, "add.rn.f32 %0, %0, %1;", x + a)
OPERATION(Fmul, float, "f", "fmul", "FMUL", 1, 0, "mul.rn.f32 %0, %0, %1;", x * a)
OPERATION(Fmnmx, float, "f", "fmnmx", "FMNMX", 2, 0, "min.f32 %0, %0, %1; max.f32 %0, %0, %2;", std::max(std::min(x, a), b))
OPERATION(Fsetp, float, "f", "fsetp_fsel", "FSETP + FSEL", 2, 0, ".reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %1, p;", x < a ? b : a)
OPERATION(Iadd3, uint32_t, "r", "iadd3", "IADD3", 1, 0, "add.u32 %0, %0, %1; add.u32 %0, %0, %2;", x + a + b)
OPERATION(Imad, uint32_t, "r", "imad", "IMAD", 1, 0, "mad.lo.u32 %0, %0, %1, %2;", x * a + b)
OPERATION(ImadHigh, uint32_t, "r", "imad_high", "IMAD.HI.U32", 1, 0, "mad.hi.u32 %0, %0, %1, %2;", uint32_t(uint64_t(x) * a >> 32) + b)
OPERATION(ImadWide, uint64_t, "l", "imad_wide", "IMAD.WIDE.U32", 1, 0, ".reg .u32 x, y; mov.b64 {x, y}, %0; mul.wide.u32 %0, x, y;", (x >> 32) * uint32_t(x))
OPERATION(Lop3, uint32_t, "r", "lop3", "LOP3.LUT", 1, 0, "lop3.b32 %0, %0, %1, %2, 0x6a;", (x & a) ^ b)
OPERATION(Shf, uint32_t, "r", "shf", "SHF", 1, 0, "shf.l.wrap.b32 %0, %0, %1, %2;", (b & 31) ? a << (b & 31) | x >> (32 - (b & 31)) : a)
OPERATION(Shl, uint32_t, "r", "shl_lop3", "SHF + LOP3.LUT", 2, 0, "shl.b32 %0, %0, %1; xor.b32 %0, %0, %2;", (a > 31 ? 0 : x << a) ^ b)
OPERATION(Isetp, uint32_t, "r", "isetp_sel", "ISETP + SEL", 2, 0, ".reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %2, %1, p;", x < a ? b : a)
OPERATION(Imnmx, uint32_t, "r", "imnmx", "VIMNMX", 2, 0, "min.u32 %0, %0, %1; max.u32 %0, %0, %2;", std::max(std::min(x, a), b))
OPERATION(Popc, uint32_t, "r", "popc_lop3", "POPC + LOP3.LUT", 2, 0, "popc.b32 %0, %0; xor.b32 %0, %0, %1;", __builtin_popcount(x) ^ a)
OPERATION(Dfma, double, "d", "dfma", "DFMA", 1, 0, "fma.rn.f64 %0, %0, %1, %2;", std::fma(x, a, b))
OPERATION(Dadd, double, "d", "dadd", "DADD", 1, 0, "add.rn.f64 %0, %0, %1;", x + a)
OPERATION(Dmul, double, "d", "dmul", "DMUL", 1, 0, "mul.rn.f64 %0, %0, %1;", x * a)
OPERATION(Hfma2, uint32_t, "r", "hfma2", "HFMA2, HFMA2.MMA", 1, 0, "fma.rn.f16x2 %0, %0, %1, %2;", (each_half<__half>(x, a, b, plus_times)))
OPERATION(Hadd2, uint32_t, "r", "hadd2", "HADD2, HFMA2.MMA", 1, 0, "add.rn.f16x2 %0, %0, %1;", (each_half<__half>(x, a, b, plus)))
OPERATION(Hmul2, uint32_t, "r", "hmul2", "HMUL2, HFMA2.MMA", 1, 0, "mul.rn.f16x2 %0, %0, %1;", (each_half<__half>(x, a, b, times)))
OPERATION(Bfma2, uint32_t, "r", "hfma2_bf16", "HFMA2.BF16_V2, HFMA2.MMA.BF16_V2", 1, 0, "fma.rn.bf16x2 %0, %0, %1, %2;", (each_half<__nv_bfloat16>(x, a, b, plus_times)))
OPERATION(Rsqrt, float, "f", "mufu_rsq", "MUFU.RSQ", 1, 1e-6, "rsqrt.approx.ftz.f32 %0, %0;", 1 / std::sqrt(double(x)))
OPERATION(Rcp, float, "f", "mufu_rcp_lop3", "MUFU.RCP + LOP3.LUT", 2, 2e-6, "rcp.approx.ftz.f32 %0, %0; .reg .b32 t; mov.b32 t, %0; xor.b32 t, t, 1; mov.b32 %0, t;", flip_last(float(1 / double(x))))
OPERATION(Sqrt, float, "f", "mufu_sqrt", "MUFU.SQRT", 1, 1e-6, "sqrt.approx.ftz.f32 %0, %0;", std::sqrt(double(x)))
OPERATION(Ex2, float, "f", "mufu_ex2", "MUFU.EX2", 1, 2e-6, "ex2.approx.ftz.f32 %0, %0;", std::exp2(double(x)))
OPERATION(Sin, float, "f", "mufu_sin", "FMUL + MUFU.SIN", 2, 2e-6, "sin.approx.ftz.f32 %0, %0;", std::sin(double(x)))
OPERATION(Cos, float, "f", "mufu_cos", "FMUL + MUFU.COS", 2, 2e-6, "cos.approx.ftz.f32 %0, %0;", std::cos(double(x)))
OPERATION(Tanh, float, "f", "mufu_tanh", "MUFU.TANH", 1, 1e-3, "tanh.approx.f32 %0, %0;", std::tanh(double(x)))
OPERATION(ToInteger, float, "f", "f2i_i2f", "F2I + I2FP", 2, 0, ".reg .s32 t; cvt.rni.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;", std::nearbyint(x))
OPERATION(ToHalf, float, "f", "f2f_16", "F2FP.F16.F32 + HADD2.F32", 2, 0, ".reg .f16 t; cvt.rn.f16.f32 t, %0; cvt.f32.f16 %0, t;", __half2float(__float2half_rn(x)))
OPERATION(ToDouble, double, "d", "f2f_64", "F2F.F32.F64 + F2F.F64.F32", 2, 0, ".reg .f32 t; cvt.rn.f32.f64 t, %0; cvt.f64.f32 %0, t;", float(x))
// clang-format on

using Operations =
    std::tuple<Ffma, Fadd, Fmul, Fmnmx, Fsetp, Iadd3, Imad, ImadHigh, ImadWide, Lop3, Shf, Shl,
               Isetp, Imnmx, Popc, Dfma, Dadd, Dmul, Hfma2, Hadd2, Hmul2, Bfma2, Rsqrt, Rcp, Sqrt,
               Ex2, Sin, Cos, Tanh, ToInteger, ToHalf, ToDouble>;

template <typename T>
T random_value(Probe& probe, double low, double high) {
  if constexpr (std::is_floating_point_v<T>) return T(probe.between(low, high));
  return T(uint64_t(probe.bits()) << 32 | probe.bits());
}

// Halves are packed in an integer: between low and high too, so that no chain overflows.
template <typename Operation>
typename Operation::T input(Probe& probe, double low, double high) {
  const std::string instruction = Operation::instruction;
  auto any = [&] { return float(probe.between(low, high)); };
  if (instruction.find("BF16") != std::string::npos)
    return typename Operation::T(pair_of(__nv_bfloat16(any()), __nv_bfloat16(any())));
  if (instruction[0] == 'H') return typename Operation::T(pair_of(__half(any()), __half(any())));
  return random_value<typename Operation::T>(probe, low, high);
}

// Whether `steps` steps from `before` lead to `after`.
template <typename Operation, typename T = typename Operation::T>
bool equals_host(const std::vector<T>& before, const std::vector<T>& after, T a, T b, int steps) {
  for (size_t lane = 0; lane < before.size(); ++lane) {
    T x = before[lane];
    for (int i = 0; i < steps; ++i) x = Operation::host(x, a, b);
    if (Operation::tolerance == 0 && x != after[lane]) return false;
    if (!(std::fabs(double(x) - double(after[lane])) <=
          Operation::tolerance * std::max(1.0, std::fabs(double(x)))))
      return false;
  }
  return true;
}

}  // namespace probe
