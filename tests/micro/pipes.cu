// Instructions of one kind each, sixteen in a row: which pipe of an SM executes them, a profiler
// says (smsp__inst_executed_pipe_*). Every thread loads x and y and stores x.
//
//   struct FusedDouble { ANYWHERE double of(double x, double y) { return fma(x, y, x); } };
//   {"double: fma", steps_case<double, FusedDouble>}
//
// What the lanes of a warp do together comes last: the host does it for 32 values.
#include <cuda_fp16.h>
#include <mma.h>

#include <array>
#include <cmath>
#include <numeric>
#include <nv/target>

#include "tests/micro/gather.cuh"

namespace micro {
namespace {

constexpr int steps = 16, threads = 512;

template <class T, class Step>
__global__ void repeat(T* out, const T* in, const T* with) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  T x = in[i];
  const T y = with[i];
#pragma unroll
  for (int n = 0; n < steps; ++n) x = Step::of(x, y);
  out[i] = x;
}

Traffic traffic_of(int bytes) {
  Traffic traffic(threads / 128, 128);
  const auto own = [=](Thread t) { return bytes * t.at; };
  for (int n = 0; n < 2; ++n) traffic.global_load(bytes, own);
  traffic.global_store(bytes, own);
  return traffic;
}

template <class T>
bool is_close(T got, T wanted) {
  return std::abs(double(got) - double(wanted)) <= 1e-4 * std::abs(double(wanted)) + 1e-4;
}

template <class T, class Step>
void steps_case(Bench& bench) {
  const auto in = bench.random_integers<T>(threads, 1000),
             with = bench.random_integers<T>(threads, 7);
  std::vector<T> after = in;
  for (size_t i = 0; i < after.size(); ++i)
    for (int n = 0; n < steps; ++n) after[i] = Step::of(after[i], with[i]);
  bench.check_that<T, T, T>(
      repeat<T, Step>, traffic_of(sizeof(T)), Bench::unwritten<T>(threads),
      [&](const std::vector<T>& got) {
        return std::equal(got.begin(), got.end(), after.begin(), is_close<T>);
      },
      in, with);
}

#define BOTH(name, type, body)                        \
  struct name {                                       \
    ANYWHERE type of(type x, type y) { return body; } \
  };
#define STEP(name, type, device, host)                                 \
  struct name {                                                        \
    ANYWHERE type of(type x, [[maybe_unused]] type y) {                \
      NV_IF_ELSE_TARGET(NV_IS_DEVICE, (type r = x; device; return r;), \
                        (type r = x; host; return r;))                 \
    }                                                                  \
  };

BOTH(FloatFma, float, std::fma(x, 0.25f, y))
BOTH(FloatAdd, float, x + y)
BOTH(FloatQuotient, float, x / (y + 1.5f) + 3)
BOTH(FloatMin, float, std::fmin(x * 0.5f, y))
BOTH(DoubleFma, double, std::fma(x, 0.25, y))
BOTH(DoubleAdd, double, x + y)
BOTH(DoubleSelect, double, x < y ? y + 3 : x - y)
BOTH(DoubleToInteger, double, double(int(x * 0.75)) + y)
BOTH(FloatToInteger, float, float(int(x * 0.75f)) + y)
BOTH(FloatDouble, float, float(double(x) * 0.3) + y)
BOTH(Floor, float, std::floor(x * 0.7f) + y)
BOTH(IntegerMad, int, x * 5 + y)
BOTH(IntegerAdd, int, (x + y) ^ 0x55)
BOTH(IntegerMax, int, (x > y ? x : y) - 3)
BOTH(WideProduct, unsigned, unsigned((unsigned long long)(x)*2654435769u >> 32) + y)
BOTH(Division, int, x / (y + 2) + 100)
BOTH(LongSum, long long, (x << 3) + y)
BOTH(LongProduct, long long, x * 3 + y)
STEP(CountOnes, unsigned, r = unsigned(__popc(x)) + (x << 3) + y,
     r = unsigned(__builtin_popcount(x)) + (x << 3) + y)
STEP(LeadingZeros, unsigned, r = unsigned(__clz(int(x))) + (x << 1) + y,
     r = (x ? unsigned(__builtin_clz(x)) : 32) + (x << 1) + y)
STEP(Permute, unsigned, r = __byte_perm(x, y, 0x4321) + 1,
     r = unsigned((uint64_t(y) << 32 | x) >> 8) + 1)
STEP(DotProduct, unsigned, r = __dp4a(x, y, x) + 77u, {
  for (int n = 0; n < 32; n += 8) r += (x >> n & 255) * (y >> n & 255);
  r += 77u;
})
STEP(ReverseBits, unsigned, r = __brev(x) + y, {
  r = y;
  for (int n = 0; n < 32; ++n) r += (x >> n & 1) << (31 - n);
})
STEP(Reciprocal, float,
     asm("rcp.approx.ftz.f32 %0, %1;"
         : "=f"(r)
         : "f"(x + 1));
     r += y, r = 1 / (x + 1) + y)
STEP(Root, float,
     asm("rsqrt.approx.ftz.f32 %0, %1;"
         : "=f"(r)
         : "f"(x + 1));
     r += y, r = 1 / std::sqrt(x + 1) + y)
STEP(Power, float,
     asm("ex2.approx.ftz.f32 %0, %1;"
         : "=f"(r)
         : "f"(-x));
     r += y, r = std::exp2(-x) + y)
STEP(Hyperbolic, float,
     asm("tanh.approx.f32 %0, %1;"
         : "=f"(r)
         : "f"(y));
     r += x, r = std::tanh(y) + x)

STEP(Pack, unsigned, const half2 both = __floats2half2_rn(float(x & 7), float(y));
     r = (unsigned(__half_as_ushort(__low2half(both))) ^
          unsigned(__half_as_ushort(__high2half(both)))) +
         x,
     r = (unsigned(__half_as_ushort(__float2half(float(x & 7)))) ^
          unsigned(__half_as_ushort(__float2half(float(y))))) +
         x)

// Two halves of small whole numbers, as bits.
template <class Step>
struct Halves {
  ANYWHERE unsigned of(unsigned x, unsigned y) {
    return Step::of(x & 0x3c003c00, (y & 1) * 0x3c00 | 0x3c000000);
  }
};
[[maybe_unused]] float half_at(unsigned bits, int n) {
  return __half2float(__ushort_as_half((unsigned short)(bits >> 16 * n)));
}
template <class F>
unsigned on_halves(F f) {
  unsigned both = 0;
  for (int n = 0; n < 2; ++n) both |= unsigned(__half_as_ushort(__float2half(f(n)))) << 16 * n;
  return both;
}
#define HALVES(name, ptx, host)                            \
  STEP(name##_bits, unsigned,                              \
       asm(ptx                                             \
           : "=r"(r)                                       \
           : "r"(x), "r"(y)),                              \
       r = on_halves([&](int n) {                          \
         const float a = half_at(x, n), b = half_at(y, n); \
         return host;                                      \
       }))                                                 \
  using name = Halves<name##_bits>;

HALVES(HalfAdd, "add.f16x2 %0, %1, %2;", a + b)
HALVES(HalfMul, "mul.f16x2 %0, %1, %2;", a* b)
HALVES(HalfFma, "fma.rn.f16x2 %0, %1, %2, %2;", a* b + b)
HALVES(HalfMax, "max.f16x2 %0, %1, %2;", std::fmax(a, b))

// What a warp does together.
using Warp = std::array<unsigned, 32>;
template <class Step>
__global__ void together(unsigned* out, const unsigned* in, const unsigned*) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned x = in[i];
#pragma unroll
  for (int n = 0; n < steps; ++n) x = Step::of(x);
  out[i] = x;
}
template <class Step>
void together_case(Bench& bench) {
  Traffic traffic(threads / 128, 128);
  const auto own = [=](Thread t) { return 4 * t.at; };
  traffic.global_load(4, own);
  traffic.global_store(4, own);
  const auto in = bench.random_integers<unsigned>(threads, 8);
  std::vector<unsigned> after = in;
  for (size_t first = 0; first < after.size(); first += 32) {
    Warp warp;
    std::copy_n(after.begin() + long(first), 32, warp.begin());
    for (int n = 0; n < steps; ++n) warp = Step::on_host(warp);
    std::copy(warp.begin(), warp.end(), after.begin() + long(first));
  }
  bench.check(together<Step>, traffic, Bench::unwritten<unsigned>(threads), after, in, in);
}
#define TOGETHER(name, device, host)                                                      \
  struct name {                                                                           \
    __device__ static unsigned of(unsigned x) device static Warp on_host(const Warp& w) { \
      Warp r;                                                                             \
      for (size_t l = 0; l < 32; ++l) r[l] = host;                                        \
      return r;                                                                           \
    }                                                                                     \
  };
unsigned lanes_where(const Warp& warp, const std::function<bool(unsigned)>& holds) {
  unsigned mask = 0;
  for (size_t lane = 0; lane < 32; ++lane) mask |= unsigned(holds(warp[lane])) << lane;
  return mask;
}
TOGETHER(
    Shuffle, { return __shfl_xor_sync(~0u, x, 5) + 1; }, w[l ^ 5] + 1)
TOGETHER(
    Vote, { return __ballot_sync(~0u, x & 1) + x; },
    lanes_where(w, [](unsigned v) { return v & 1; }) + w[l])
TOGETHER(
    Match, { return __match_any_sync(~0u, x % 5); },
    lanes_where(w, [&](unsigned v) { return v % 5 == w[l] % 5; }))
TOGETHER(
    Reduce, { return __reduce_add_sync(~0u, x) + x; },
    std::accumulate(w.begin(), w.end(), 0u) + w[l])
TOGETHER(
    Barrier,
    {
      __syncthreads();
      return x * 3;
    },
    w[l] * 3)
TOGETHER(
    Fence,
    {
      __threadfence();
      return x * 3;
    },
    w[l] * 3)
TOGETHER(
    LaneMask,
    {
      unsigned m;
      asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
      return x + m;
    },
    w[l] + ((1u << l) - 1))
TOGETHER(
    LaneNumber,
    {
      unsigned m;
      asm volatile("mov.u32 %0, %%laneid;" : "=r"(m));
      return x + m;
    },
    w[l] + unsigned(l))

// Ones times ones: each product adds `k` to every accumulator.
template <class In, class Sum, int m, int n, int k>
__global__ void products(float* out, const float* in) {
  using namespace nvcuda::wmma;
  fragment<accumulator, m, n, k, Sum> sum;
  fragment<matrix_a, m, n, k, In, row_major> a;
  fragment<matrix_b, m, n, k, In, col_major> b;
  fill_fragment(sum, Sum(in[threadIdx.x]));
  fill_fragment(a, In(1.0f));
  fill_fragment(b, In(1.0f));
#pragma unroll
  for (int step = 0; step < steps; ++step) mma_sync(sum, a, b, sum);
  float x = 0;
  for (int element = 0; element < sum.num_elements; ++element) x += float(sum.x[element]);
  out[threadIdx.x] = x;
}
template <class In, class Sum, int m, int n, int k>
void products_case(Bench& bench) {
  Traffic traffic(1, 32);
  const auto own = [=](Thread t) { return 4 * t.at; };
  traffic.global_load(4, own);
  traffic.global_store(4, own);
  const auto in = bench.random_integers<float>(32, 1000);
  std::vector<float> after = in;
  for (float& value : after) value = float(m * n / 32) * (value + float(k * steps));
  bench.check(products<In, Sum, m, n, k>, traffic, Bench::unwritten<float>(32), after, in);
}

}  // namespace

std::vector<Case> pipes() {
  return {
      {"float: fma", steps_case<float, FloatFma>},
      {"float: add", steps_case<float, FloatAdd>},
      {"float: min", steps_case<float, FloatMin>},
      {"float: division", steps_case<float, FloatQuotient>},
      {"double: fma", steps_case<double, DoubleFma>},
      {"double: add", steps_case<double, DoubleAdd>},
      {"double: compare, select", steps_case<double, DoubleSelect>},
      {"double to integer and back", steps_case<double, DoubleToInteger>},
      {"float to integer and back", steps_case<float, FloatToInteger>},
      {"float to double and back", steps_case<float, FloatDouble>},
      {"floor", steps_case<float, Floor>},
      {"integer: multiply, add", steps_case<int, IntegerMad>},
      {"integer: add, xor", steps_case<int, IntegerAdd>},
      {"integer: max", steps_case<int, IntegerMax>},
      {"integer: high product", steps_case<unsigned, WideProduct>},
      {"integer: division", steps_case<int, Division>},
      {"64 bits: shift, add", steps_case<long long, LongSum>},
      {"64 bits: product", steps_case<long long, LongProduct>},
      {"count of ones", steps_case<unsigned, CountOnes>},
      {"leading zeros", steps_case<unsigned, LeadingZeros>},
      {"permuted bytes", steps_case<unsigned, Permute>},
      {"dot product of bytes", steps_case<unsigned, DotProduct>},
      {"reversed bits", steps_case<unsigned, ReverseBits>},
      {"reciprocal", steps_case<float, Reciprocal>},
      {"reciprocal root", steps_case<float, Root>},
      {"power of two", steps_case<float, Power>},
      {"tanh", steps_case<float, Hyperbolic>},
      {"halves of floats", steps_case<unsigned, Pack>},
      {"halves: add", steps_case<unsigned, HalfAdd>},
      {"halves: multiply", steps_case<unsigned, HalfMul>},
      {"halves: fma", steps_case<unsigned, HalfFma>},
      {"halves: max", steps_case<unsigned, HalfMax>},
      {"shuffle", together_case<Shuffle>},
      {"ballot", together_case<Vote>},
      {"match", together_case<Match>},
      {"sum of a warp", together_case<Reduce>},
      {"barrier", together_case<Barrier>},
      {"fence", together_case<Fence>},
      {"lane mask", together_case<LaneMask>},
      {"lane number", together_case<LaneNumber>},
      {"products of halves", products_case<half, float, 16, 16, 16>},
      {"products of bytes", products_case<signed char, int, 16, 16, 16>},
      {"products of doubles", products_case<double, double, 8, 8, 4>},
  };
}

}  // namespace micro
