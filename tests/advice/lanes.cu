// k56: what lanes of a warp add up together.
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

}  // namespace advice
