// Fast intrinsics beside full functions: results a clock and SM, and the largest error.
//
// Method, throughput: as arithmetic.cu, 1024 threads on every SM; an argument moves by one FADD a
// step, so that nothing can be hoisted, and one FADD takes the result in: both are part of the
// figure, which says "results" of the function. Arguments stay in the range given.
//
// Method, error: every float of a range (--small: a part of them; two arguments: a random sample)
// is given to the function and to its double counterpart on the GPU; the largest difference in
// units in the last place of the exact result (ulp, of the smallest normal number for smaller
// ones), and the argument where it is. "all" is every finite float. Results that are infinite or
// NaN in only one of the two count as 1e9 ulp.
//
// Verified: for the worst argument the result is compared with the host's own library in long
// double: the difference must be the one that the GPU found.
#include "machines/probes/probe.cuh"

using namespace probe;

// clang-format off
#define FUNCTION(Row, name_, low_, high_, gpu, exact)                                             \
  struct Row {                                                                                    \
    static constexpr const char* name = name_;                                                    \
    static constexpr float low = low_, high = high_;                                              \
    static constexpr bool two = false;                                                            \
    static __device__ float run(float x, float) { return gpu; }                                   \
    static __device__ double reference(double x, double) { return exact; }                        \
    static long double on_host(long double x, long double) { using namespace std; return exact; } \
  };
#define FUNCTION_OF_TWO(Row, name_, low_, high_, gpu, exact)                                      \
  struct Row {                                                                                    \
    static constexpr const char* name = name_;                                                    \
    static constexpr float low = low_, high = high_;                                              \
    static constexpr bool two = true;                                                             \
    static __device__ float run(float x, float y) { return gpu; }                                 \
    static __device__ double reference(double x, double y) { return exact; }                      \
    static long double on_host(long double x, long double y) { using namespace std; return exact; } \
  };
constexpr float pi = 3.14159274f, most = 3.40282347e38f;
__device__ __forceinline__ float approx_sqrt(float x) { float y; asm("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ float approx_rcp(float x) { float y; asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ float approx_exp2(float x) { float y; asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ float approx_tanh(float x) { float y; asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ double power_of_ten(double x) { return exp10(x); }
long double power_of_ten(long double x) { return std::pow(10.0L, x); }

FUNCTION(Sin, "sinf", -pi, pi, sinf(x), sin(x))
FUNCTION(SinAll, "sinf, all", -most, most, sinf(x), sin(x))
FUNCTION(FastSin, "__sinf", -pi, pi, __sinf(x), sin(x))
FUNCTION(Cos, "cosf", -pi, pi, cosf(x), cos(x))
FUNCTION(FastCos, "__cosf", -pi, pi, __cosf(x), cos(x))
FUNCTION(Tan, "tanf", -1.5f, 1.5f, tanf(x), tan(x))
FUNCTION(FastTan, "__tanf", -1.5f, 1.5f, __tanf(x), tan(x))
FUNCTION(Exp, "expf", -87.0f, 88.0f, expf(x), exp(x))
FUNCTION(FastExp, "__expf", -87.0f, 88.0f, __expf(x), exp(x))
FUNCTION(Exp2, "exp2f", -126.0f, 127.0f, exp2f(x), exp2(x))
FUNCTION(FastExp2, "ex2.approx", -126.0f, 127.0f, approx_exp2(x), exp2(x))
FUNCTION(Exp10, "exp10f", -37.0f, 38.0f, exp10f(x), power_of_ten(x))
FUNCTION(FastExp10, "__exp10f", -37.0f, 38.0f, __exp10f(x), power_of_ten(x))
FUNCTION(Log, "logf", 1.17549435e-38f, most, logf(x), log(x))
FUNCTION(FastLog, "__logf", 1.17549435e-38f, most, __logf(x), log(x))
FUNCTION(Log2, "log2f", 1.17549435e-38f, most, log2f(x), log2(x))
FUNCTION(FastLog2, "__log2f", 1.17549435e-38f, most, __log2f(x), log2(x))
FUNCTION(NearLog, "logf, 1/2 to 2", 0.5f, 2.0f, logf(x), log(x))
FUNCTION(NearFastLog, "__logf, 1/2 to 2", 0.5f, 2.0f, __logf(x), log(x))
FUNCTION(NearFastLog2, "__log2f, 1/2 to 2", 0.5f, 2.0f, __log2f(x), log2(x))
FUNCTION(Sqrt, "sqrtf", 0.0f, most, sqrtf(x), sqrt(x))
FUNCTION(FastSqrt, "sqrt.approx", 0.0f, most, approx_sqrt(x), sqrt(x))
FUNCTION(Rsqrt, "rsqrtf", 1.17549435e-38f, most, rsqrtf(x), 1 / sqrt(x))
FUNCTION(FullRsqrt, "__frsqrt_rn", 1.17549435e-38f, most, __frsqrt_rn(x), 1 / sqrt(x))
FUNCTION(Rcp, "1 / x", 1.17549435e-38f, 8.5e37f, 1.0f / x, 1 / x)
FUNCTION(FastRcp, "rcp.approx", 1.17549435e-38f, 8.5e37f, approx_rcp(x), 1 / x)
FUNCTION(Tanh, "tanhf", -9.0f, 9.0f, tanhf(x), tanh(x))
FUNCTION(FastTanh, "tanh.approx", -9.0f, 9.0f, approx_tanh(x), tanh(x))
FUNCTION_OF_TWO(Divide, "x / y", 1e-15f, 1e15f, x / y, x / y)
FUNCTION_OF_TWO(FastDivide, "__fdividef", 1e-15f, 1e15f, __fdividef(x, y), x / y)
FUNCTION_OF_TWO(Pow, "powf", 1e-3f, 20.0f, powf(x, y), pow(x, y))
FUNCTION_OF_TWO(FastPow, "__powf", 1e-3f, 20.0f, __powf(x, y), pow(x, y))
// clang-format on

// Unit in the last place of a float of that size: 2^-23 of its power of two.
__host__ __device__ inline double unit_of(double exact) {
  int exponent = 0;
  frexp(fabs(exact), &exponent);  // in [0.5, 1)
  return ldexp(1.0, (exact == 0 || exponent < -125 ? -125 : exponent) - 24);
}

template <bool absolute>
__host__ __device__ inline double error_of(float computed, double exact) {
  const bool fine = isfinite(computed), exact_fine = fabs(exact) < 3.4028236e38;
  if (!fine || !exact_fine) {
    return fine == exact_fine || (fabs(exact) > 3.4028234e38 && fabs(exact) < 3.4028237e38) ? 0
                                                                                            : 1e9;
  }
  return fabs(double(computed) - exact) / (absolute ? 1 : unit_of(exact));
}

// The floats in order: -max … -0 0 … max as -2^31 … 2^31-1.
__host__ __device__ inline float float_at(int64_t place) {
  const uint32_t bits = place < 0 ? 0x80000000u + uint32_t(-place - 1) : uint32_t(place);
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
int64_t place_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits >> 31 ? -int64_t(bits & 0x7fffffff) - 1 : int64_t(bits);
}

// A number that looks random, of a counter: the second argument, and the sample of two.
__host__ __device__ inline uint32_t scatter(uint64_t x) {
  x ^= x >> 33, x *= 0xff51afd7ed558ccdull, x ^= x >> 33, x *= 0xc4ceb9fe1a85ec53ull, x ^= x >> 33;
  return uint32_t(x);
}
__host__ __device__ inline float between(float low, float high, uint32_t random) {
  return low * expf(logf(high / low) * (float(random >> 8) / 16777216.0f));
}

template <typename Function>
__host__ __device__ void arguments_of(int64_t i, int64_t first, int64_t stride, uint32_t seed,
                                      float& x, float& y) {
  if (Function::two) {
    x = between(Function::low, Function::high, scatter(uint64_t(seed) << 32 | uint64_t(2 * i)));
    y = between(Function::low, Function::high, scatter(uint64_t(seed) << 32 | uint64_t(2 * i + 1)));
  } else {
    x = float_at(first + i * stride), y = 0;
  }
}

template <typename Function, bool absolute>
__global__ void compare(int64_t first, int64_t number, int64_t stride, uint32_t seed,
                        unsigned long long* worst) {
  float most = -1;
  uint32_t where = 0;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < number;
       i += int64_t(gridDim.x) * blockDim.x) {
    float x, y;
    arguments_of<Function>(i, first, stride, seed, x, y);
    const float error =
        float(error_of<absolute>(Function::run(x, y), Function::reference(double(x), double(y))));
    if (error > most) most = error, where = uint32_t(i);
  }
  if (most >= 0) atomicMax(worst, (unsigned long long)(__float_as_uint(most)) << 32 | where);
}

template <typename Function>
__global__ void evaluate(int64_t i, int64_t first, int64_t stride, uint32_t seed, float* result) {
  float x, y;
  arguments_of<Function>(i, first, stride, seed, x, y);
  result[0] = Function::run(x, y), result[1] = x, result[2] = y;
}

constexpr int chains = 4, unrolled = 8;

template <typename Function>
__global__ void __launch_bounds__(1024)
    run(float low, float step, int rounds, float* results, long long* cycles) {
  float x[chains], sum[chains] = {};
#pragma unroll
  for (int j = 0; j < chains; ++j) x[j] = low + float(threadIdx.x * chains + j) * step;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < unrolled; ++i)
#pragma unroll
      for (int j = 0; j < chains; ++j) {
        x[j] += step;
        sum[j] += Function::run(x[j], x[(j + 1) % chains]);
      }
  __syncthreads();
  const long long stop = clock64();
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

// The largest error over the range, checked on the host where it is.
template <typename Function, bool absolute>
double largest_error(Probe& probe) {
  const int64_t first = place_of(Function::low), last = place_of(Function::high);
  int64_t number = Function::two ? int64_t(1) << 28 : last - first + 1, stride = 1;
  if (probe.small) number = 256, stride = Function::two ? 1 : (last - first) / number;
  const uint32_t seed = probe.bits();
  Array<unsigned long long> worst(std::vector<unsigned long long>{0});
  Array<float> result(3);
  const int blocks = probe.small ? 2 : probe.device.multiProcessorCount * 8;
  compare<Function, absolute>
      <<<blocks, probe.small ? 64 : 256>>>(first, number, stride, seed, worst.data());
  PROBE_CALL(cudaGetLastError());
  const unsigned long long key = worst.first();
  evaluate<Function><<<1, 1>>>(uint32_t(key), first, stride, seed, result.data());
  PROBE_CALL(cudaGetLastError());
  const std::vector<float> at = result.read();
  const uint32_t bits = uint32_t(key >> 32);
  float error;
  std::memcpy(&error, &bits, 4);
  const double on_host = error_of<absolute>(at[0], double(Function::on_host(at[1], at[2])));
  const double tolerance = 1e-3 * (absolute ? 1e-7 : 1) + 1e-4 * error;
  probe.check(Function::name, std::fabs(on_host - error) <= tolerance, double(number));
  const std::string name = std::string(Function::name) + (absolute ? " absolute error" : " error");
  probe.counted(name.c_str(), absolute ? "1" : "ulp", Function::name, error, double(number),
                Function::two ? At{{"x", at[1]}, {"y", at[2]}} : At{{"x", at[1]}});
  return error;
}

template <typename Function>
void measure(Probe& probe) {
  // Near a zero of the function, ulps say little of one that is bounded in absolute terms.
  const double ulps = largest_error<Function, false>(probe);
  if (ulps > 1000 && std::fabs(Function::high) < 1e30f) largest_error<Function, true>(probe);
  if (probe.small) return;
  const int threads = 1024, sms = probe.device.multiProcessorCount;
  const float low = std::max(Function::low, -100.0f), high = std::min(Function::high, 100.0f);
  Array<float> results(size_t(sms) * threads);
  Array<long long> cycles(sms);
  const float step = (high - low) / (2.0f * chains * threads);
  auto once = [&](int rounds) {
    run<Function><<<sms, threads>>>(low, step, rounds, results.data(), cycles.data());
    PROBE_CALL(cudaGetLastError());
    const auto all = cycles.read();
    return median(std::vector<double>(all.begin(), all.end()));
  };
  once(8);
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i)
    samples.push_back(double(threads) * chains * unrolled * 32 / (once(40) - once(8)));
  probe.value(Function::name, "results/clk/SM", Function::name, samples);
}

template <typename... Each>
void measure_all(Probe& probe) {
  (measure<Each>(probe), ...);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  measure_all<Sin, SinAll, FastSin, Cos, FastCos, Tan, FastTan, Exp, FastExp, Exp2, FastExp2, Exp10,
              FastExp10, Log, FastLog, Log2, FastLog2, NearLog, NearFastLog, NearFastLog2, Sqrt,
              FastSqrt, Rsqrt, FullRsqrt, Rcp, FastRcp, Tanh, FastTanh, Divide, FastDivide, Pow,
              FastPow>(probe);
  return probe.end();
}
