// Latency of arithmetic: cycles from the issue of an instruction to the issue of one that needs its
// result, for each class of operations.cuh.
//
// Method: one warp runs a straight line of N dependent steps between two reads of clock64(). Two
// lengths are run, and the difference of their times over the difference of N is the value: what
// the reads and the first fetch of the code cost falls out. Each line is run twice, and the second
// time counts, so that the instructions lie in the cache. Where a step takes two instructions the
// value is the step's: "isetp_sel".
//
// Verified: what the lines leave, against the host.
#include "machines/probes/operations.cuh"

using namespace probe;

constexpr int passes = 2;

template <typename Operation, int steps>
__global__ void chain(typename Operation::T* values, typename Operation::T a,
                      typename Operation::T b, long long* cycles) {
  typename Operation::T x = values[threadIdx.x];
  long long start = 0, stop = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    start = clock64();
#pragma unroll
    for (int i = 0; i < steps; ++i) Operation::step(x, a, b);
    stop = clock64();
  }
  values[threadIdx.x] = x;
  if (threadIdx.x == 0) *cycles = stop - start;
}

template <typename Operation>
void measure(Probe& probe) {
  using T = typename Operation::T;
  constexpr int shorter = 32, longer = 160;
  const T a = input<Operation>(probe, -1, -0.9), b = input<Operation>(probe, -1, 1);
  std::vector<T> before(32);
  for (T& x : before) x = input<Operation>(probe, 0.5, 2);
  Array<T> values(before.size());
  Array<long long> cycles(1);

  bool passed = true;
  auto once = [&](auto steps, bool verify) {
    if (verify) values.write(before);
    chain<Operation, steps.value><<<1, 32>>>(values.data(), a, b, cycles.data());
    PROBE_CALL(cudaGetLastError());
    if (verify) passed &= equals_host<Operation>(before, values.read(), a, b, passes * steps.value);
    return double(cycles.first());
  };
  once(std::integral_constant<int, 1>{}, true);
  once(std::integral_constant<int, shorter>{}, Operation::tolerance == 0);
  once(std::integral_constant<int, longer>{}, Operation::tolerance == 0);
  probe.check(Operation::name, passed, before.size());

  std::vector<double> samples;
  for (int i = 0; i < (probe.small ? 0 : 21); ++i)
    samples.push_back((once(std::integral_constant<int, longer>{}, false) -
                       once(std::integral_constant<int, shorter>{}, false)) /
                      (longer - shorter));
  probe.value(Operation::name, "cycles", Operation::instruction, samples);
}

template <typename... Each>
void measure_all(Probe& probe, std::tuple<Each...>) {
  (measure<Each>(probe), ...);
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  measure_all(probe, Operations{});
  return probe.end();
}
