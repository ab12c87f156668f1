// The product of matrices split into terms (split_terms.h), on tensor cores, tile by tile:
//
//   producer     one thread copies tiles of all terms of A and B by bulk copies into a ring of stages
//   consumers    two groups of four warps multiply 64 x 256 each, ping-pong: while the tensor cores
//                work for one, the other adds their accumulators to its own
//
// Tensor cores truncate where an FADD rounds, and the error grows with the length of the sum: after
// `Split::promotion_k` steps of k their accumulators are promoted to those of threads. Long sums are
// split again, into partials of `partial_k` steps, so that the roundings of FADDs do not grow either.
//
// What comes out infinite or NaN is computed again as the rungs before do: a term of a number may be 0,
// and 0 times the infinite first term of another is NaN.
#pragma once
#include <algorithm>
#include <cuda/ptx>

#include "studies/common/ring.h"
#include "studies/common/shared_memory.h"
#include "studies/common/tensor_map.h"
#include "studies/common/wgmma.h"
#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/split.h"
#include "studies/sgemm/split_terms.h"
#include "studies/sgemm/tensor_accumulators.h"

namespace sgemm {

constexpr int group_threads = 128;
constexpr int tensor_threads = group_threads + tensor_users;  // the first group is the producer
constexpr int chunk_columns = 64;                             // of B: 128 bytes

template <class Split>
struct Stage {
  typename Split::Number a[Split::count][tensor_rows * Split::k];
  typename Split::Number b[tensor_columns / chunk_columns][Split::count][Split::k * chunk_columns];
};
template <class Split>
constexpr int stages = (220 << 10) / sizeof(Stage<Split>);
template <class Split>
constexpr int stage_bytes = stages<Split> * sizeof(Stage<Split>) +
                            1024 + tensor_users / 32 * sizeof(WarpRows);

// The tiles of C in an order in which blocks that run at the same time share what the L2 cache holds;
// `tiles`: only those whose rows or columns are marked as wide, or only the others.
enum class Tiles { all, wide, others };

struct TileOrder {
  int rows, columns;

  __host__ __device__ explicit TileOrder(const Product& p)
      : rows((p.m - 1) / tensor_rows + 1), columns((p.n - 1) / tensor_columns + 1) {}
  __host__ __device__ int count() const { return rows * columns; }
  __device__ int2 at(int i) const {  // x: row, y: column
    constexpr int most = 16;
    const int first = i / (most * columns) * most, height = min(rows - first, most);
    const int within = i - first * columns;
    return {first + within % height, within / height};
  }
};

// All blocks are busy with the first `whole` tiles. Those that are left are fewer than blocks: they are
// done split-K, in `slices` along k by as many blocks; the last block of a tile adds up the partials.
struct SplitK {
  float4* partials;
  int* semaphores;  // one a tile
  int whole, slices, partial_k;
};

// A block's next work tile, and the steps of k that are its slice.
template <class Split>
struct Work {
  int tile, slice, slices, first_k, last_k;

  static __device__ int count(const TileOrder& order, const SplitK& split_k) {
    return split_k.whole + (order.count() - split_k.whole) * split_k.slices;
  }
  __device__ Work(int i, const Product& p, const SplitK& split_k) {
    const int left = max(i - split_k.whole, 0);
    tile = min(i, split_k.whole) + left / split_k.slices;
    slice = left % split_k.slices;
    slices = i < split_k.whole ? 1 : split_k.slices;
    const int stages = (p.k - 1) / Split::k + 1;
    const int length = ((stages - 1) / slices + 1) * Split::k;
    first_k = min(slice * length, p.k), last_k = min(first_k + length, p.k);
  }
};

__device__ inline bool is_among(Tiles tiles, const Scale& scale, int m, int2 tile) {
  if (tiles == Tiles::all) return true;
  const bool wide = scale.wide_rows()[tile.x] | scale.wide_columns(m)[tile.y];
  return wide == (tiles == Tiles::wide);
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
template <class Split>
__device__ void thread_produce(const CUtensorMap& a, const CUtensorMap& b, Stage<Split>* stage,
                               study::Ring<stages<Split>>& ring, const Product& p,
                               const Scale& scale, Tiles tiles, const SplitK& split_k) {
  namespace ptx = cuda::ptx;
  const TileOrder order(p);
  study::Turn turn;
  for (int i = blockIdx.x; i < Work<Split>::count(order, split_k); i += gridDim.x) {
    const Work<Split> work(i, p, split_k);
    const int2 tile = order.at(work.tile);
    if (!is_among(tiles, scale, p.m, tile)) continue;
    for (int k = work.first_k; k < work.last_k; k += Split::k) {
      ring.wait_empty(turn);
      ring.expect(turn, sizeof(Stage<Split>));
      Stage<Split>& to = stage[turn.stage];
      const int a_at[] = {k, tile.x * tensor_rows, 0};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.a, &a, a_at,
                                ring.filled(turn));
      for (int chunk = 0; chunk < tensor_columns / chunk_columns; ++chunk) {
        const int b_at[] = {tile.y * tensor_columns + chunk * chunk_columns, k, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to.b[chunk], &b, b_at,
                                  ring.filled(turn));
      }
      ring.next(turn);
    }
  }
}

// Ping-pong: two consumer groups of warps issue their products in turn.
struct PingPong {
  int group;

  __device__ void begin() const {
    if (group == 1) arrive();
  }
  __device__ void wait() const {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + group), "n"(tensor_users) : "memory");
  }
  __device__ void arrive() const {
    asm volatile("bar.arrive %0, %1;" ::"r"(2 - group), "n"(tensor_users) : "memory");
  }
  __device__ void end() const {
    if (group == 0) wait();
  }
};

// One product of terms, of steps [first_k, last_k) of a stage: 64 rows by 128 columns.
template <class Split>
__device__ __forceinline__ void group_multiply(float (&accumulators)[half_size], uint64_t a,
                                               uint64_t b, int product, int first_k, int last_k,
                                               bool adds) {
  using S = Stage<Split>;
  constexpr typename Split::Order order;
#pragma unroll
  for (int k = first_k; k < last_k; k += study::wgmma_k) {
    study::wgmma<typename Split::Number>(
        accumulators, study::wgmma_further(a, order.of_a[product] * sizeof(S::a[0]) + k * 2),
        study::wgmma_further(b, order.of_b[product] * sizeof(S::b[0][0]) + k * chunk_columns * 2),
        adds || k > first_k);
  }
}

// All products of terms of one stage onto one half of the accumulators.
template <class Split, class Release>
__device__ __forceinline__ void group_add_stage(float (&accumulators)[half_size], uint64_t a,
                                                uint64_t b, const PingPong& ping_pong,
                                                Release&& release) {
  constexpr int last = Split::products - 1;  // of the first terms
#pragma unroll
  for (int k = 0; k < Split::k; k += Split::promotion_k) {
    float few[half_size];
    ping_pong.wait();
    study::wgmma_begin();
    if (k == 0) {
#pragma unroll
      for (int product = 0; product < last; ++product)
        group_multiply<Split>(few, a, b, product, 0, Split::k, product > 0);
      if constexpr (Split::factor != 1) {
        study::wgmma_commit();
        ping_pong.arrive();
        study::wgmma_wait();
#pragma unroll
        for (int i = 0; i < half_size; ++i) few[i] *= Split::factor;
        ping_pong.wait();
        study::wgmma_begin();
      }
    }
    group_multiply<Split>(few, a, b, last, k, k + Split::promotion_k, k == 0);
    study::wgmma_commit();
    ping_pong.arrive();
    study::wgmma_wait();
    if (k + Split::promotion_k == Split::k) release();
#pragma unroll
    for (int i = 0; i < half_size; ++i) accumulators[i] += few[i];
  }
}

// threadIdx.x where the compiler must not keep what follows from it in registers all the while.
__device__ inline unsigned thread_read_again() {
  unsigned thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

template <class Split>
__device__ void group_multiply_tiles(const Stage<Split>* stage, study::Ring<stages<Split>>& ring,
                                     const Product& p, const Scale& scale, Tiles tiles,
                                     const SplitK& split_k) {
  using S = Stage<Split>;
  constexpr study::Swizzle a_swizzle = Split::k == 32 ? study::swizzle_64 : study::swizzle_128;
  // Read from one lane, so that the compiler knows it to be the same in all: descriptors of tiles then
  // stay in uniform registers.
  const PingPong ping_pong{__shfl_sync(~0u, int(threadIdx.x / group_threads) - 1, 0)};
  const uint32_t start = uint32_t(__cvta_generic_to_shared(stage));
  const TileOrder order(p);
  ping_pong.begin();
  study::Turn turn;
  for (int i = blockIdx.x; i < Work<Split>::count(order, split_k); i += gridDim.x) {
    const Work<Split> work(i, p, split_k);
    const int2 tile = order.at(work.tile);
    if (!is_among(tiles, scale, p.m, tile)) continue;
    float accumulators[halves][half_size] = {};
    for (int k = work.first_k; k < work.last_k; k += Split::k) {
      if (k > work.first_k && (k - work.first_k) % split_k.partial_k == 0) {
        if (k - work.first_k > split_k.partial_k)
          thread_add_partials(split_k.partials, blockIdx.x, accumulators);
        thread_store_partials(split_k.partials, accumulators);
      }
      ring.wait_full(turn);
      const uint32_t here = start + turn.stage * uint32_t(sizeof(S));
      const uint64_t a =
          study::wgmma_tile(here + ping_pong.group * study::wgmma_rows * Split::k * 2, 16,
                            8 * Split::k * 2, a_swizzle);
      const uint64_t b = study::wgmma_tile(here + uint32_t(sizeof(S::a)), sizeof(S::b[0]),
                                           8 * chunk_columns * 2, study::swizzle_128);
#pragma unroll
      for (int half = 0; half < halves; ++half) {
        group_add_stage<Split>(accumulators[half], a,
                               study::wgmma_further(b, half * 2 * sizeof(S::b[0])), ping_pong, [&] {
                                 if (half + 1 == halves && threadIdx.x % 32 == 0)
                                   ring.release(turn);
                               });
      }
      ring.next(turn);
    }
    if (work.last_k - work.first_k > split_k.partial_k)
      thread_add_partials(split_k.partials, blockIdx.x, accumulators);
    if (work.slices > 1) {
      thread_store_partials(split_k.partials, accumulators);
      if (!users_are_last(split_k.semaphores + work.tile, work.slices)) continue;
      for (int slice = 0; slice < work.slices; ++slice)
        thread_add_partials(split_k.partials, blockIdx.x - work.slice + slice, accumulators);
    }
    const unsigned user = thread_read_again() - group_threads, lane = user % 32;
    WarpRows& rows = reinterpret_cast<WarpRows*>(const_cast<S*>(stage) + stages<Split>)[user / 32];
    const int row = tile.x * tensor_rows + user / 32 * 16 + lane / 4;
    const int column = tile.y * tensor_columns + lane % 4 * 2;
#pragma unroll
    for (int half = 0; half < halves; ++half) {
      const int first = column + half * study::wgmma_columns;
      if (scale.rows) thread_multiply_by(scale, p, accumulators[half], row, first);
      thread_store_accumulators(p, accumulators[half], row, first, rows);
    }
  }
  ping_pong.end();
}
#endif

template <class Split>
__global__ void __launch_bounds__(tensor_threads, 1)
    tensor_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                  const __grid_constant__ Product p, const __grid_constant__ Scale scale,
                  Tiles tiles, const __grid_constant__ SplitK split_k) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ char shared[];
  __shared__ study::Ring<stages<Split>> ring;
  study::wait_for_launch_before();
  if (tiles == Tiles::wide && !*scale.wide) return;
  // Swizzles repeat every 1 024 bytes.
  const uint32_t start = uint32_t(__cvta_generic_to_shared(shared));
  auto stage = reinterpret_cast<Stage<Split>*>(shared + (1024 - start % 1024) % 1024);
  ring.begin(tensor_users / 32);
  if (threadIdx.x < group_threads) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0) thread_produce(a, b, stage, ring, p, scale, tiles, split_k);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    group_multiply_tiles(stage, ring, p, scale, tiles, split_k);
  }
#endif
}

// Where everything lies in the workspace: the terms (of either split in the same place), a tile of
// partials for each block, a semaphore for each tile, the exponents and marks.
class TensorPlan {
 public:
  explicit TensorPlan(const Product& product)
      : p_(product),
        a_{p_.a, p_.m, p_.k, p_.lda},
        b_{p_.b, p_.k, p_.n, p_.ldb},
        tiles_(TileOrder(p_).count()) {
    constexpr int min_k = 256;  // of a slice
    int device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    whole_ = tiles_ / multiprocessors_ * multiprocessors_;
    const int left = tiles_ - whole_;
    slices_ = left ? std::clamp(multiprocessors_ / left, 1, blocks_over(p_.k, min_k)) : 1;
    blocks_ = whole_ ? multiprocessors_ : left * slices_;
  }

  template <class Split>
  size_t bytes() const {
    return reinterpret_cast<size_t>(end_of_scale<Split>()) - reinterpret_cast<size_t>(p_.workspace);
  }

  // `Largest`: the split whose terms take most room.
  template <class Largest>
  Scale scale() const {
    int* const at = semaphores<Largest>() + tiles_;
    return {at, at + p_.m, at + p_.m + p_.n};
  }

  void find_scale(const Scale& scale) const {
    const int blocks = blocks_over(p_.m, greatest_rows) + blocks_over(p_.n, greatest_rows);
    study::launch_early(scale_kernel, blocks, greatest_threads, 0, a_, b_, scale);
  }

  template <class Split, class Largest = Split>
  void multiply(const Scale& scale, Tiles tiles, int partial_k = 2048) const {
    using Number = typename Split::Number;
    Number* const a = static_cast<Number*>(p_.workspace);
    Number* const b = a + a_.elements_of_a_term() * Split::count;
    const bool only_wide = tiles == Tiles::wide;
    study::launch_early(split_kernel<Split>, multiprocessors_ * (only_wide ? 2 : 16), 256, 0, a_, a,
                        b_, b, scale, only_wide);
    const CUtensorMapSwizzle a_swizzle =
        Split::k == 32 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B;
    const CUtensorMap a_map = study::tensor_map(a, p_.m, p_.k, pitch_of(p_.k),
                                                {tensor_rows, Split::k, a_swizzle, Split::count});
    const CUtensorMap b_map =
        study::tensor_map(b, p_.k, p_.n, pitch_of(p_.n),
                          {Split::k, chunk_columns, CU_TENSOR_MAP_SWIZZLE_128B, Split::count});
    constexpr int shared = stage_bytes<Split>;
    study::allow_shared(tensor_kernel<Split>, shared);
    study::launch_early(
        tensor_kernel<Split>, blocks_, tensor_threads, shared, a_map, b_map, p_, scale, tiles,
        SplitK{partials<Largest>(), semaphores<Largest>(), whole_, slices_, partial_k});
  }

 private:
  template <class Largest>
  float4* partials() const {
    const int64_t elements = a_.elements_of_a_term() + b_.elements_of_a_term();
    return reinterpret_cast<float4*>(static_cast<typename Largest::Number*>(p_.workspace) +
                                     elements * Largest::count);
  }
  template <class Largest>
  int* semaphores() const {
    return reinterpret_cast<int*>(partials<Largest>()) +
           int64_t(blocks_) * tensor_rows * tensor_columns;
  }
  template <class Largest>
  int* end_of_scale() const {
    return semaphores<Largest>() + tiles_ + Scale::count(p_.m, p_.n);
  }

  Product p_;
  Whole a_, b_;
  int tiles_, multiprocessors_, whole_, slices_, blocks_;
};

}  // namespace sgemm
