// k12 and k13: what waits for what within a thread.
#include <algorithm>
#include <numeric>

#include "tests/advice/pairs.h"

namespace advice {
namespace {

// A polynomial of 8192 coefficients, which are 16 over and over, by Horner's rule.
constexpr int threads = sms * 128, period = 16, periods = 512;
struct Coefficients {
  float of[period];
};

__global__ void k12_a(float* out, const float* in, Coefficients coefficients) {
  const float x = in[thread_index()];
  float sum = 0;
#pragma unroll 2
  for (int j = 0; j < periods; ++j) {
#pragma unroll
    for (int k = period - 1; k >= 0; --k) {
      sum = sum * x + coefficients.of[k];  // planted
    }
  }
  out[thread_index()] = sum;
}
// Four polynomials of every fourth coefficient.
__global__ void k12_b(float* out, const float* in, Coefficients coefficients) {
  const float x = in[thread_index()], x2 = x * x, x4 = x2 * x2;
  float sums[4] = {};
#pragma unroll 2
  for (int j = 0; j < periods; ++j) {
#pragma unroll
    for (int k = period - 1; k >= 0; --k) sums[k % 4] = sums[k % 4] * x4 + coefficients.of[k];
  }
  out[thread_index()] = sums[0] + x * sums[1] + x2 * (sums[2] + x * sums[3]);
}

// Sums of 64 places of a list.
constexpr int places = 2 << 20, walkers = sms * 64, steps = 64;

__global__ void k13_a(unsigned* out, const unsigned* next, const unsigned* starts) {
  unsigned at = starts[thread_index()], sum = 0;
  for (int j = 0; j < steps; ++j) {
    at = next[at];  // planted
    sum += at;
  }
  out[thread_index()] = sum;
}
// The places are known beforehand, in the order of the steps.
__global__ void k13_b(unsigned* out, const unsigned* next, const unsigned* visited) {
  unsigned sum = 0;
#pragma unroll 8
  for (int j = 0; j < steps; ++j) sum += next[visited[walkers * j + thread_index()]];
  out[thread_index()] = sum;
}

}  // namespace

void k12(Bench& bench) {
  const auto in = bench.floats(threads, -0.9f, 0.9f), factors = bench.floats(period, -1, 1);
  Coefficients coefficients;
  std::copy(factors.begin(), factors.end(), coefficients.of);
  std::vector<double> wanted(threads);
  for (size_t i = 0; i < wanted.size(); ++i) {
    const double x = in[i];
    double sum = 0;
    for (int k = 0; k < period; ++k) sum += factors[size_t(k)] * std::pow(x, k);
    // The geometric series of x^16.
    wanted[i] = sum * (1 - std::pow(x, period * periods)) / (1 - std::pow(x, period));
  }
  const DeviceBuffer<float> from(in), out(threads);
  const auto right = close(wanted, 1e-4);
  bench.run("k12_a", {sms, 128}, k12_a, out, right, from.data(), coefficients);
  bench.run("k12_b", {sms, 128}, k12_b, out, right, from.data(), coefficients);
}

void k13(Bench& bench) {
  // One ring through all places, in random order.
  const auto random = bench.integers<size_t>(places, uint64_t(1) << 40);
  std::vector<unsigned> ring(places), next(places), starts, visited, wanted(walkers, 0);
  std::iota(ring.begin(), ring.end(), 0u);
  for (size_t i = places - 1; i > 0; --i) std::swap(ring[i], ring[random[i] % (i + 1)]);
  for (size_t i = 0; i < places; ++i) next[ring[i]] = ring[(i + 1) % places];
  for (size_t j = 0; j < steps; ++j) {
    for (size_t i = 0; i < walkers; ++i) {
      const size_t first = places / walkers * i;
      visited.push_back(ring[first + j]);
      wanted[i] += ring[(first + j + 1) % places];
    }
  }
  starts.assign(visited.begin(), visited.begin() + walkers);
  const DeviceBuffer<unsigned> list(next), before(starts), all(visited), out(walkers);
  bench.run("k13_a", {sms, 64}, k13_a, out, equal(wanted), list.data(), before.data());
  bench.run("k13_b", {sms, 64}, k13_b, out, equal(wanted), list.data(), all.data());
}

}  // namespace advice
