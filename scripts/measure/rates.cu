// How long one instruction after the other takes where a sub-partition has eight warps: a kernel an instruction.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -lineinfo scripts/measure/rates.cu -o rates && ./rates
//   headroom run --json rates-run.json -- ./rates once          predicts the same launches
//
//   {"what": "viaddmax", "us": 33.1, "cycles": 2.0}
//
// A block of 1024 threads on each SM; each thread has four chains, each of which applies the operation again and again. us: a launch by events,
// the median of nine, less one that does nothing; cycles: of a sub-partition for an operation of a warp.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Long = unsigned long long;
constexpr int rounds = 64, unrolled = 8, chains = 4, launches = 9;

// name, type, constraint letter, what the chain's value %0 becomes with the values %1 and %2, which do not change
#define OPERATIONS(OP)                                                                           \
  OP(add, unsigned, "r", "add.u32 %0, %0, %1;")                                                  \
  OP(add3, unsigned, "r", "{.reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2;}")                \
  OP(mad, unsigned, "r", "mad.lo.u32 %0, %0, %1, %2;")                                           \
  OP(mulhi, unsigned, "r", "mul.hi.u32 %0, %0, %1;")                                             \
  OP(minimum, unsigned, "r", "min.s32 %0, %0, %1;")                                              \
  OP(viaddmax, unsigned, "r", "{.reg .s32 t; add.s32 t, %0, %1; max.s32 %0, t, %2;}")            \
  OP(vimax3, unsigned, "r", "{.reg .s32 t; max.s32 t, %0, %1; max.s32 %0, t, %2;}")              \
  OP(exclusive_or, unsigned, "r", "xor.b32 %0, %0, %1;")                                         \
  OP(lop3, unsigned, "r", "lop3.b32 %0, %0, %1, %2, 0x96;")                                      \
  OP(shift_left, unsigned, "r", "shl.b32 %0, %0, %1;")                                           \
  OP(shift_right, unsigned, "r", "shr.s32 %0, %0, %1;")                                          \
  OP(funnel, unsigned, "r", "shf.l.wrap.b32 %0, %0, %1, %2;")                                    \
  OP(lea, unsigned, "r", "{.reg .u32 t; shl.b32 t, %0, 3; add.u32 %0, t, %1;}")                  \
  OP(prmt, unsigned, "r", "prmt.b32 %0, %0, %1, 0x3021;")                                        \
  OP(bfe, unsigned, "r", "bfe.u32 %0, %0, %1, %2;")                                              \
  OP(bfi, unsigned, "r", "bfi.b32 %0, %0, %1, 3, 5;")                                            \
  OP(popc, unsigned, "r", "popc.b32 %0, %0;")                                                    \
  OP(clz, unsigned, "r", "clz.b32 %0, %0;")                                                      \
  OP(brev, unsigned, "r", "brev.b32 %0, %0;")                                                    \
  OP(absolute, unsigned, "r", "abs.s32 %0, %0;")                                                 \
  OP(sad, unsigned, "r", "sad.u32 %0, %0, %1, %2;")                                              \
  OP(dp4a, unsigned, "r", "dp4a.u32.u32 %0, %0, %1, %2;")                                        \
  OP(select, unsigned, "r", "{.reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %0, %2, p;}")    \
  OP(predicated, unsigned, "r", "{.reg .pred p; setp.lt.s32 p, %0, %1; @p add.u32 %0, %0, %2;}") \
  OP(ballot, unsigned, "r",                                                                      \
     "{.reg .pred p; setp.lt.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}")           \
  OP(shuffle, unsigned, "r", "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;")                    \
  OP(redux, unsigned, "r", "redux.sync.add.u32 %0, %0, 0xffffffff;")                             \
  OP(to_byte, unsigned, "r", "cvt.u32.u8 %0, %0;")                                               \
  OP(sat_byte, unsigned, "r", "cvt.sat.u8.s32 %0, %0;")                                          \
  OP(half_add, unsigned, "r", "add.f16x2 %0, %0, %1;")                                           \
  OP(half_fma, unsigned, "r", "fma.rn.f16x2 %0, %0, %1, %2;")                                    \
  OP(half_min, unsigned, "r", "min.f16x2 %0, %0, %1;")                                           \
  OP(bf16_fma, unsigned, "r", "fma.rn.bf16x2 %0, %0, %1, %2;")                                   \
  OP(half_to_float, unsigned, "r",                                                               \
     "{.reg .f16 h; .reg .f32 f; mov.b32 f, %0; cvt.rn.f16.f32 h, f; cvt.f32.f16 f, h; mov.b32 " \
     "%0, f;}")                                                                                  \
  OP(int_to_float, unsigned, "r", "{.reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f;}")         \
  OP(float_to_int, unsigned, "r", "{.reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f;}")        \
  OP(fadd, float, "f", "add.f32 %0, %0, %1;")                                                    \
  OP(fmul, float, "f", "mul.f32 %0, %0, %1;")                                                    \
  OP(ffma, float, "f", "fma.rn.f32 %0, %0, %1, %2;")                                             \
  OP(fmin, float, "f", "min.f32 %0, %0, %1;")                                                    \
  OP(fmin3, float, "f", "{.reg .f32 t; min.f32 t, %0, %1; min.f32 %0, t, %2;}")                  \
  OP(fselect, float, "f", "{.reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %0, %2, p;}")      \
  OP(frnd, float, "f", "cvt.rni.f32.f32 %0, %0;")                                                \
  OP(sine, float, "f", "sin.approx.f32 %0, %0;")                                                 \
  OP(exponential, float, "f", "ex2.approx.ftz.f32 %0, %0;")                                      \
  OP(logarithm, float, "f", "lg2.approx.ftz.f32 %0, %0;")                                        \
  OP(reciprocal, float, "f", "rcp.approx.ftz.f32 %0, %0;")                                       \
  OP(reciprocal_root, float, "f", "rsqrt.approx.ftz.f32 %0, %0;")                                \
  OP(tanh, float, "f", "tanh.approx.f32 %0, %0;")                                                \
  OP(dadd, double, "d", "add.f64 %0, %0, %1;")                                                   \
  OP(dfma, double, "d", "fma.rn.f64 %0, %0, %1, %2;")                                            \
  OP(dselect, double, "d", "{.reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %0, %2, p;}")     \
  OP(double_to_float, double, "d", "{.reg .f32 f; cvt.rn.f32.f64 f, %0; cvt.f64.f32 %0, f;}")    \
  OP(double_to_int, double, "d", "{.reg .s32 i; cvt.rzi.s32.f64 i, %0; cvt.rn.f64.s32 %0, i;}")  \
  OP(mad_wide, Long, "l",                                                                        \
     "{.reg .u32 x, y, z; mov.b64 {x, y}, %0; mov.b64 {z, y}, %1; mad.wide.u32 %0, x, z, %2;}")  \
  OP(add64, Long, "l", "add.u64 %0, %0, %1;")                                                    \
  OP(shift64, Long, "l", "{.reg .u32 x, y; mov.b64 {x, y}, %1; shl.b64 %0, %0, x;}")             \
  OP(mad64, Long, "l", "mad.lo.u64 %0, %0, %1, %2;")                                             \
  OP(compare64, Long, "l", "{.reg .pred p; setp.lt.s64 p, %0, %1; selp.b64 %0, %0, %2, p;}")

#define KERNEL(name, type, letter, text)                                                      \
  __global__ void __launch_bounds__(1024) of_##name(type* data, type y, type z, int rounds) { \
    type value[chains];                                                                       \
    for (int c = 0; c < chains; ++c) value[c] = data[threadIdx.x % 32 + c];                   \
    _Pragma("unroll 1") for (int i = 0; i < rounds; ++i) {                                    \
      _Pragma("unroll") for (int u = 0; u < unrolled; ++u)                                    \
          _Pragma("unroll") for (int c = 0; c < chains; ++c) asm volatile(                    \
              text : "+" letter(value[c]) : letter(y), letter(z));                            \
    }                                                                                         \
    type sum = 0;                                                                             \
    for (int c = 0; c < chains; ++c) sum += value[c];                                         \
    if (sum == static_cast<type>(12345)) data[threadIdx.x] = sum;                             \
  }
OPERATIONS(KERNEL)

__global__ void nothing() {}

template <class Launch>
double microseconds(Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<float> all;
  for (int i = 0; i <= launches; ++i) {
    cudaEventRecord(begin);
    for (int k = 0; k < 4; ++k) launch();
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess) std::exit(1);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i > 0) all.push_back(ms * 250);
  }
  std::sort(all.begin(), all.end());
  cudaEventDestroy(begin), cudaEventDestroy(end);
  return all[launches / 2];
}

int main(int count, char** words) {
  const bool once = count > 1 && !std::strcmp(words[1], "once");
  void* data;
  cudaMalloc(&data, 64 * 8);
  cudaMemset(data, 0, 64 * 8);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const int sms = properties.multiProcessorCount;
  int clock = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  const double empty = once ? 0 : microseconds([&] { nothing<<<sms, 1024>>>(); });
#define TELL(name, type, letter, text)                                               \
  {                                                                                  \
    const auto launch = [&] {                                                        \
      of_##name<<<sms, 1024>>>(static_cast<type*>(data), static_cast<type>(3),       \
                               static_cast<type>(5), rounds);                        \
    };                                                                               \
    if (once) {                                                                      \
      launch();                                                                      \
    } else {                                                                         \
      const double us = microseconds(launch) - empty;                                \
      std::printf("{\"what\": \"%s\", \"us\": %.2f, \"cycles\": %.2f}\n", #name, us, \
                  us* clock / 1000 / (double(rounds) * unrolled * chains * 8));      \
    }                                                                                \
  }
  OPERATIONS(TELL)
  return cudaDeviceSynchronize() != cudaSuccess;
}
