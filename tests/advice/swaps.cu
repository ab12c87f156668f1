// k60 and k61: compare-and-swap in a loop, by all threads at one word.
#include <algorithm>

#include "tests/advice/pairs.h"

namespace advice {
namespace {

using Word = unsigned long long;

__device__ double sum_of_warp(double value) {
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0u, value, reach);
  return value;
}
__device__ float most_of_warp(float value) {
  for (int reach = 16; reach > 0; reach /= 2)
    value = fmaxf(value, __shfl_xor_sync(~0u, value, reach));
  return value;
}

// A sum of small whole numbers, exact in every order.
constexpr int added = 16 * 1024;

__global__ void k60_a(double* out, const double* in) {
  const double mine = in[thread_index()];
  Word* const place = reinterpret_cast<Word*>(out);
  Word old = *place, assumed;
  do {
    assumed = old;
    const Word sum = __double_as_longlong(mine + __longlong_as_double(assumed));
    old = atomicCAS(place, assumed, sum);  // planted
  } while (assumed != old);
}
__global__ void k60_b(double* out, const double* in) {
  __shared__ double sums[8];
  const double sum = sum_of_warp(in[thread_index()]);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double all = 0;
  for (int i = 0; i < 8; ++i) all += sums[i];
  atomicAdd(out, all);
}

// The most of numbers that are not negative.
constexpr int compared = sms * 8 * 256;

__device__ void find_most(float* out, float mine) {
  int* const place = reinterpret_cast<int*>(out);
  int old = *place;
  while (mine > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS(place, assumed, __float_as_int(mine));  // planted
    if (old == assumed) break;
  }
}
__global__ void k61_a(float* out, const float* in) { find_most(out, in[thread_index()]); }
__global__ void k61_b(float* out, const float* in) {
  __shared__ float most[8];
  const float of_warp = most_of_warp(in[thread_index()]);
  if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = of_warp;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float all = most[0];
  for (int i = 1; i < 8; ++i) all = fmaxf(all, most[i]);
  find_most(out, all);
}

}  // namespace

void k60(Bench& bench) {
  const auto small = bench.integers(added, 8);
  const std::vector<double> in(small.begin(), small.end());
  double sum = 0;
  for (const double each : in) sum += each;
  const DeviceBuffer<double> from(in), out(1);
  bench.run("k60_a", {added / 256, 256}, k60_a, out, equal(std::vector<double>{sum}), from.data());
  bench.run("k60_b", {added / 256, 256}, k60_b, out, equal(std::vector<double>{sum}), from.data());
}

void k61(Bench& bench) {
  const auto in = bench.floats(compared, 0, 1);
  const std::vector<float> most = {*std::max_element(in.begin(), in.end())};
  const DeviceBuffer<float> from(in), out(1);
  bench.run("k61_a", {compared / 256, 256}, k61_a, out, equal(most), from.data());
  bench.run("k61_b", {compared / 256, 256}, k61_b, out, equal(most), from.data());
}

}  // namespace advice
