// Throughput of arithmetic: results of each class of operations.cuh that an SM finishes a clock.
//
// Method: one block of 1024 threads on every SM, so that its schedulers have eight warps each; a
// thread runs eight independent chains, unrolled, between two barriers and reads of clock64(). Two
// numbers of rounds are run and subtracted, as in latency.cu. For multiply-adds the whole machine
// is timed by events as well, for the rate at the clocks that a long load leaves.
//
// The clock that this leaves is measured in passing: the SM's cycles over the time by events.
//
// Verified: what a part of the threads leave, against the host.
#include "headroom/timing.cuh"
#include "machines/probes/operations.cuh"

using namespace probe;
namespace timing = headroom::timing;

constexpr int chains = 8, unrolled = 32;

template <typename Operation>
__global__ void __launch_bounds__(1024)
    run(typename Operation::T* values, typename Operation::T a, typename Operation::T b, int rounds,
        long long* cycles) {
  typename Operation::T x[chains];
  auto* own = values + (blockIdx.x * blockDim.x + threadIdx.x) * chains;
#pragma unroll
  for (int j = 0; j < chains; ++j) x[j] = own[j];
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < unrolled; ++i)
#pragma unroll
      for (int j = 0; j < chains; ++j) Operation::step(x[j], a, b);
  __syncthreads();
  const long long stop = clock64();
#pragma unroll
  for (int j = 0; j < chains; ++j) own[j] = x[j];
  if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
}

template <typename Operation>
void measure(Probe& probe) {
  using T = typename Operation::T;
  const int threads = probe.small ? 64 : 1024,
            blocks = probe.small ? 1 : probe.device.multiProcessorCount;
  const T a = input<Operation>(probe, -1, -0.9), b = input<Operation>(probe, -1, 1);
  std::vector<T> before(size_t(blocks) * threads * chains);
  for (T& x : before) x = input<Operation>(probe, 0.5, 2);
  Array<T> values(before);
  Array<long long> cycles(blocks);
  auto once = [&](int rounds) {
    run<Operation><<<blocks, threads>>>(values.data(), a, b, rounds, cycles.data());
    PROBE_CALL(cudaGetLastError());
    return median([&] {
      const auto all = cycles.read();
      return std::vector<double>(all.begin(), all.end());
    }());
  };

  // Approximate chains drift from the host's: theirs are compared in latency.cu, step by step.
  once(1);
  std::vector<T> after = values.read(), part = before;
  part.resize(std::min<size_t>(part.size(), 4096));
  after.resize(part.size());
  if (Operation::tolerance == 0)
    probe.check(Operation::name, equals_host<Operation>(part, after, a, b, unrolled), part.size());
  if (probe.small) return;

  const int fewer = 8, more = 40;
  std::vector<double> samples;
  for (int i = 0; i < 11; ++i)
    samples.push_back(double(threads) * chains * unrolled * (more - fewer) /
                      (once(more) - once(fewer)));
  probe.value(Operation::name, "results/clk/SM", Operation::instruction, samples);
}

// The whole GPU by events, in 10^12 operations a second, an FMA being two for each value.
template <typename Operation>
void rate(Probe& probe, const char* name, double operations) {
  if (probe.executor) return;
  const int threads = 1024, blocks = probe.device.multiProcessorCount, rounds = 1000;
  const auto a = input<Operation>(probe, -1, -0.9), b = input<Operation>(probe, -1, 1);
  std::vector<typename Operation::T> before(size_t(blocks) * threads * chains);
  for (auto& x : before) x = input<Operation>(probe, 0.5, 2);
  Array<typename Operation::T> values(before);
  Array<long long> cycles(blocks);
  timing::Plan plan;
  plan.max_seconds = 1;
  std::vector<double> samples;
  const auto timed = timing::measure(plan, [&](cudaStream_t s) {
    run<Operation><<<blocks, threads, 0, s>>>(values.data(), a, b, rounds, cycles.data());
  });
  for (const double seconds : timed.seconds)
    samples.push_back(operations * blocks * threads * chains * unrolled * rounds / seconds / 1e12);
  probe.value(name, "10^12 operations/s", Operation::instruction, samples);
  const auto all = cycles.read();
  const double used = median(std::vector<double>(all.begin(), all.end()));
  const std::vector<double> clock(1, used / timed.seconds.back() / 1e6);
  probe.value("sm_clock", "MHz", Operation::instruction, clock, {{"operations", operations}});
}

template <typename... Each>
void measure_all(Probe& probe, std::tuple<Each...>) {
  (measure<Each>(probe), ...);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  measure_all(probe, Operations{});
  rate<Ffma>(probe, "fp32_rate", 2);
  rate<Dfma>(probe, "fp64_rate", 2);
  rate<Hfma2>(probe, "fp16_rate", 4);
  return probe.end();
}
