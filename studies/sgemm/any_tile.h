// A product of any shape by one kernel of many sizes: tiles from 8 x 256 to 256 x 8, split along k over
// the blocks of a cluster and over several clusters, rows of A, B and C at any address.
//
//   using Sizes = AnyTile<8, 8, 4, 2, 2, 16, 4, 4>;      // 128 x 32, 128 threads
//   any_tile_kernel<Sizes, true><<<tiles * splits, Sizes::threads, Sizes::shared>>>(product, splits, {});
//
// A step of `depth` k goes to shared memory by asynchronous copies, A transposed by fours of bytes, B by
// sixteen where its rows allow it. What lies after K is filled with zeros; rows and columns outside of
// the matrices are not copied, since nothing of them is stored. The results go through shared memory, so that
// whole rows are stored whatever their address. There the blocks of a cluster add theirs, each a part
// of the rows; where there are several clusters to a tile, the last one to end adds what all left
// in memory. All sums have one order, so that the result is always the same bits.
#pragma once
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/atomic>

#include "studies/sgemm/any_shape.h"
#include "studies/sgemm/tile.h"

namespace sgemm {

template <int lanes_down_, int thread_rows_, int thread_columns_, int warps_down_,
          int warps_across_, int depth_, int stages_, int blocks_>
struct AnyTile {
  static constexpr int lanes_down = lanes_down_, lanes_across = 32 / lanes_down;
  static constexpr int thread_rows = thread_rows_, thread_columns = thread_columns_;
  static constexpr int warps_down = warps_down_, warps_across = warps_across_;
  static constexpr int warp_rows = lanes_down * thread_rows;
  static constexpr int warp_columns = lanes_across * thread_columns;
  static constexpr int rows = warp_rows * warps_down, columns = warp_columns * warps_across;
  static constexpr int power_of_columns = columns & -columns;  // the largest that divides them
  static constexpr int threads = 32 * warps_down * warps_across, blocks = blocks_;
  static constexpr int depth = depth_, stages = stages_;
  static constexpr bool sums_terms = false;
  static constexpr bool ahead = columns <= 32;  // A is most of what is read: L2 gets more of a row
  static constexpr int a_stride = rows + 4, b_stride = columns, c_stride = columns + 4;
  static constexpr int stage = depth * (a_stride + b_stride);
  static constexpr int floats = stages * stage > rows* c_stride ? stages* stage : rows* c_stride;
  static constexpr int shared = floats * int(sizeof(float));
  static_assert(rows % 8 == 0 && columns % 8 == 0 && depth % 8 == 0);
};

// The lane's row and column within its warp: bits of its number in turn, see ring.h.
template <typename Sizes>
struct AnyPlace {
  int row, column;
  __device__ AnyPlace() {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int lane_row, lane_column;
    if (Sizes::lanes_down == 16) {
      lane_row = lane >> 1, lane_column = lane & 1;
    } else if (Sizes::lanes_down == 8) {
      lane_row = (lane >> 1 & 1) | (lane >> 2 & 6), lane_column = (lane & 1) | (lane >> 1 & 2);
    } else if (Sizes::lanes_down == 4) {
      lane_row = (lane >> 1 & 1) | (lane >> 2 & 2);
      lane_column = (lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4);
    } else {
      lane_row = lane >> 1 & 1, lane_column = (lane & 1) | (lane >> 1 & 14);
    }
    row = warp % Sizes::warps_down * Sizes::warp_rows + 4 * lane_row;
    column = warp / Sizes::warps_down * Sizes::warp_columns + 4 * lane_column;
  }
  __device__ static constexpr int row_of(int i) { return i / 4 * 4 * Sizes::lanes_down + i % 4; }
  __device__ static constexpr int column_of(int j) {
    return j / 4 * 4 * Sizes::lanes_across + j % 4;
  }
};

// Where it is wanted, a predicate, not a branch: copies of 4 or 16 bytes, of which the first `bytes` come
// and the others are zeros.
template <int size, bool ahead = false>
__device__ inline void copy_some(bool wanted, float* to, const float* from, int bytes) {
  const uint32_t shared = uint32_t(__cvta_generic_to_shared(to));
  if constexpr (ahead) {
    asm volatile(
        "{\n .reg .pred wanted;\n setp.ne.s32 wanted, %2, 0;\n"
        " @wanted cp.async.ca.shared.global.L2::256B [%0], [%1], 4, %3;\n}" ::"r"(shared),
        "l"(from), "r"(int(wanted)), "r"(bytes)
        : "memory");
  } else if constexpr (size == 4) {
    asm volatile(
        "{\n .reg .pred wanted;\n setp.ne.s32 wanted, %2, 0;\n"
        " @wanted cp.async.ca.shared.global [%0], [%1], 4, %3;\n}" ::"r"(shared),
        "l"(from), "r"(int(wanted)), "r"(bytes)
        : "memory");
  } else {
    asm volatile(
        "{\n .reg .pred wanted;\n setp.ne.s32 wanted, %2, 0;\n"
        " @wanted cp.async.cg.shared.global [%0], [%1], 16, %3;\n}" ::"r"(shared),
        "l"(from), "r"(int(wanted)), "r"(bytes)
        : "memory");
  }
}

// Copies a step of A and B to a stage, in parts; then moves on to the next. Steps lie at the end of K, so
// that only the first may begin before 0: what lies there is filled with zeros.
template <typename Sizes, bool fours>
class AnyFeed {
 public:
  __device__ AnyFeed(const Product& p, int block_row, int block_column, int from, int to)
      : lda_(p.lda),
        ldb_(p.ldb),
        rows_left_(min(p.m - block_row, Sizes::rows) - a_row()),
        columns_left_(p.n - block_column - b_column()),
        steps_left_(to - from) {
    const int first = p.k - (blocks_over(p.k, Sizes::depth) - from) * Sizes::depth;
    before_ = max(-first, 0);
    a_ = p.a + int64_t(block_row + a_row()) * p.lda + (first + a_k());
    b_ = p.b + int64_t(first + b_k()) * p.ldb + (block_column + b_column());
    if (steps_left_ == 0) rows_left_ = columns_left_ = 0;
  }

 private:
  static constexpr int width = fours ? 4 : 1, most = Sizes::power_of_columns / width;
  static constexpr int across = most < Sizes::threads ? most : Sizes::threads;
  static constexpr int a_rows = Sizes::threads / 8, b_columns = across * width;
  static constexpr int b_rows = Sizes::threads / across, b_passes = Sizes::columns / b_columns;
  static constexpr int a_parts = (Sizes::rows - 1) / a_rows + 1;
  static constexpr int b_parts = ((Sizes::depth - 1) / b_rows + 1) * b_passes;
  static_assert(b_rows > Sizes::depth || Sizes::depth % b_rows == 0);

 public:
  static constexpr int a_copies = a_parts * (Sizes::depth / 8), parts = a_copies + b_parts;

  // `front`: this may be the step that begins before 0.
  template <bool front>
  __device__ void copy(float* stage, int part) const {
    if (part < a_copies) {
      const int k = part % (Sizes::depth / 8) * 8, row = part / (Sizes::depth / 8) * a_rows;
      copy_some<4, Sizes::ahead>(
          row < rows_left_, stage + (a_k() + k) * Sizes::a_stride + a_row() + row,
          a_ + int64_t(row) * lda_ + k, front && a_k() + k < before_ ? 0 : 4);
      return;
    }
    part -= a_copies;
    const int k = part / b_passes * b_rows, column = part % b_passes * b_columns;
    const int left = columns_left_ - column;
    const bool wanted = left > 0 && (b_rows <= Sizes::depth || b_k() < Sizes::depth);
    const int bytes = fours ? min(4 * left, 16) : 4;
    copy_some<4 * width>(wanted,
                         stage + Sizes::depth * Sizes::a_stride + (b_k() + k) * Sizes::b_stride +
                             b_column() + column,
                         b_ + int64_t(k) * ldb_ + column, front && b_k() + k < before_ ? 0 : bytes);
  }
  __device__ void all_is_inside() { before_ = 0; }
  __device__ void move_on() {
    a_ += Sizes::depth;
    b_ += int64_t(Sizes::depth) * ldb_;
    if (--steps_left_ <= 0) rows_left_ = columns_left_ = 0;  // nothing more is wanted
  }

 private:
  __device__ static int a_k() { return threadIdx.x % 8; }
  __device__ static int a_row() { return threadIdx.x / 8; }
  __device__ static int b_k() { return threadIdx.x / across; }
  __device__ static int b_column() { return threadIdx.x % across * width; }

  int lda_, ldb_, rows_left_, columns_left_, steps_left_;
  int before_;  // how many k of the first step lie before 0
  const float *a_, *b_;
};

template <typename Sizes>
struct AnyFragment {
  float a[Sizes::thread_rows], b[Sizes::thread_columns];
  __device__ void load(const float* of_a, const float* of_b) {
#pragma unroll
    for (int j = 0; j < Sizes::thread_columns; j += 4) {
      four_at(&b[j]) = four_at(of_b + AnyPlace<Sizes>::column_of(j));
    }
#pragma unroll
    for (int i = 0; i < Sizes::thread_rows; i += 4) {
      four_at(&a[i]) = four_at(of_a + AnyPlace<Sizes>::row_of(i));
    }
  }
};

// Down one column and up the next: one of a and b is always that of the product before.
template <typename Sizes>
__device__ inline void add_fragment(
    float (&accumulators)[Sizes::thread_rows][Sizes::thread_columns],
    const AnyFragment<Sizes>& of) {
#pragma unroll
  for (int j = 0; j < Sizes::thread_columns; ++j) {
#pragma unroll
    for (int step = 0; step < Sizes::thread_rows; ++step) {
      const int i = j % 2 ? Sizes::thread_rows - 1 - step : step;
      accumulators[i][j] = fmaf(of.a[i], of.b[j], accumulators[i][j]);
    }
  }
}

// One part of a copy goes before the loads of each k, which keeps them apart: see ring.h.
template <typename Sizes, bool fours>
__device__ inline void add_steps(float (&accumulators)[Sizes::thread_rows][Sizes::thread_columns],
                                 AnyFeed<Sizes, fours>& feed, float* ring, int steps) {
  constexpr int stages = Sizes::stages, last = Sizes::depth - 1;
  constexpr int parts = AnyFeed<Sizes, fours>::parts, at_once = (parts - 1) / last + 1;
  for (int stage = 0; stage < stages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      feed.template copy<true>(ring + stage * Sizes::stage, part);
    }
    __pipeline_commit();
    feed.move_on();
    feed.all_is_inside();
  }
  __pipeline_wait_prior(stages - 2);
  __syncthreads();
  const AnyPlace<Sizes> place;
  const float *a = ring + place.row, *b = ring + Sizes::depth * Sizes::a_stride + place.column;
  AnyFragment<Sizes> fragments[2];  // of this k and of the next
  fragments[0].load(a, b);
  int stage = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    float* const free = ring + (stage == 0 ? stages - 1 : stage - 1) * Sizes::stage;
    int now = stage * Sizes::stage;
#pragma unroll
    for (int k = 0; k < Sizes::depth; ++k) {
#pragma unroll
      for (int part = k * at_once; part < (k + 1) * at_once && part < parts; ++part) {
        feed.template copy<false>(free, part);
      }
      if (k == last) {
        __pipeline_commit();
        feed.move_on();
        __pipeline_wait_prior(stages - 2);
        __syncthreads();  // the next step is there for all, and nobody reads this one any more
        stage = stage + 1 == stages ? 0 : stage + 1;
        now = stage * Sizes::stage;
      }
      const int next = (k + 1) % Sizes::depth;
      fragments[(k + 1) % 2].load(a + now + next * Sizes::a_stride,
                                  b + now + next * Sizes::b_stride);
      add_fragment<Sizes>(accumulators, fragments[k % 2]);
    }
  }
  __pipeline_wait_prior(0);
  __syncthreads();
}

__device__ inline void store_one(const Product& p, int row, int column, float sum) {
  if (row >= p.m || column >= p.n) return;
  float& c = p.c[int64_t(row) * p.ldc + column];
  c = p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * c;
}

__device__ inline void store_some(const Product& p, bool fours, int row, int column,
                                  const float4& sum) {
  if (row >= p.m) return;
  if (!fours || column + 4 > p.n) {
    store_one(p, row, column, sum.x);
    store_one(p, row, column + 1, sum.y);
    store_one(p, row, column + 2, sum.z);
    store_one(p, row, column + 3, sum.w);
    return;
  }
  float4& c = four_at(p.c + int64_t(row) * p.ldc + column);
  float4 result{p.alpha * sum.x, p.alpha * sum.y, p.alpha * sum.z, p.alpha * sum.w};
  if (p.beta != 0) {
    const float4 before = c;
    result.x += p.beta * before.x, result.y += p.beta * before.y;
    result.z += p.beta * before.z, result.w += p.beta * before.w;
  }
  c = result;
}

__device__ inline float4 sum_of(const float4& a, const float4& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

static __device__ __noinline__ float plain_sum(const float* a, const float* b, int k, int ldb) {
  float sum = 0;
  for (; k > 0; --k, ++a, b += ldb) sum = fmaf(*a, *b, sum);
  return sum;
}

// Terms of infinity and of what rounds to it sum up to no number: without terms, then (tensor_tile.h).
template <typename Sizes>
__device__ inline float settled(const Product& p, int row, int column, float sum) {
  if constexpr (Sizes::sums_terms) {
    if (!isfinite(sum) && row < p.m && column < p.n) {
      return plain_sum(p.a + int64_t(row) * p.lda, p.b + column, p.k, p.ldb);
    }
  }
  return sum;
}
template <typename Sizes>
__device__ inline float4 settled(const Product& p, int row, int column, const float4& sum) {
  if constexpr (Sizes::sums_terms) {
    if (isfinite(sum.x + sum.y + sum.z + sum.w)) return sum;
    return {settled<Sizes>(p, row, column, sum.x), settled<Sizes>(p, row, column + 1, sum.y),
            settled<Sizes>(p, row, column + 2, sum.z), settled<Sizes>(p, row, column + 3, sum.w)};
  }
  return sum;
}

// The block is the last of `parts` to come here, and what the others wrote before is there.
__device__ inline bool is_last(int* counter, int parts) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> arrived(*counter);
    last = arrived.fetch_add(1, cuda::memory_order_acq_rel) == parts - 1;
    if (last) arrived.store(0, cuda::memory_order_relaxed);  // as the next launch must find it
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

// A whole tile, a row or a part of it by neighbouring lanes.
template <typename Sizes, bool add>
__device__ inline void store_rows(const Product& p, int block_row, int block_column,
                                  const float* tile) {
  constexpr int most = Sizes::power_of_columns, across = most < 32 ? most : 32;
  constexpr int at_once = Sizes::threads / across;
  const int first = threadIdx.x / across, column = threadIdx.x % across;
  const int rows = min(Sizes::rows, p.m - block_row), columns = p.n - block_column - column;
  const float* from = tile + first * Sizes::c_stride + column;
  float* to = p.c + int64_t(block_row + first) * p.ldc + block_column + column;
#pragma unroll 4
  for (int row = first; row < rows; row += at_once) {
#pragma unroll
    for (int right = 0; right < Sizes::columns; right += across) {
      if (right < columns) {
        to[right] = add ? p.alpha * from[right] + p.beta * to[right] : p.alpha * from[right];
      }
    }
    from += at_once * Sizes::c_stride;
    to += int64_t(at_once) * p.ldc;
  }
}

// From a tile in the shared memory of each block of a cluster to C.
template <typename Sizes>
__device__ inline void store_tile(const Product& p, int tile, int block_row, int block_column,
                                  float* mine, int rank, int cluster, int part, int parts,
                                  const Leftover& leftover) {
  const bool fours = p.ldc % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
  const int rows = Sizes::rows / cluster, first = rank * rows;
  if (cluster == 1 && parts == 1 && !fours) {
    if (p.beta == 0) {
      store_rows<Sizes, false>(p, block_row, block_column, mine);
    } else {
      store_rows<Sizes, true>(p, block_row, block_column, mine);
    }
    return;
  }
  constexpr int across = Sizes::columns / 4;
  const auto group = cooperative_groups::this_cluster();
  const int64_t place = int64_t(tile * cluster + rank);
  float4* const sums = static_cast<float4*>(leftover.sums) + place * parts * rows * across;
  for (int at = threadIdx.x; at < rows * across; at += Sizes::threads) {
    const int row = first + at / across, column = at % across * 4;
    const int offset = row * Sizes::c_stride + column;
    float4 sum = four_at(mine + offset);
    if (cluster > 1) {
      sum = four_at(group.map_shared_rank(mine, 0) + offset);
#pragma unroll 4
      for (int other = 1; other < cluster; ++other) {
        sum = sum_of(sum, four_at(group.map_shared_rank(mine, other) + offset));
      }
    }
    if (parts > 1) {
      __stcg(sums + part * rows * across + at, sum);
    } else {
      if (cluster > 1) sum = settled<Sizes>(p, block_row + row, block_column + column, sum);
      store_some(p, fours, block_row + row, block_column + column, sum);
    }
  }
  if (parts == 1 || !is_last(leftover.counters + place, parts)) return;
  for (int at = threadIdx.x; at < rows * across; at += Sizes::threads) {
    float4 sum = __ldcg(sums + at);
#pragma unroll 4
    for (int other = 1; other < parts; ++other) {
      sum = sum_of(sum, __ldcg(sums + other * rows * across + at));
    }
    const int row = block_row + first + at / across, column = block_column + at % across * 4;
    store_some(p, fours, row, column, settled<Sizes>(p, row, column, sum));
  }
}

// Neighbouring blocks take neighbouring tiles, eight below each other, so that L2 has what they share.
struct TileOf {
  int row, column;
  __device__ TileOf(const Product& p, int tile, int rows, int columns) {
    constexpr int group = 8;
    const int down = blocks_over(p.m, rows), across = blocks_over(p.n, columns);
    const int first = tile / (group * across) * group, in_group = tile % (group * across);
    const int size = min(down - first, group);
    row = (first + in_group % size) * rows;
    column = in_group / size * columns;
  }
};

// Blocks of a tile stand beside each other; `splits` of them share its k.
template <typename Sizes, bool fours>
static __global__ __launch_bounds__(Sizes::threads,
                                    Sizes::blocks) void any_tile_kernel(Product p, int splits,
                                                                        Leftover leftover) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(16) float any_tile_ring[];
  const auto group = cooperative_groups::this_cluster();
  const int tile = blockIdx.x / splits, split = blockIdx.x % splits;
  const TileOf at(p, tile, Sizes::rows, Sizes::columns);
  const int steps = blocks_over(p.k, Sizes::depth);
  const int from = int(int64_t(steps) * split / splits);
  const int to = int(int64_t(steps) * (split + 1) / splits);
  float accumulators[Sizes::thread_rows][Sizes::thread_columns] = {};
  AnyFeed<Sizes, fours> feed(p, at.row, at.column, from, to);
  add_steps<Sizes, fours>(accumulators, feed, any_tile_ring, to - from);
  const AnyPlace<Sizes> place;
#pragma unroll
  for (int i = 0; i < Sizes::thread_rows; ++i) {
#pragma unroll
    for (int j = 0; j < Sizes::thread_columns; j += 4) {
      float* const to_here = any_tile_ring +
                             (place.row + AnyPlace<Sizes>::row_of(i)) * Sizes::c_stride +
                             place.column + AnyPlace<Sizes>::column_of(j);
      four_at(to_here) = {accumulators[i][j], accumulators[i][j + 1], accumulators[i][j + 2],
                          accumulators[i][j + 3]};
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
