// k25 to k30: kernels that have nothing to gain; but k30 has, by several points a thread (results/h200/twins_left.json).
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int quads = 30 << 16;  // 30 MiB

__global__ void k25_a(float4* __restrict__ out, const float4* __restrict__ in) {
  out[thread_index()] = in[thread_index()];
}

// x -> a x + c of four values a thread.
constexpr int chains = sms * 2048, steps = 240;
__global__ void k26_a(float* out, const float* in, float a) {
  float x[4], c[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) x[k] = c[k] = in[chains * k + thread_index()];
#pragma unroll 16
  for (int j = 0; j < steps; ++j) {
#pragma unroll
    for (int k = 0; k < 4; ++k) x[k] = a * x[k] + c[k];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) out[chains * k + thread_index()] = x[k];
}

// Whole numbers as floats, whose products and sums are exact: 64 x 64 results a block, 4 x 4 a thread.
constexpr int m = 22 * 64, n = 12 * 64, depth = 128, slice = 16;
__global__ void k27_a(float* __restrict__ out, const float* __restrict__ a,
                      const float* __restrict__ b) {
  __shared__ __align__(16) float left[slice][64 + 4], right[slice][64 + 4];
  const int t = int(threadIdx.x), x = t % 16 * 4, y = t / 16 * 4;
  const int row = int(64 * blockIdx.y), column = int(64 * blockIdx.x);
  float sums[4][4] = {};
  for (int k = 0; k < depth; k += slice) {
    const float4 four = *reinterpret_cast<const float4*>(&a[depth * (row + t / 4) + k + t % 4 * 4]);
    left[t % 4 * 4][t / 4] = four.x;
    left[t % 4 * 4 + 1][t / 4] = four.y;
    left[t % 4 * 4 + 2][t / 4] = four.z;
    left[t % 4 * 4 + 3][t / 4] = four.w;
    *reinterpret_cast<float4*>(&right[t / 16][x]) =
        *reinterpret_cast<const float4*>(&b[n * (k + t / 16) + column + x]);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < slice; ++j) {
      const float4 l = *reinterpret_cast<const float4*>(&left[j][y]);
      const float4 r = *reinterpret_cast<const float4*>(&right[j][x]);
      const float ls[] = {l.x, l.y, l.z, l.w}, rs[] = {r.x, r.y, r.z, r.w};
#pragma unroll
      for (int i = 0; i < 16; ++i) sums[i / 4][i % 4] += ls[i / 4] * rs[i % 4];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    *reinterpret_cast<float4*>(&out[n * (row + y + i) + column + x]) =
        make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  }
}

// Sums of 4096 numbers a block.
constexpr int addends = 4096, blocks = 2048;
__global__ void k28_a(int* out, const int4* __restrict__ in) {
  __shared__ int sums[8];
  in += addends / 4 * blockIdx.x;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < addends / 4; j += 256) {
    const int4 four = in[j + threadIdx.x];
    sum += four.x + four.y + four.z + four.w;
  }
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 8) return;
  sum = __reduce_add_sync(0xff, sums[threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

constexpr int elements = 7 << 20;
__global__ void k29_a(float4* __restrict__ out, const float4* __restrict__ x,
                      const float4* __restrict__ y, float a) {
  const float4 xs = x[thread_index()], ys = y[thread_index()];
  out[thread_index()] =
      make_float4(a * xs.x + ys.x, a * xs.y + ys.y, a * xs.z + ys.z, a * xs.w + ys.w);
}

// Each point plus its four neighbours, on a square whose edges are joined.
constexpr int side = 2048;
__global__ void k30_a(int* __restrict__ out, const int* __restrict__ in) {
  const int x = int(64 * blockIdx.x + threadIdx.x), y = int(4 * blockIdx.y + threadIdx.y);
  const int left = (x + side - 1) % side, right = (x + 1) % side;
  const int above = (y + side - 1) % side, below = (y + 1) % side;
  out[side * y + x] = 4 * in[side * y + x] - in[side * y + left] - in[side * y + right] -
                      in[side * above + x] - in[side * below + x];
}

std::vector<float> whole(Bench& bench, size_t count, int end) {
  const auto numbers = bench.integers(count, uint64_t(end));
  return {numbers.begin(), numbers.end()};
}
template <class Quad, class T>
const Quad* as(const DeviceBuffer<T>& buffer) {
  return reinterpret_cast<const Quad*>(buffer.data());
}

bool same(const float4& a, const float4& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
std::function<bool(const std::vector<float4>&)> all_same(std::vector<float4> wanted) {
  return [wanted = std::move(wanted)](const std::vector<float4>& got) {
    return std::equal(got.begin(), got.end(), wanted.begin(), wanted.end(), same);
  };
}
std::vector<float4> by_four(const std::vector<float>& values) {
  std::vector<float4> fours;
  for (size_t i = 0; i < values.size(); i += 4) {
    fours.push_back({values[i], values[i + 1], values[i + 2], values[i + 3]});
  }
  return fours;
}

}  // namespace

void k25(Bench& bench) {
  const auto in = by_four(bench.floats(size_t(quads) * 4, -1, 1));
  const DeviceBuffer<float4> from(in), out(quads);
  bench.run("k25_a", {quads / 256, 256}, k25_a, out, all_same(in), from.data());
}

void k26(Bench& bench) {
  const auto in = bench.floats(size_t(chains) * 4, -1, 1);
  const float a = bench.floats(1, 0.5, 0.8f)[0];
  const double factor = (1 - std::pow(double(a), steps + 1)) / (1 - double(a));
  std::vector<double> wanted;
  for (const float c : in) wanted.push_back(factor * c);
  const DeviceBuffer<float> from(in), out(in.size());
  bench.run("k26_a", {chains / 256, 256}, k26_a, out, close(wanted, 1e-5), from.data(), a);
}

void k27(Bench& bench) {
  const auto a = whole(bench, size_t(m) * depth, 64), b = whole(bench, size_t(depth) * n, 64);
  std::vector<float> wanted(size_t(m) * n, 0);
  for (size_t row = 0; row < m; ++row) {
    for (size_t k = 0; k < depth; ++k) {
      const float factor = a[depth * row + k];
      for (size_t column = 0; column < n; ++column) {
        wanted[n * row + column] += factor * b[n * k + column];
      }
    }
  }
  const DeviceBuffer<float> left(a), right(b), out(wanted.size());
  const Shape shape{dim3(n / 64, m / 64), 256};
  bench.run("k27_a", shape, k27_a, out, equal(wanted), left.data(), right.data());
}

void k28(Bench& bench) {
  const auto in = bench.integers(size_t(blocks) * addends, 1 << 16);
  std::vector<int> wanted(blocks, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i / addends] += in[i];
  const DeviceBuffer<int> from(in), out(blocks);
  bench.run("k28_a", {blocks, 256}, k28_a, out, equal(wanted), as<int4>(from));
}

void k29(Bench& bench) {
  const auto x = whole(bench, elements / 2, 1000), y = whole(bench, elements / 2, 1000);
  std::vector<float> wanted(x.size());
  for (size_t i = 0; i < x.size(); ++i) wanted[i] = 3 * x[i] + y[i];
  const DeviceBuffer<float> xs(x), ys(y);
  const DeviceBuffer<float4> out(x.size() / 4);
  const Shape shape{elements / 8 / 256, 256};
  bench.run("k29_a", shape, k29_a, out, all_same(by_four(wanted)), as<float4>(xs), as<float4>(ys),
            3.0f);
}

void k30(Bench& bench) {
  const auto in = bench.integers(size_t(side) * side, 1 << 20);
  std::vector<int> wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t x = i % side, row = i - x;
    wanted[i] = 4 * in[i] - in[row + (x ? x - 1 : side - 1)] -
                in[row + (x + 1 < side ? x + 1 : 0)] - in[(i + in.size() - side) % in.size()] -
                in[(i + side) % in.size()];
  }
  const DeviceBuffer<int> from(in), out(in.size());
  bench.run("k30_a", {dim3(side / 64, side / 4), dim3(64, 4)}, k30_a, out, equal(wanted),
            from.data());
}

}  // namespace advice
