// Matrix instructions, mma.sync by type: latency of a chain of accumulations, and throughput.
//
// Method: latency as latency.cu: one warp, two lengths of dependent accumulations (HMMA, IMMA,
// DMMA). Throughput as arithmetic.cu, with four independent accumulators a warp and 16 warps an SM,
// by the SM's clock; and of the whole GPU by events, in 10^12 operations a second. A multiply-add
// is two operations. (Hopper needs wgmma for its full rate: wgmma.cu.)
//
// Verified: a warp's result against the host; small whole numbers make every order of sums exact.
// The layout of fragments is that of the PTX manual, 9.7.14.5.
#include "headroom/timing.cuh"
#include "machines/probes/probe.cuh"

using namespace probe;
namespace timing = headroom::timing;

enum class Type { f16, bf16, tf32, s8, f64 };

// What differs: the instruction, its shape, registers a lane, the accumulator, and how a small
// number is written in an element.
template <Type type>
struct Row;
template <>
struct Row<Type::f16> {
  using Register = uint32_t;
  using Sum = float;
  static constexpr int m = 16, n = 8, k = 16, a = 4, b = 2, c = 4, bits = 16;
  static constexpr const char *name = "mma_f16", *instruction = "HMMA.16816.F32";
  static uint32_t element(int value) {
    return uint32_t(value < 0 ? 0xbc00 : value > 0 ? 0x3c00 : 0);
  }
};
template <>
struct Row<Type::bf16> : Row<Type::f16> {
  static constexpr const char *name = "mma_bf16", *instruction = "HMMA.16816.F32.BF16";
  static uint32_t element(int value) {
    return uint32_t(value < 0 ? 0xbf80 : value > 0 ? 0x3f80 : 0);
  }
};
template <>
struct Row<Type::tf32> : Row<Type::f16> {
  static constexpr int k = 8, bits = 32;
  static constexpr const char *name = "mma_tf32", *instruction = "HMMA.1688.F32.TF32";
  static uint32_t element(int value) {
    return value < 0 ? 0xbf800000u : value > 0 ? 0x3f800000u : 0;
  }
};
template <>
struct Row<Type::s8> : Row<Type::f16> {
  using Sum = int;
  static constexpr int k = 32, bits = 8;
  static constexpr const char *name = "mma_s8", *instruction = "IMMA.16832.S8.S8";
  static uint32_t element(int value) { return uint32_t(value) & 0xff; }
};
template <>
struct Row<Type::f64> {
  using Register = double;
  using Sum = double;
  static constexpr int m = 8, n = 8, k = 4, a = 1, b = 1, c = 2, bits = 64;
  static constexpr const char *name = "mma_f64", *instruction = "DMMA.884";
};

template <Type type, typename R, typename S>
__device__ __forceinline__ void mma(S* c, const R* a, const R* b) {
#define MMA_32(shape, letter)                                                           \
  asm volatile("mma.sync.aligned." shape                                                \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"       \
               : "+" letter(c[0]), "+" letter(c[1]), "+" letter(c[2]), "+" letter(c[3]) \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (type == Type::f16) MMA_32("m16n8k16.row.col.f32.f16.f16.f32", "f");
  if constexpr (type == Type::bf16) MMA_32("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
  if constexpr (type == Type::tf32) MMA_32("m16n8k8.row.col.f32.tf32.tf32.f32", "f");
  if constexpr (type == Type::s8) MMA_32("m16n8k32.row.col.s32.s8.s8.s32", "r");
  if constexpr (type == Type::f64)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a[0]), "d"(b[0]));
}

// `chains` accumulators, all with the same operands; rounds of `steps` for each.
template <Type type, int chains, int steps>
__global__ void __launch_bounds__(512)
    run(const typename Row<type>::Register* operands, typename Row<type>::Sum* sums, int rounds,
        long long* cycles) {
  using R = Row<type>;
  const int lane = threadIdx.x % 32;
  typename R::Register a[R::a], b[R::b];
  typename R::Sum c[chains][R::c] = {};
#pragma unroll
  for (int i = 0; i < R::a; ++i) a[i] = operands[lane * (R::a + R::b) + i];
#pragma unroll
  for (int i = 0; i < R::b; ++i) b[i] = operands[lane * (R::a + R::b) + R::a + i];
  long long start = 0;
  __syncthreads();
#pragma unroll 1
  for (int round = -1; round < rounds; ++round) {
    if (round == 0) {  // the first round brings the code
      __syncthreads();
      start = clock64();
    }
#pragma unroll
    for (int i = 0; i < steps; ++i)
#pragma unroll
      for (int j = 0; j < chains; ++j) mma<type>(c[j], a, b);
  }
  __syncthreads();
  const long long stop = clock64();
#pragma unroll
  for (int j = 0; j < chains; ++j)
#pragma unroll
    for (int i = 0; i < R::c; ++i)
      sums[((size_t(blockIdx.x) * blockDim.x + threadIdx.x) * chains + j) * R::c + i] = c[j][i];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

// A warp's operands of -1, 0 and 1, and the product that they stand for.
template <Type type>
struct Problem {
  using R = Row<type>;
  std::vector<typename R::Register> operands;
  std::vector<int> product;  // m * n

  explicit Problem(Probe& probe) : operands(32 * (R::a + R::b)), product(R::m * R::n) {
    constexpr int each = R::bits >= 32 ? 1 : 32 / R::bits;
    std::vector<int> a(R::m * R::k), b(R::k * R::n);
    for (int& x : a) x = int(probe.bits() % 3) - 1;
    for (int& x : b) x = int(probe.bits() % 3) - 1;
    for (int lane = 0; lane < 32; ++lane) {
      auto* own = &operands[lane * (R::a + R::b)];
      const int group = lane / 4, within = lane % 4;
      for (int r = 0; r < R::a + R::b; ++r)
        for (int e = 0; e < each; ++e) {
          const bool of_a = r < R::a;
          const int i = of_a ? r / 2 : r - R::a, k = within * each + e + 4 * each * i;
          const int value = of_a ? a[(group + 8 * (r % 2)) * R::k + k] : b[k * R::n + group];
          if constexpr (type == Type::f64)
            own[r] = value;
          else
            own[r] = (e ? own[r] : 0) | R::element(value) << (R::bits % 32 * e);
        }
    }
    for (int i = 0; i < R::m; ++i)
      for (int j = 0; j < R::n; ++j)
        for (int k = 0; k < R::k; ++k) product[i * R::n + j] += a[i * R::k + k] * b[k * R::n + j];
  }

  // Whether all chains of a warp hold the product so many times.
  bool equals(const std::vector<typename R::Sum>& sums, int chains, double times) const {
    for (int lane = 0; lane < 32; ++lane)
      for (int j = 0; j < chains; ++j)
        for (int i = 0; i < R::c; ++i) {
          const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
          if (double(sums[(lane * chains + j) * R::c + i]) != product[row * R::n + column] * times)
            return false;
        }
    return true;
  }
};

template <Type type>
void measure(Probe& probe) {
  using R = Row<type>;
  constexpr int shorter = 16, longer = 80, chains = 4, steps = 16;
  const Problem<type> problem(probe);
  Array<typename R::Register> operands(problem.operands);
  const std::string name = R::name, latency = name + "_latency", rate = name + "_rate";

  Array<typename R::Sum> warp(32 * R::c);
  Array<long long> cycle(1);
  bool passed = true;
  auto one_warp = [&](auto length) {
    run<type, 1, length.value><<<1, 32>>>(operands.data(), warp.data(), 1, cycle.data());
    PROBE_CALL(cudaGetLastError());
    passed &= problem.equals(warp.read(), 1, 2.0 * length.value);
    return double(cycle.first());
  };
  std::vector<double> samples;
  for (int i = 0; i < (probe.small ? 1 : 15); ++i) {
    const double less = one_warp(std::integral_constant<int, shorter>{});
    samples.push_back((one_warp(std::integral_constant<int, longer>{}) - less) /
                      (longer - shorter));
  }
  probe.check(latency.c_str(), passed, 32 * R::c);
  probe.value(latency.c_str(), "cycles", R::instruction, samples);

  const int blocks = probe.small ? 1 : probe.device.multiProcessorCount,
            threads = probe.small ? 32 : 512;
  Array<typename R::Sum> sums(size_t(blocks) * threads * chains * R::c);
  Array<long long> cycles(blocks);
  auto all = [&](int rounds, cudaStream_t stream) {
    run<type, chains, steps>
        <<<blocks, threads, 0, stream>>>(operands.data(), sums.data(), rounds, cycles.data());
  };
  auto middle = [&](int rounds) {
    all(rounds, nullptr);
    PROBE_CALL(cudaGetLastError());
    const auto each = cycles.read();
    return median(std::vector<double>(each.begin(), each.end()));
  };
  middle(1);
  probe.check(R::name, problem.equals(sums.read(), chains, 2.0 * steps), 32 * chains * R::c);
  if (probe.small) return;
  const double per_round = 2.0 * R::m * R::n * R::k * threads / 32 * chains * steps;
  samples.clear();
  for (int i = 0; i < 9; ++i) samples.push_back(per_round * 32 / (middle(40) - middle(8)));
  probe.value(R::name, "operations/clk/SM", R::instruction, samples);
  const int rounds = 1000;
  timing::Plan plan;
  plan.max_seconds = 0.5;
  samples.clear();
  for (const double seconds :
       timing::measure(plan, [&](cudaStream_t s) { all(rounds - 1, s); }).seconds)
    samples.push_back(per_round * rounds * blocks / seconds / 1e12);
  probe.value(rate.c_str(), "10^12 operations/s", R::instruction, samples);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  measure<Type::f16>(probe);
  measure<Type::bf16>(probe);
  measure<Type::tf32>(probe);
  measure<Type::s8>(probe);
  measure<Type::f64>(probe);
  return probe.end();
}
