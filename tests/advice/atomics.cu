// k14 to k16: atomics of many threads on few words.
#include <algorithm>

#include "tests/advice/pairs.h"

namespace advice {
namespace {

// A sum of small whole numbers, exact in every order.
constexpr int n = 256 * 1024;

__global__ void k14_a(float* out, const float* in) {
  atomicAdd(out, in[thread_index()]);  // planted
}
// One atomic a block.
__global__ void k14_b(float* out, const float* in) {
  __shared__ float sums[8];
  float sum = in[thread_index()];
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < 8; ++i) sum += sums[i];
  atomicAdd(out, sum);
}

// A histogram of weights: a word is a weight above six bits of bin; most have the same bin.
constexpr int bins = 64, words = 2 << 20;

__global__ void k15_a(unsigned* out, const unsigned* in) {
  __shared__ unsigned sums[bins];
  if (threadIdx.x < bins) sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = thread_index(); i < words; i += int(gridDim.x * blockDim.x)) {
    atomicAdd(&sums[in[i] % bins], in[i] / bins);  // planted
  }
  __syncthreads();
  if (threadIdx.x < bins) atomicAdd(&out[threadIdx.x], sums[threadIdx.x]);
}
// Every lane has bins of its own.
__global__ void k15_b(unsigned* out, const unsigned* in) {
  __shared__ unsigned sums[bins][32];
  const unsigned t = threadIdx.x, lane = t % 32;
  for (unsigned i = t / 32; i < bins; i += blockDim.x / 32) sums[i][lane] = 0;
  __syncthreads();
  for (int i = thread_index(); i < words; i += int(gridDim.x * blockDim.x)) {
    atomicAdd(&sums[in[i] % bins][lane], in[i] / bins);
  }
  __syncthreads();
  if (t >= bins) return;
  unsigned sum = 0;
  for (unsigned i = 0; i < 32; ++i) sum += sums[t][(lane + i) % 32];
  atomicAdd(&out[t], sum);
}

// Values go to one of 16 lists, whose lengths come first in `out`.
constexpr int lists = 16, room = 64 * 1024, values = 512 * 1024;

__global__ void k16_a(unsigned* out, const unsigned* in) {
  const unsigned value = in[thread_index()], list = value % lists;
  const unsigned at = atomicAdd(&out[list], 1u);  // planted
  out[lists + room * list + at] = value;
}
// A block asks once for all of its values in a list.
__global__ void k16_b(unsigned* out, const unsigned* in) {
  __shared__ unsigned lengths[lists], places[lists];
  const unsigned t = threadIdx.x, value = in[thread_index()], list = value % lists;
  if (t < lists) lengths[t] = 0;
  __syncthreads();
  const unsigned at = atomicAdd(&lengths[list], 1u);
  __syncthreads();
  if (t < lists) places[t] = atomicAdd(&out[t], lengths[t]);
  __syncthreads();
  out[lists + room * list + places[list] + at] = value;
}

}  // namespace

void k14(Bench& bench) {
  const auto small = bench.integers(n, 8);
  const std::vector<float> in(small.begin(), small.end());
  double sum = 0;
  for (const float each : in) sum += each;
  const DeviceBuffer<float> from(in), out(1);
  bench.run("k14_a", {n / 256, 256}, k14_a, out, close({sum}, 0), from.data());
  bench.run("k14_b", {n / 256, 256}, k14_b, out, close({sum}, 0), from.data());
}

void k15(Bench& bench) {
  const auto chance = bench.integers<unsigned>(words, 1024);
  auto in = bench.integers<unsigned>(words, bins * 256);
  std::vector<unsigned> wanted(bins, 0);
  for (size_t i = 0; i < in.size(); ++i) {
    if (chance[i] < 960) in[i] = in[i] / bins * bins + 5;
    wanted[in[i] % bins] += in[i] / bins;
  }
  const DeviceBuffer<unsigned> from(in), out(bins);
  bench.run("k15_a", {8 * sms, 256}, k15_a, out, equal(wanted), from.data());
  bench.run("k15_b", {8 * sms, 256}, k15_b, out, equal(wanted), from.data());
}

void k16(Bench& bench) {
  const auto in = bench.integers<unsigned>(values, uint64_t(1) << 32);
  std::vector<std::vector<unsigned>> wanted(lists);
  for (const unsigned value : in) wanted[value % lists].push_back(value);
  for (auto& each : wanted) std::sort(each.begin(), each.end());
  const std::function<bool(const std::vector<unsigned>&)> right = [&](const auto& got) {
    for (size_t list = 0; list < lists; ++list) {
      const size_t length = got[list];
      if (length != wanted[list].size()) return false;
      const auto begin = got.begin() + long(lists + room * list);
      std::vector<unsigned> sorted(begin, begin + long(length));
      std::sort(sorted.begin(), sorted.end());
      if (sorted != wanted[list]) return false;
    }
    return true;
  };
  const DeviceBuffer<unsigned> from(in), out(lists + size_t(lists) * room);
  bench.run("k16_a", {values / 512, 512}, k16_a, out, right, from.data());
  bench.run("k16_b", {values / 512, 512}, k16_b, out, right, from.data());
}

}  // namespace advice
