// Tiles of 32 × 32 words turned in shared memory: as they are, with a column more, and with columns
// exchanged by the row's bits; and what is not aligned to a warp: odd pitches, shared memory of the
// launch, columns of structures.
//
//   plain      the column is one bank: 32 wavefronts
//   padded     33 words a row: 1
//   swizzled   word (row, column ^ row): 1
#include "tests/micro/gather.cuh"

namespace micro {
namespace {

struct Plain {
  ANYWHERE int word(int row, int column) { return 32 * row + column; }
};
struct Padded {
  ANYWHERE int word(int row, int column) { return 33 * row + column; }
};
struct Swizzled {
  ANYWHERE int word(int row, int column) { return 32 * row + (column ^ row); }
};

// A block of 32 × 8 threads: four rows each.
template <class L>
__global__ void transpose(float* out, const float* in) {
  __shared__ float tile[32 * 33];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  in += blockIdx.x * 1024;
  out += blockIdx.x * 1024;
#pragma unroll
  for (int row = 0; row < 32; row += 8) tile[L::word(y + row, x)] = in[32 * (y + row) + x];
  __syncthreads();
#pragma unroll
  for (int row = 0; row < 32; row += 8) out[32 * (y + row) + x] = tile[L::word(x, y + row)];
}
template <class L>
void transpose_case(Bench& bench) {
  Traffic traffic(2, dim3(32, 8));
  const auto in = bench.random<float>(2 * 1024);
  auto after = in;
  for (size_t i = 0; i < after.size(); ++i)
    after[i] = in[i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32];
  for (int row = 0; row < 32; row += 8) {
    const auto word = [=](Thread t) { return 4 * (1024 * t.block + 32 * (t.y + row) + t.x); };
    traffic.global_load(4, word);
    traffic.shared_store(4, [=](Thread t) { return 4 * L::word(t.y + row, t.x); });
    traffic.shared_load(4, [=](Thread t) { return 4 * L::word(t.x, t.y + row); });
    traffic.global_store(4, word);
  }
  bench.check(transpose<L>, traffic, Bench::unwritten<float>(in.size()), after, in);
}

// A block of 20 × 12 threads on a tile of 21 columns: rows end within warps.
__global__ void odd_tile(float* out, const float* in) {
  __shared__ float tile[12][21];
  const int x = int(threadIdx.x), y = int(threadIdx.y), i = int(blockIdx.x) * 240 + y * 20 + x;
  tile[y][x] = in[i];
  __syncthreads();
  out[i] = tile[11 - y][19 - x];
}
void odd_tile_case(Bench& bench) {
  Traffic traffic(2, dim3(20, 12));
  const auto in = bench.random<float>(480);
  auto after = in;
  traffic.each_thread(
      [&](Thread t) { after[size_t(t.at)] = in[size_t(t.block * 240 + 239 - t.index)]; });
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.shared_store(4, [](Thread t) { return 4 * (21 * t.y + t.x); });
  traffic.shared_load(4, [](Thread t) { return 4 * (21 * (11 - t.y) + 19 - t.x); });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(odd_tile, traffic, Bench::unwritten<float>(in.size()), after, in);
}

// Structures of 12 bytes in shared memory: three words, whose stride of 3 has no conflicts.
struct Point {
  float x, y, z;
};
__global__ void points(float* out, const Point* in) {
  __shared__ Point tile[64];
  const int i = int(threadIdx.x);
  tile[i] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - i].y;
}
void points_case(Bench& bench) {
  Traffic traffic(2, 64);
  const auto in = bench.random<Point>(128);
  std::vector<float> after(128);
  traffic.each_thread(
      [&](Thread t) { after[size_t(t.at)] = in[size_t(t.block * 64 + 63 - t.index)].y; });
  for (int part = 0; part < 12; part += 4) {
    traffic.global_load(4, [=](Thread t) { return 12 * t.at + part; });
    traffic.shared_store(4, [=](Thread t) { return 12 * t.index + part; });
  }
  traffic.shared_load(4, [](Thread t) { return 12 * (63 - t.index) + 4; });
  traffic.global_store(4, [](Thread t) { return 4 * t.at; });
  bench.check(points, traffic, Bench::unwritten<float>(128), after, in);
}

// A tree of sums: half as many threads each round, whole warps idle first, then lanes.
__global__ void tree(int* out, const int* in) {
  __shared__ int sums[256];
  const int i = int(threadIdx.x);
  sums[i] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (i < half) sums[i] += sums[i + half];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = sums[0];
}
void tree_case(Bench& bench) {
  Traffic traffic(2, 256);
  const auto in = bench.random_integers(512, 1000000);
  std::vector<int> after(2, 0);
  for (size_t i = 0; i < in.size(); ++i) after[i / 256] += in[i];
  traffic.global_load(4, [](Thread t) { return 4 * t.at; });
  traffic.shared_store(4, [](Thread t) { return 4 * t.index; });
  for (int half = 128; half > 0; half /= 2) {
    traffic.shared_load(4, [=](Thread t) { return t.index < half ? 4L * t.index : idle; });
    traffic.shared_load(4, [=](Thread t) { return t.index < half ? 4L * (t.index + half) : idle; });
    traffic.shared_store(4, [=](Thread t) { return t.index < half ? 4L * t.index : idle; });
  }
  const auto first = [](Thread t) { return t.index == 0 ? 0L : idle; };
  traffic.shared_load(4, first);
  traffic.global_store(4, [](Thread t) { return t.index == 0 ? 4L * t.block : idle; });
  bench.check(tree, traffic, Bench::unwritten<int>(2), after, in);
}

}  // namespace

std::vector<Case> tiles() {
  return {
      {"transpose, plain", transpose_case<Plain>},
      {"transpose, padded", transpose_case<Padded>},
      {"transpose, swizzled", transpose_case<Swizzled>},
      {"20 x 12 of 21 columns", odd_tile_case},
      {"structures of 12 B", points_case},
      {"tree of sums", tree_case},
  };
}

}  // namespace micro
