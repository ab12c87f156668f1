// k01 to k03: how the lanes of a warp share the lines of global memory.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int columns = 32, rows = 131072;  // 16 MiB

// Sums of rows: a thread goes along its own row.
__global__ void k01_a(int* out, const int* in) {
  const int row = thread_index();
  int sum = 0;
  for (int j = 0; j < columns; ++j) {
    sum += in[columns * row + j];  // planted
  }
  out[row] = sum;
}
// A warp loads 32 rows, one after the other, and turns them in shared memory.
__global__ void k01_b(int* out, const int* in) {
  __shared__ int tiles[8][32][33];
  const int row = thread_index(), lane = int(threadIdx.x % 32);
  auto& tile = tiles[threadIdx.x / 32];
  for (int j = 0; j < 32; ++j) tile[j][lane] = in[columns * (row - lane + j) + lane];
  __syncwarp();
  int sum = 0;
  for (int j = 0; j < columns; ++j) sum += tile[lane][j];
  out[row] = sum;
}

// Multiples of a value: a thread writes its own row.
__global__ void k02_a(int* out, const int* in) {
  const int row = thread_index();
  const int value = in[row];
  for (int j = 0; j < columns; ++j) {
    out[columns * row + j] = value * (j + 1);  // planted
  }
}
// A warp writes 32 rows, one after the other.
__global__ void k02_b(int* out, const int* in) {
  const int row = thread_index(), lane = int(threadIdx.x % 32);
  const int value = in[row];
  for (int j = 0; j < 32; ++j) {
    out[columns * (row - lane + j) + lane] = __shfl_sync(~0u, value, j) * (lane + 1);
  }
}

struct Body {
  float x, y, z, to_x, to_y, to_z, mass, charge;
};
constexpr int bodies = 1536 * 1024;  // 48 MiB

__global__ void k03_a(float* out, const Body* in, float factor) {
  const int i = thread_index();
  out[i] = in[i].mass * factor;  // planted
}
__global__ void k03_b(float* out, const float* masses, float factor) {
  const int i = thread_index();
  out[i] = masses[i] * factor;
}

}  // namespace

void k01(Bench& bench) {
  const auto in = bench.integers(size_t(rows) * columns, 1 << 20);
  std::vector<int> wanted(rows, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i / columns] += in[i];
  const DeviceBuffer<int> from(in), out(rows);
  bench.run("k01_a", {rows / 256, 256}, k01_a, out, equal(wanted), from.data());
  bench.run("k01_b", {rows / 256, 256}, k01_b, out, equal(wanted), from.data());
}

void k02(Bench& bench) {
  const auto in = bench.integers(rows, 1 << 20);
  std::vector<int> wanted(size_t(rows) * columns);
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = in[i / columns] * int(i % columns + 1);
  const DeviceBuffer<int> from(in), out(wanted.size());
  bench.run("k02_a", {rows / 256, 256}, k02_a, out, equal(wanted), from.data());
  bench.run("k02_b", {rows / 256, 256}, k02_b, out, equal(wanted), from.data());
}

void k03(Bench& bench) {
  const auto masses = bench.floats(bodies, 1, 2), others = bench.floats(bodies, -1, 1);
  std::vector<Body> in(bodies);
  std::vector<float> wanted(bodies);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = {others[i], 1, 2, 3, 4, 5, masses[i], -others[i]};
    wanted[i] = masses[i] * 3.5f;
  }
  const DeviceBuffer<float> out(bodies);
  {
    const DeviceBuffer<Body> from(in);
    bench.run("k03_a", {bodies / 256, 256}, k03_a, out, equal(wanted), from.data(), 3.5f);
  }
  const DeviceBuffer<float> from(masses);
  bench.run("k03_b", {bodies / 256, 256}, k03_b, out, equal(wanted), from.data(), 3.5f);
}

}  // namespace advice
