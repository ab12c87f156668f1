// The product of matrices that were split into pieces (pieces.h), on tensor cores, tile by tile:
//
//   one thread   brings tiles of all pieces of A and B by bulk copies into a ring of stages
//   two groups   of four warps multiply 64 x 256 each, half after half, in turn: while the tensor cores
//                work for one, the other adds what they summed to its own sums
//
// Tensor cores cut sums off instead of rounding them, which adds up: they sum `Pieces::summed_k` steps
// only. Sums so long that the roundings of threads add up are made in parts (`part` steps).
//
// What comes out infinite or no number is computed again as the rungs before do: a piece of a number may
// be 0, and 0 times the infinite first piece of another is no number.
#pragma once
#include <algorithm>
#include <cuda/ptx>

#include "studies/common/ring.h"
#include "studies/common/shared_memory.h"
#include "studies/common/tensor_map.h"
#include "studies/common/wgmma.h"
#include "studies/sgemm/pieces.h"
#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/split.h"
#include "studies/sgemm/tensor_sums.h"

namespace sgemm {

constexpr int group_threads = 128;
constexpr int tensor_threads = group_threads + tensor_users;  // the first group brings
constexpr int chunk_columns = 64;                             // of B: 128 bytes

template <class Pieces>
struct Stage {
  typename Pieces::Number a[Pieces::count][tensor_rows * Pieces::k];
  typename Pieces::Number b[tensor_columns / chunk_columns][Pieces::count]
                           [Pieces::k * chunk_columns];
};
template <class Pieces>
constexpr int stages = (220 << 10) / sizeof(Stage<Pieces>);
template <class Pieces>
constexpr int stage_bytes = stages<Pieces> * sizeof(Stage<Pieces>) + 1024;

// The tiles of C in an order in which blocks that run at the same time share what the L2 cache holds;
// `tiles`: only those whose rows or columns are marked as wide, or only the others.
enum class Tiles { all, wide, others };

struct TileOrder {
  int rows, columns;

  __host__ __device__ explicit TileOrder(const Problem& p)
      : rows((p.m - 1) / tensor_rows + 1), columns((p.n - 1) / tensor_columns + 1) {}
  __host__ __device__ int count() const { return rows * columns; }
  __device__ int2 at(int i) const {  // x: row, y: column
    constexpr int most = 16;
    const int first = i / (most * columns) * most, height = min(rows - first, most);
    const int within = i - first * columns;
    return {first + within % height, within / height};
  }
};

// All blocks are busy with the first `whole` tiles. Those that are left are fewer than blocks: several
// blocks share the steps of each, and whoever is last adds up what they kept.
struct Sharing {
  float4* parts;
  int* arrived;  // of every tile
  int whole, shares, part;
};

// A block's next work: a tile, and the steps of it that are its own.
template <class Pieces>
struct Work {
  int tile, share, shares, first_k, last_k;

  static __device__ int count(const TileOrder& order, const Sharing& sharing) {
    return sharing.whole + (order.count() - sharing.whole) * sharing.shares;
  }
  __device__ Work(int i, const Problem& p, const Sharing& sharing) {
    const int left = max(i - sharing.whole, 0);
    tile = min(i, sharing.whole) + left / sharing.shares;
    share = left % sharing.shares;
    shares = i < sharing.whole ? 1 : sharing.shares;
    const int stages = (p.k - 1) / Pieces::k + 1;
    const int length = ((stages - 1) / shares + 1) * Pieces::k;
    first_k = min(share * length, p.k), last_k = min(first_k + length, p.k);
  }
};

__device__ inline bool is_among(Tiles tiles, const Scale& scale, int m, int2 tile) {
  if (tiles == Tiles::all) return true;
  const bool wide = scale.wide_rows()[tile.x] | scale.wide_columns(m)[tile.y];
  return wide == (tiles == Tiles::wide);
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
template <class Pieces>
__device__ void thread_bring(const CUtensorMap& a, const CUtensorMap& b, Stage<Pieces>* stage,
                             study::Ring<stages<Pieces>>& ring, const Problem& p,
                             const Scale& scale, Tiles tiles, const Sharing& sharing) {
  namespace ptx = cuda::ptx;
  const TileOrder order(p);
  study::Turn turn;
  for (int i = blockIdx.x; i < Work<Pieces>::count(order, sharing); i += gridDim.x) {
    const Work<Pieces> work(i, p, sharing);
    const int2 tile = order.at(work.tile);
    if (!is_among(tiles, scale, p.m, tile)) continue;
    for (int k = work.first_k; k < work.last_k; k += Pieces::k) {
      ring.wait_empty(turn);
      ring.expect(turn, sizeof(Stage<Pieces>));
      Stage<Pieces>& to = stage[turn.stage];
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

// Two groups of warps issue products in turn.
struct GroupTurns {
  int group;

  __device__ void begin() const {
    if (group == 1) end_mine();
  }
  __device__ void await_mine() const {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + group), "n"(tensor_users) : "memory");
  }
  __device__ void end_mine() const {
    asm volatile("bar.arrive %0, %1;" ::"r"(2 - group), "n"(tensor_users) : "memory");
  }
  __device__ void end() const {
    if (group == 0) await_mine();
  }
};

// One product of pieces, of steps [first_k, last_k) of a stage: 64 rows by 128 columns.
template <class Pieces>
__device__ __forceinline__ void group_multiply(float (&sums)[half_sums], uint64_t a, uint64_t b,
                                               int product, int first_k, int last_k, bool adds) {
  using S = Stage<Pieces>;
  constexpr typename Pieces::Order order;
#pragma unroll
  for (int k = first_k; k < last_k; k += study::wgmma_k) {
    study::wgmma<typename Pieces::Number>(
        sums, study::wgmma_further(a, order.of_a[product] * sizeof(S::a[0]) + k * 2),
        study::wgmma_further(b, order.of_b[product] * sizeof(S::b[0][0]) + k * chunk_columns * 2),
        adds || k > first_k);
  }
}

// All products of pieces of one stage onto a half of the sums.
template <class Pieces, class Release>
__device__ __forceinline__ void group_add_stage(float (&sums)[half_sums], uint64_t a, uint64_t b,
                                                const GroupTurns& turns, Release&& release) {
  constexpr int last = Pieces::products - 1;  // of the first pieces
#pragma unroll
  for (int k = 0; k < Pieces::k; k += Pieces::summed_k) {
    float few[half_sums];
    turns.await_mine();
    study::wgmma_begin();
    if (k == 0) {
#pragma unroll
      for (int product = 0; product < last; ++product)
        group_multiply<Pieces>(few, a, b, product, 0, Pieces::k, product > 0);
      if constexpr (Pieces::factor != 1) {
        study::wgmma_commit();
        turns.end_mine();
        study::wgmma_wait();
#pragma unroll
        for (int i = 0; i < half_sums; ++i) few[i] *= Pieces::factor;
        turns.await_mine();
        study::wgmma_begin();
      }
    }
    group_multiply<Pieces>(few, a, b, last, k, k + Pieces::summed_k, k == 0);
    study::wgmma_commit();
    turns.end_mine();
    study::wgmma_wait();
    if (k + Pieces::summed_k == Pieces::k) release();
#pragma unroll
    for (int i = 0; i < half_sums; ++i) sums[i] += few[i];
  }
}

// threadIdx.x where the compiler must not keep what follows from it in registers all the while.
__device__ inline unsigned thread_read_again() {
  unsigned thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

template <class Pieces>
__device__ void group_multiply_tiles(const Stage<Pieces>* stage, study::Ring<stages<Pieces>>& ring,
                                     const Problem& p, const Scale& scale, Tiles tiles,
                                     const Sharing& sharing) {
  using S = Stage<Pieces>;
  constexpr study::Swizzle a_swizzle = Pieces::k == 32 ? study::swizzle_64 : study::swizzle_128;
  // Read from one lane, so that the compiler knows it to be the same in all: descriptors of tiles then
  // stay in uniform registers.
  const GroupTurns turns{__shfl_sync(~0u, int(threadIdx.x / group_threads) - 1, 0)};
  const uint32_t start = uint32_t(__cvta_generic_to_shared(stage));
  const TileOrder order(p);
  turns.begin();
  study::Turn turn;
  for (int i = blockIdx.x; i < Work<Pieces>::count(order, sharing); i += gridDim.x) {
    const Work<Pieces> work(i, p, sharing);
    const int2 tile = order.at(work.tile);
    if (!is_among(tiles, scale, p.m, tile)) continue;
    float sums[halves][half_sums] = {};
    for (int k = work.first_k; k < work.last_k; k += Pieces::k) {
      if (k > work.first_k && (k - work.first_k) % sharing.part == 0) {
        if (k - work.first_k > sharing.part) thread_add_part(sharing.parts, blockIdx.x, sums);
        thread_keep_part(sharing.parts, sums);
      }
      ring.wait_full(turn);
      const uint32_t here = start + turn.stage * uint32_t(sizeof(S));
      const uint64_t a = study::wgmma_tile(here + turns.group * study::wgmma_rows * Pieces::k * 2,
                                           16, 8 * Pieces::k * 2, a_swizzle);
      const uint64_t b = study::wgmma_tile(here + uint32_t(sizeof(S::a)), sizeof(S::b[0]),
                                           8 * chunk_columns * 2, study::swizzle_128);
#pragma unroll
      for (int half = 0; half < halves; ++half) {
        group_add_stage<Pieces>(sums[half], a, study::wgmma_further(b, half * 2 * sizeof(S::b[0])),
                                turns, [&] {
                                  if (half + 1 == halves && threadIdx.x % 32 == 0)
                                    ring.release(turn);
                                });
      }
      ring.next(turn);
    }
    if (work.last_k - work.first_k > sharing.part) thread_add_part(sharing.parts, blockIdx.x, sums);
    if (work.shares > 1) {
      thread_keep_part(sharing.parts, sums);
      if (!users_are_last(sharing.arrived + work.tile, work.shares)) continue;
      for (int share = 0; share < work.shares; ++share)
        thread_add_part(sharing.parts, blockIdx.x - work.share + share, sums);
    }
    const unsigned user = thread_read_again() - group_threads, lane = user % 32;
    const int row = tile.x * tensor_rows + user / 32 * 16 + lane / 4;
    const int column = tile.y * tensor_columns + lane % 4 * 2;
#pragma unroll
    for (int half = 0; half < halves; ++half) {
      const int first = column + half * study::wgmma_columns;
      if (scale.rows) thread_multiply_by(scale, p, sums[half], row, first);
      thread_store_sums(p, sums[half], row, first);
    }
  }
  turns.end();
}
#endif

template <class Pieces>
__global__ void __launch_bounds__(tensor_threads, 1)
    tensor_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                  const __grid_constant__ Problem p, const __grid_constant__ Scale scale,
                  Tiles tiles, const __grid_constant__ Sharing sharing) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ char shared[];
  __shared__ study::Ring<stages<Pieces>> ring;
  if (tiles == Tiles::wide && !*scale.wide) return;
  // Swizzles repeat every 1 024 bytes.
  const uint32_t start = uint32_t(__cvta_generic_to_shared(shared));
  auto stage = reinterpret_cast<Stage<Pieces>*>(shared + (1024 - start % 1024) % 1024);
  ring.begin(tensor_users / 32);
  if (threadIdx.x < group_threads) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0) thread_bring(a, b, stage, ring, p, scale, tiles, sharing);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    group_multiply_tiles(stage, ring, p, scale, tiles, sharing);
  }
#endif
}

// Where everything lies in the workspace: the pieces (of either kind in the same place), a tile of sums
// for each block, how many blocks have arrived at each tile, the exponents and marks.
class TensorPlan {
 public:
  explicit TensorPlan(const Problem& problem)
      : p_(problem), a_{p_.a, p_.m, p_.k}, b_{p_.b, p_.k, p_.n}, tiles_(TileOrder(p_).count()) {
    constexpr int least_k = 256;  // of a share
    int device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    whole_ = tiles_ / multiprocessors_ * multiprocessors_;
    const int left = tiles_ - whole_;
    shares_ = left ? std::clamp(multiprocessors_ / left, 1, blocks_over(p_.k, least_k)) : 1;
    blocks_ = whole_ ? multiprocessors_ : left * shares_;
  }

  template <class Pieces>
  size_t bytes() const {
    return reinterpret_cast<size_t>(end_of_scale<Pieces>()) -
           reinterpret_cast<size_t>(p_.workspace);
  }

  // `Largest`: the pieces that take most room.
  template <class Largest>
  Scale scale() const {
    int* const at = arrived<Largest>() + tiles_;
    return {at, at + p_.m, at + p_.m + p_.n};
  }

  void find_scale(const Scale& scale) const {
    const int blocks = blocks_over(p_.m, greatest_rows) + blocks_over(p_.n, greatest_rows);
    scale_kernel<<<blocks, greatest_threads>>>(a_, b_, scale);
  }

  template <class Pieces, class Largest = Pieces>
  void multiply(const Scale& scale, Tiles tiles, int part = 2048) const {
    using Number = typename Pieces::Number;
    Number* const a = static_cast<Number*>(p_.workspace);
    Number* const b = a + a_.elements_of_a_piece() * Pieces::count;
    split_kernel<Pieces><<<multiprocessors_ * 16, 256>>>(a_, a, b_, b, scale, tiles == Tiles::wide);
    const CUtensorMapSwizzle a_swizzle =
        Pieces::k == 32 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B;
    const CUtensorMap a_map = study::tensor_map(a, p_.m, p_.k, pitch_of(p_.k),
                                                {tensor_rows, Pieces::k, a_swizzle, Pieces::count});
    const CUtensorMap b_map =
        study::tensor_map(b, p_.k, p_.n, pitch_of(p_.n),
                          {Pieces::k, chunk_columns, CU_TENSOR_MAP_SWIZZLE_128B, Pieces::count});
    constexpr int shared = stage_bytes<Pieces>;
    study::allow_shared(tensor_kernel<Pieces>, shared);
    tensor_kernel<Pieces><<<blocks_, tensor_threads, shared>>>(
        a_map, b_map, p_, scale, tiles,
        {parts<Largest>(), arrived<Largest>(), whole_, shares_, part});
  }

 private:
  template <class Largest>
  float4* parts() const {
    const int64_t elements = a_.elements_of_a_piece() + b_.elements_of_a_piece();
    return reinterpret_cast<float4*>(static_cast<typename Largest::Number*>(p_.workspace) +
                                     elements * Largest::count);
  }
  template <class Largest>
  int* arrived() const {
    return reinterpret_cast<int*>(parts<Largest>()) +
           int64_t(blocks_) * tensor_rows * tensor_columns;
  }
  template <class Largest>
  int* end_of_scale() const {
    return arrived<Largest>() + tiles_ + Scale::count(p_.m, p_.n);
  }

  Problem p_;
  Whole a_, b_;
  int tiles_, multiprocessors_, whole_, shares_, blocks_;
};

}  // namespace sgemm
