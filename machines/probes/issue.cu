// Issue rate: warp instructions that an SM issues a clock, of one kind and of mixed kinds that go
// to different pipes.
//
// Method: as arithmetic.cu, 1024 threads on every SM, four independent chains a thread, some of one
// kind and the rest of the other, so that neighbours are independent. The value counts warp
// instructions over the SM's clock; an SM has four schedulers, each issues one a clock.
//
// Verified: what a part of the threads leave, against the host, of kinds that are exact.
#include "machines/probes/operations.cuh"

using namespace probe;

constexpr int chains = 4, unrolled = 64;

// Chains of A beside chains of B: `of_b` of the four take B.
template <typename A, typename B, int of_b>
__global__ void __launch_bounds__(1024)
    run(typename A::T* a_values, typename B::T* b_values, typename A::T a, typename A::T a2,
        typename B::T b, typename B::T b2, int rounds, long long* cycles) {
  constexpr int of_a = chains - of_b;
  typename A::T x[chains];
  typename B::T y[chains];
  const int own = (blockIdx.x * blockDim.x + threadIdx.x) * chains;
#pragma unroll
  for (int j = 0; j < chains; ++j) x[j] = a_values[own + j], y[j] = b_values[own + j];
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < unrolled; ++i)
#pragma unroll
      for (int j = 0; j < chains; ++j) {
        if (j < of_a) A::step(x[j], a, a2);
        if (j < of_b) B::step(y[j], b, b2);
      }
  __syncthreads();
  const long long stop = clock64();
#pragma unroll
  for (int j = 0; j < chains; ++j) a_values[own + j] = x[j], b_values[own + j] = y[j];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

template <typename A, typename B, int of_b>
std::vector<double> measure(Probe& probe, const char* name, const char* instruction) {
  const int threads = probe.small ? 64 : 1024,
            blocks = probe.small ? 1 : probe.device.multiProcessorCount;
  const auto a = input<A>(probe, -1, -0.9), a2 = input<A>(probe, -1, 1);
  const auto b = input<B>(probe, -1, -0.9), b2 = input<B>(probe, -1, 1);
  std::vector<typename A::T> xs(size_t(blocks) * threads * chains);
  std::vector<typename B::T> ys(xs.size());
  for (auto& x : xs) x = input<A>(probe, 0.5, 2);
  for (auto& y : ys) y = input<B>(probe, 0.5, 2);
  Array<typename A::T> x_values(xs);
  Array<typename B::T> y_values(ys);
  Array<long long> cycles(blocks);
  auto once = [&](int rounds) {
    run<A, B, of_b><<<blocks, threads>>>(x_values.data(), y_values.data(), a, a2, b, b2, rounds,
                                         cycles.data());
    PROBE_CALL(cudaGetLastError());
    const auto all = cycles.read();
    return median(std::vector<double>(all.begin(), all.end()));
  };
  once(1);
  auto xs_after = x_values.read();
  auto ys_after = y_values.read();
  bool passed = true;
  for (int t = 0; t < 64; ++t)
    for (int j = 0; j < chains; ++j) {
      const int at = t * chains + j;
      auto x = xs[at];
      auto y = ys[at];
      for (int i = 0; i < unrolled; ++i) {
        if (j < chains - of_b) x = A::host(x, a, a2);
        if (j < of_b) y = B::host(y, b, b2);
      }
      if (A::tolerance == 0) passed &= x == xs_after[at];
      if (B::tolerance == 0) passed &= y == ys_after[at];
    }
  probe.check(name, passed, 64 * chains);
  if (probe.small) return {};
  const int fewer = 8, more = 40;
  const double warps =
      double(threads) / 32 * unrolled * ((chains - of_b) * A::count + of_b * B::count);
  std::vector<double> samples;
  for (int i = 0; i < 11; ++i)
    samples.push_back(warps * (more - fewer) / (once(more) - once(fewer)));
  probe.value(name, "warp instructions/clk/SM", instruction, samples);
  return samples;
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  std::vector<double> best;
  auto keep = [&](const std::vector<double>& samples) {
    if (best.empty() || (!samples.empty() && median(samples) > median(best))) best = samples;
  };
  keep(measure<Fadd, Fadd, 0>(probe, "fadd", "FADD"));
  keep(measure<Lop3, Lop3, 0>(probe, "lop3", "LOP3.LUT"));
  keep(measure<Fadd, Lop3, 2>(probe, "fadd_lop3", "2 FADD : 2 LOP3.LUT"));
  keep(measure<Fadd, Lop3, 1>(probe, "3_fadd_lop3", "3 FADD : 1 LOP3.LUT"));
  keep(measure<Fadd, Imad, 2>(probe, "fadd_imad", "2 FADD : 2 IMAD"));
  keep(measure<Lop3, Imad, 2>(probe, "lop3_imad", "2 LOP3.LUT : 2 IMAD"));
  keep(measure<Fadd, Dfma, 1>(probe, "3_fadd_dfma", "3 FADD : 1 DFMA"));
  keep(measure<Fadd, Dfma, 2>(probe, "fadd_dfma", "2 FADD : 2 DFMA"));
  keep(measure<Fadd, Hfma2, 2>(probe, "fadd_hfma2", "2 FADD : 2 HFMA2, HFMA2.MMA"));
  keep(measure<Fadd, Rsqrt, 1>(probe, "3_fadd_rsqrt", "3 FADD : 1 MUFU.RSQ"));
  probe.value("best", "warp instructions/clk/SM", "the best of these mixes", best);
  return probe.end();
}
