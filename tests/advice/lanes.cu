// k56 and k58: what lanes of a warp, and warps of a block, add up together.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int dimensions = 32, centres = 128, rounds = 8, threads = 256, blocks = sms * 8;
constexpr int points = blocks * threads / 32 * rounds;

// The square of each point's distance from the nearest of some centres: a warp a centre, or eight of its lanes.
__device__ void load_centres(float (&centre)[centres][dimensions], const float* from) {
  for (int i = int(threadIdx.x); i < centres * dimensions; i += threads)
    centre[i / dimensions][i % dimensions] = from[i];
  __syncthreads();
}

__global__ void k56_a(float* out, const float* in, const float* from) {
  __shared__ float centre[centres][dimensions];
  load_centres(centre, from);
  const int lane = int(threadIdx.x) % 32;
  for (int r = 0, point = thread_index() / 32; r < rounds; ++r, point += points / rounds) {
    const float x = in[point * dimensions + lane];
    float nearest = INFINITY;
    for (int j = 0; j < centres; ++j) {
      const float away = x - centre[j][lane];
      float sum = away * away;
      for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);  // planted
      nearest = fminf(nearest, sum);
    }
    if (lane == 0) out[point] = nearest;
  }
}
__global__ void k56_b(float* out, const float* in, const float* from) {
  __shared__ float centre[centres][dimensions];
  load_centres(centre, from);
  const int lane = int(threadIdx.x) % 32, part = lane % 8;
  for (int r = 0, point = thread_index() / 32; r < rounds; ++r, point += points / rounds) {
    const float4 x = reinterpret_cast<const float4*>(in)[point * (dimensions / 4) + part];
    float nearest = INFINITY;
    for (int j = lane / 8; j < centres; j += 4) {
      const float4 c = reinterpret_cast<const float4*>(centre[j])[part];
      const float4 away = {x.x - c.x, x.y - c.y, x.z - c.z, x.w - c.w};
      float sum = away.x * away.x + away.y * away.y + away.z * away.z + away.w * away.w;
      for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
      nearest = fminf(nearest, sum);
    }
    for (int step = 16; step > 4; step /= 2)
      nearest = fminf(nearest, __shfl_xor_sync(~0u, nearest, step));
    if (lane == 0) out[point] = nearest;
  }
}

// Sums of each block's numbers, by halves in shared memory or by shuffles.
constexpr int sums = sms * 128;

__global__ void k58_a(int* out, const int* in) {
  __shared__ int some[threads];
  const int t = int(threadIdx.x);
  some[t] = in[thread_index()];
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) some[t] += some[t + half];  // planted
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = some[0];
}
__global__ void k58_b(int* out, const int* in) {
  __shared__ int of_warp[threads / 32];
  const int t = int(threadIdx.x);
  int sum = in[thread_index()];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();
  if (t != 0) return;
  for (int w = 1; w < threads / 32; ++w) sum += of_warp[w];
  out[blockIdx.x] = sum;
}

}  // namespace

void k56(Bench& bench) {
  const auto in = bench.floats(size_t(points) * dimensions, -1, 1),
             from = bench.floats(size_t(centres) * dimensions, -1, 1);
  std::vector<double> wanted(points, INFINITY);
  for (size_t p = 0; p < size_t(points); ++p)
    for (size_t c = 0; c < size_t(centres); ++c) {
      double sum = 0;
      for (size_t d = 0; d < size_t(dimensions); ++d) {
        const double away = double(in[p * dimensions + d]) - from[c * dimensions + d];
        sum += away * away;
      }
      wanted[p] = std::min(wanted[p], sum);
    }
  const DeviceBuffer<float> these(in), those(from), out(points);
  const auto right = close(wanted, 1e-5);
  bench.run("k56_a", {blocks, threads}, k56_a, out, right, these.data(), those.data());
  bench.run("k56_b", {blocks, threads}, k56_b, out, right, these.data(), those.data());
}

void k58(Bench& bench) {
  const auto in = bench.integers(size_t(sums) * threads, 1000);
  std::vector<int> wanted(sums, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i / threads] += in[i];
  const DeviceBuffer<int> from(in), out(sums);
  bench.run("k58_a", {sums, threads}, k58_a, out, equal(wanted), from.data());
  bench.run("k58_b", {sums, threads}, k58_b, out, equal(wanted), from.data());
}

}  // namespace advice
