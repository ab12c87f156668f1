// A product of any shape on tensor cores by one kernel of many sizes: each float is split into two terms of tf32
// when it reaches a register, and three of the four products of terms are summed (3 x TF32).
//
//   using Sizes = TensorTile<64, 32, 2, 2, 32, 4, 2>;      // 128 x 64, four warps of 64 x 32
//   tensor_tile_kernel<Sizes><<<tiles * splits, Sizes::threads, Sizes::shared>>>(product, splits, {});
//
// A and B come to shared memory as they lie, by copies of 16 bytes at multiples of 16 bytes: where a row begins
// between two of these, so it does in shared memory, by 0 to 3 elements later. These shifts repeat every four
// rows, and so does what a lane reads: each lane has one shift of A and one of B all the while. What
// lies after K is filled with zeros; other elements that came with a copy are not read, or not stored.
//
// Tensor cores truncate where an FADD rounds: their sums are promoted after every step of `depth` k. From shared
// memory on, the results go the way of any_tile.h. A sum that is infinite or no number is computed again without
// terms: infinity less its first term is no number.
#pragma once
#include "studies/common/launch_early.h"
#include "studies/sgemm/any_tile.h"

namespace sgemm {

template <int warp_rows_, int warp_columns_, int warps_down_, int warps_across_, int depth_,
          int stages_, int blocks_>
struct TensorTile {
  static constexpr int warp_rows = warp_rows_, warp_columns = warp_columns_;
  static constexpr int warps_down = warps_down_, warps_across = warps_across_;
  static constexpr int rows = warp_rows * warps_down, columns = warp_columns * warps_across;
  static constexpr int power_of_columns = columns & -columns;
  static constexpr int threads = 32 * warps_down * warps_across, blocks = blocks_;
  static constexpr int depth = depth_, stages = stages_;
  static constexpr bool sums_terms = true;
  static constexpr bool promotes = depth >= 32;  // else k is short: see most_shallow_k
  // A warp reads 8 rows x 4 of A, 4 x 8 of B, and stores 8 x 8 of C by twos.
  static constexpr int a_stride = depth + 4, b_stride = columns + (columns % 16 ? 16 : 8);
  static constexpr int c_stride = b_stride;
  static constexpr int stage = rows * a_stride + depth * b_stride;
  static constexpr int floats = stages * stage > rows* c_stride ? stages* stage : rows* c_stride;
  static constexpr int shared = floats * int(sizeof(float));
  static_assert(warp_rows % 16 == 0 && warp_columns % 8 == 0 && depth % 8 == 0);
  static_assert(b_stride % 16 == 8 && a_stride % 8 == 4);
};

// The first bytes of 16 that are wanted; the others are zeros.
__device__ inline void copy_bytes(bool wanted, float* to, const float* from, int elements) {
  copy_some<16>(wanted, to, from, max(min(4 * elements, 16), 0));
}

// Copies a step of A and B to a stage, in parts; then moves on to the next.
template <typename Sizes>
class TensorFeed {
  static constexpr int a_across = Sizes::depth / 4, a_rows = Sizes::threads / a_across;
  static constexpr int b_most = Sizes::power_of_columns / 4;
  static constexpr int b_across = b_most < Sizes::threads ? b_most : Sizes::threads;
  static constexpr int b_rows = Sizes::threads / b_across;
  static constexpr int a_parts = (Sizes::rows - 1) / a_rows + 1;
  static constexpr int a_ends = (Sizes::rows - 1) / Sizes::threads + 1;
  static constexpr int b_passes = Sizes::columns / 4 / b_across;
  static constexpr int b_parts = ((Sizes::depth - 1) / b_rows + 1) * b_passes;
  static_assert(a_rows % 4 == 0 && Sizes::depth <= Sizes::threads);

 public:
  static constexpr int parts = a_parts + a_ends + b_parts + 1;

  __device__ TensorFeed(const Product& p, int block_row, int block_column, int from)
      : lda_(p.lda),
        ldb_(p.ldb),
        rows_left_(min(p.m - block_row, Sizes::rows)),
        columns_left_(p.n - block_column),
        k_left_(p.k - from * Sizes::depth) {
    a_ = p.a + int64_t(block_row) * p.lda + from * Sizes::depth;
    b_ = p.b + int64_t(from) * Sizes::depth * p.ldb + block_column;
  }

  __device__ void copy(float* stage, int part) const {
    if (part < a_parts) {
      const int chunk = threadIdx.x % a_across * 4;
      copy_a(stage, threadIdx.x / a_across + part * a_rows, chunk, true);
    } else if (part < a_parts + a_ends) {
      const int row = threadIdx.x + (part - a_parts) * Sizes::threads;
      copy_a(stage, row, Sizes::depth, row * lda_ % 4 != 0);
    } else if (part < parts - 1) {
      const int at = part - a_parts - a_ends, k = threadIdx.x / b_across + at / b_passes * b_rows;
      copy_b(stage, k, (threadIdx.x % b_across + at % b_passes * b_across) * 4,
             Sizes::depth % b_rows == 0 || k < Sizes::depth);
    } else {
      const int k = threadIdx.x;
      copy_b(stage, k, Sizes::columns, k < Sizes::depth && k * ldb_ % 4 != 0);
    }
  }
  __device__ void move_on() {
    a_ += Sizes::depth;
    b_ += int64_t(Sizes::depth) * ldb_;
    k_left_ -= Sizes::depth;
  }

 private:
  __device__ void copy_a(float* stage, int row, int chunk, bool wanted) const {
    const int shift = row * lda_ & 3, k = chunk - shift;
    copy_bytes(wanted && row < rows_left_, stage + row * Sizes::a_stride + chunk,
               a_ + int64_t(row) * lda_ + k, k_left_ - k);
  }
  __device__ void copy_b(float* stage, int k, int chunk, bool wanted) const {
    const int shift = k * ldb_ & 3, column = chunk - shift, left = columns_left_ - column;
    copy_bytes(wanted && left > 0,
               stage + Sizes::rows * Sizes::a_stride + k * Sizes::b_stride + chunk,
               b_ + int64_t(k) * ldb_ + column, k < k_left_ ? left : 0);
  }

  int lda_, ldb_, rows_left_, columns_left_, k_left_;
  const float *a_, *b_;
};

// x = first + second: 11 bits each, with their signs 23. Tensor cores do not read the last 13 of a number. The
// instruction for it (cvt.rna.tf32) is eight of the machine's, since it keeps infinities.
__device__ inline void split_in_two(float x, uint32_t& first, uint32_t& second) {
  constexpr uint32_t half = 1 << 12, mask = ~((1u << 13) - 1);
  first = (__float_as_uint(x) + half) & mask;
  second = __float_as_uint(x - __uint_as_float(first));
}

__device__ inline void add_tf32(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// What a lane has of 8 k: of A rows lane / 4 and 8 further of every 16, of B column lane / 4 of every 8; of
// both k lane % 4 and 4 further.
template <typename Sizes>
struct TensorFragment {
  static constexpr int down = Sizes::warp_rows / 16, across = Sizes::warp_columns / 8;
  float a[down][4], b[across][2];

  __device__ void load(const float* of_a, const float* of_b) {
#pragma unroll
    for (int j = 0; j < across; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) b[j][i] = of_b[i * 4 * Sizes::b_stride + j * 8];
    }
#pragma unroll
    for (int i = 0; i < down; ++i) {
#pragma unroll
      for (int at = 0; at < 4; ++at) {
        a[i][at] = of_a[(i * 16 + at % 2 * 8) * Sizes::a_stride + at / 2 * 4];
      }
    }
  }

  __device__ void multiply(float (&sums)[down][across][4]) const {
    uint32_t a_terms[2][down][4], b_terms[2][across][2];
#pragma unroll
    for (int j = 0; j < across; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) split_in_two(b[j][i], b_terms[0][j][i], b_terms[1][j][i]);
    }
#pragma unroll
    for (int i = 0; i < down; ++i) {
#pragma unroll
      for (int at = 0; at < 4; ++at) split_in_two(a[i][at], a_terms[0][i][at], a_terms[1][i][at]);
    }
#pragma unroll
    for (int product = 0; product < 3; ++product) {  // the smallest first
#pragma unroll
      for (int i = 0; i < down; ++i) {
#pragma unroll
        for (int j = 0; j < across; ++j)
          add_tf32(sums[i][j], a_terms[product == 0][i], b_terms[product == 1][j]);
      }
    }
  }
};

template <typename Sizes>
__device__ inline void promote(
    float (&to)[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4],
    const float (&from)[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4]) {
#pragma unroll
  for (int i = 0; i < Sizes::warp_rows / 16; ++i) {
#pragma unroll
    for (int j = 0; j < Sizes::warp_columns / 8; ++j) {
#pragma unroll
      for (int at = 0; at < 4; ++at) to[i][j][at] += from[i][j][at];
    }
  }
}

template <typename Sizes>
__device__ inline void add_tensor_steps(
    float (&sums)[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4], TensorFeed<Sizes>& feed,
    const Product& p, float* ring, int steps) {
  constexpr int stages = Sizes::stages, eighths = Sizes::depth / 8,
                parts = TensorFeed<Sizes>::parts;
  constexpr int at_once = (parts - 1) / eighths + 1;
#pragma unroll 1
  for (int stage = 0; stage < stages - 1; ++stage) {
    if (stage < steps) {
#pragma unroll
      for (int part = 0; part < parts; ++part) feed.copy(ring + stage * Sizes::stage, part);
      feed.move_on();
    }
    __pipeline_commit();
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4, k = lane % 4;
  const float* const a = ring +
                         (warp % Sizes::warps_down * Sizes::warp_rows + row) * Sizes::a_stride + k +
                         (row * p.lda & 3);
  const float* const b = ring + Sizes::rows * Sizes::a_stride + k * Sizes::b_stride +
                         warp / Sizes::warps_down * Sizes::warp_columns + row + (k * p.ldb & 3);
  int stage = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // this step is there for all, and nobody reads the one before any more
    float* const free = ring + (stage == 0 ? stages - 1 : stage - 1) * Sizes::stage;
    const int now = stage * Sizes::stage;
    float few[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4] = {};
    TensorFragment<Sizes> fragments[2];  // of these 8 k and of the next
    fragments[0].load(a + now, b + now);
    const bool copies = step + stages - 1 < steps;
#pragma unroll
    for (int eighth = 0; eighth < eighths; ++eighth) {
      if (copies) {
#pragma unroll
        for (int part = eighth * at_once; part < (eighth + 1) * at_once && part < parts; ++part)
          feed.copy(free, part);
      }
      if (eighth + 1 < eighths) {
        fragments[(eighth + 1) % 2].load(a + now + (eighth + 1) * 8,
                                         b + now + (eighth + 1) * 8 * Sizes::b_stride);
      }
      fragments[eighth % 2].multiply(Sizes::promotes ? few : sums);
    }
    __pipeline_commit();
    if (copies) feed.move_on();
    if (Sizes::promotes) promote<Sizes>(sums, few);
    stage = stage + 1 == stages ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  __syncthreads();
}

// A thread's sums, of which the first lies at a row and a column. Rows and columns outside hold anything.
template <typename Sizes>
__device__ inline void settle(float (&sums)[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4],
                              const Product& p, int row, int column) {
  float zero = 0;  // else no number
#pragma unroll
  for (int i = 0; i < Sizes::warp_rows / 16; ++i) {
#pragma unroll
    for (int j = 0; j < Sizes::warp_columns / 8; ++j) {
#pragma unroll
      for (int at = 0; at < 4; ++at) zero += 0 * sums[i][j][at];
    }
  }
  if (zero == 0) return;
#pragma unroll
  for (int i = 0; i < Sizes::warp_rows / 16; ++i) {
#pragma unroll
    for (int j = 0; j < Sizes::warp_columns / 8; ++j) {
#pragma unroll
      for (int at = 0; at < 4; ++at) {
        sums[i][j][at] =
            settled<Sizes>(p, row + i * 16 + at / 2 * 8, column + j * 8 + at % 2, sums[i][j][at]);
      }
    }
  }
}

// Blocks of a tile stand beside each other; `splits` of them share its k.
template <typename Sizes>
static __global__ __launch_bounds__(Sizes::threads,
                                    Sizes::blocks) void tensor_tile_kernel(Product p, int splits,
                                                                           Leftover leftover) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(16) float any_tile_ring[];
  study::wait_for_launch_before();
  const auto group = cooperative_groups::this_cluster();
  const int tile = blockIdx.x / splits, split = blockIdx.x % splits;
  const TileOf at(p, tile, Sizes::rows, Sizes::columns);
  const int steps = blocks_over(p.k, Sizes::depth);
  const int from = int(int64_t(steps) * split / splits);
  const int to = int(int64_t(steps) * (split + 1) / splits);
  float sums[Sizes::warp_rows / 16][Sizes::warp_columns / 8][4] = {};
  TensorFeed<Sizes> feed(p, at.row, at.column, from);
  add_tensor_steps<Sizes>(sums, feed, p, any_tile_ring, to - from);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (splits == 1) {
    settle<Sizes>(sums, p, at.row + warp % Sizes::warps_down * Sizes::warp_rows + lane / 4,
                  at.column + warp / Sizes::warps_down * Sizes::warp_columns + lane % 4 * 2);
  }
  float* const mine = any_tile_ring +
                      (warp % Sizes::warps_down * Sizes::warp_rows + lane / 4) * Sizes::c_stride +
                      warp / Sizes::warps_down * Sizes::warp_columns + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < Sizes::warp_rows / 16; ++i) {
#pragma unroll
    for (int j = 0; j < Sizes::warp_columns / 8; ++j) {
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        float* const to_here = mine + (i * 16 + below * 8) * Sizes::c_stride + j * 8;
        *reinterpret_cast<float2*>(to_here) = {sums[i][j][below * 2], sums[i][j][below * 2 + 1]};
      }
    }
  }
  const int cluster = group.num_blocks(), rank = group.block_rank();
  if (cluster > 1) {
    group.sync();
  } else {
    __syncthreads();
  }
  store_tile<Sizes>(p, tile, at.row, at.column, any_tile_ring, rank, cluster, split / cluster,
                    splits / cluster, leftover);
  if (cluster > 1) group.sync();  // nobody leaves while others read what it has
#endif
}

}  // namespace sgemm
