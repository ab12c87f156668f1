// The product of matrices that were split into pieces (pieces.h), on tensor cores, block by block:
//
//   one warp     brings tiles of all pieces of A and B by bulk copies into a ring of stages
//   two groups   of four warps multiply 64 x 256 each, half after half: all products of pieces of a
//                tile are summed by the tensor cores, and that sum is added to the thread's by an FADD
//
// Tensor cores cut sums off instead of rounding them, which adds up; 32 products of each kind are few
// enough. Sums so long that the roundings of the FADDs add up are made in parts (`part`).
//
// What comes out infinite or not a number is computed again as the rungs before do: 0 times the
// infinite first piece of a number would be no number where a piece of the other is 0.
#pragma once
#include <algorithm>
#include <cuda/ptx>

#include "studies/common/ring.h"
#include "studies/common/tensor_map.h"
#include "studies/common/wgmma.h"
#include "studies/sgemm/pieces.h"
#include "studies/sgemm/sgemm.h"

namespace sgemm {

constexpr int tensor_rows = 128, tensor_columns = 256, tensor_k = 32;
constexpr int tensor_threads = 384,
              tensor_users = 256;              // a warp group that brings, two that multiply
constexpr int halves = 2, chunk_columns = 64;  // 128 bytes of B

template <class Pieces>
struct Stage {
  typename Pieces::Number a[Pieces::count][tensor_rows * tensor_k];
  typename Pieces::Number b[tensor_columns / chunk_columns][Pieces::count]
                           [tensor_k * chunk_columns];
};
template <class Pieces>
constexpr int stages = (220 << 10) / sizeof(Stage<Pieces>);
template <class Pieces>
constexpr int stage_bytes = stages<Pieces> * sizeof(Stage<Pieces>) + 1024;

// Blocks that run at the same time take neighbouring tiles, so that they share what the L2 cache holds.
struct TileOrder {
  int rows, columns;  // of tiles

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

__device__ inline void thread_store_plain_sum(const Problem& p, int row, int column) {
  float sum = 0;
  for (int k = 0; k < p.k; ++k) sum += p.a[int64_t(row) * p.k + k] * p.b[int64_t(k) * p.n + column];
  thread_store(p, row, column, sum);
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
template <class Pieces>
__device__ void thread_bring(const CUtensorMap& a, const CUtensorMap& b, Stage<Pieces>* stage,
                             study::Ring<stages<Pieces>>& ring, const Problem& p) {
  namespace ptx = cuda::ptx;
  const TileOrder order(p);
  study::Turn turn;
  for (int i = blockIdx.x; i < order.count(); i += gridDim.x) {
    const int2 tile = order.at(i);
    for (int k = 0; k < p.k; k += tensor_k) {
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

// All products of pieces of one stage: 64 rows by 128 columns.
template <class Pieces>
__device__ __forceinline__ void group_multiply(float (&sums)[study::wgmma_sums], uint64_t a,
                                               uint64_t b) {
  using S = Stage<Pieces>;
  constexpr typename Pieces::Order order;
#pragma unroll
  for (int product = 0; product < Pieces::products; ++product) {
#pragma unroll
    for (int k = 0; k < tensor_k; k += study::wgmma_k) {
      study::wgmma<typename Pieces::Number>(
          sums, study::wgmma_further(a, order.of_a[product] * sizeof(S::a[0]) + k * 2),
          study::wgmma_further(b, order.of_b[product] * sizeof(S::b[0][0]) + k * chunk_columns * 2),
          product || k);
    }
  }
}

// Where a thread's sum `i` of half a tile lies, seen from its first one.
struct Place {
  int row, column;
};
__device__ __forceinline__ constexpr Place place_of(int i) {
  return {i / 2 % 2 * 8, i / 4 * 8 + i % 2};
}

// Half a tile's sums to C; those that are infinite or no number are made again, plainly.
__device__ __forceinline__ void thread_store_sums(const Problem& p, const float (&sums)[64],
                                                  int row, int column) {
  uint64_t again = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const Place at = place_of(i);
    if (row + at.row >= p.m || column + at.column >= p.n) continue;
    if (isfinite(sums[i]))
      thread_store(p, row + at.row, column + at.column, sums[i]);
    else
      again |= uint64_t(1) << i;
  }
  for (; again; again &= again - 1) {
    const Place at = place_of(__ffsll(again) - 1);
    thread_store_plain_sum(p, row + at.row, column + at.column);
  }
}

// A thread's sums of the parts before lie in global memory, where only it reads them; `batch` loads do
// not wait for one another.
__device__ __forceinline__ void thread_add_parts(const float4* parts, float (&sums)[halves][64]) {
  constexpr int batch = 4;
#pragma unroll
  for (int i = 0; i < halves * 16; i += batch) {
    float4 before[batch];
#pragma unroll
    for (int at = 0; at < batch; ++at) before[at] = __ldcg(parts + (i + at) * tensor_users);
#pragma unroll
    for (int at = 0; at < batch; ++at) {
      float* sum = &sums[(i + at) / 16][(i + at) % 16 * 4];
      sum[0] += before[at].x, sum[1] += before[at].y, sum[2] += before[at].z,
          sum[3] += before[at].w;
    }
  }
}
__device__ __forceinline__ void thread_keep_parts(float4* parts, float (&sums)[halves][64]) {
#pragma unroll
  for (int i = 0; i < halves * 16; ++i) {
    float* sum = &sums[i / 16][i % 16 * 4];
    __stcg(parts + i * tensor_users, {sum[0], sum[1], sum[2], sum[3]});
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
  }
}

template <class Pieces>
__device__ void group_multiply_tiles(const Stage<Pieces>* stage, study::Ring<stages<Pieces>>& ring,
                                     const Problem& p, float4* parts, int part) {
  using S = Stage<Pieces>;
  const int user = int(threadIdx.x) - 128, group = user / 128, lane = user % 32;
  const uint32_t start = uint32_t(__cvta_generic_to_shared(stage));
  const TileOrder order(p);
  parts += user;
  study::Turn turn;
  for (int i = blockIdx.x; i < order.count(); i += gridDim.x) {
    const int2 tile = order.at(i);
    float sums[halves][study::wgmma_sums] = {};
    for (int k = 0; k < p.k; k += tensor_k) {
      if (k && k % part == 0) {
        if (k > part) thread_add_parts(parts, sums);
        thread_keep_parts(parts, sums);
      }
      ring.wait_full(turn);
      const uint32_t here = start + turn.stage * uint32_t(sizeof(S));
      const uint64_t a = study::wgmma_tile(here + group * study::wgmma_rows * tensor_k * 2, 16,
                                           8 * tensor_k * 2, study::swizzle_64);
      const uint64_t b = study::wgmma_tile(here + uint32_t(sizeof(S::a)), sizeof(S::b[0]),
                                           8 * chunk_columns * 2, study::swizzle_128);
#pragma unroll
      for (int half = 0; half < halves; ++half) {
        float few[study::wgmma_sums];
        study::wgmma_begin();
        group_multiply<Pieces>(few, a, study::wgmma_further(b, half * 2 * sizeof(S::b[0])));
        study::wgmma_end();
        if (half + 1 == halves && lane == 0) ring.release(turn);
#pragma unroll
        for (int at = 0; at < study::wgmma_sums; ++at) sums[half][at] += few[at];
      }
      ring.next(turn);
    }
    if (p.k > part) thread_add_parts(parts, sums);
    const int row = tile.x * tensor_rows + user / 32 * 16 + lane / 4;
    const int column = tile.y * tensor_columns + lane % 4 * 2;
    thread_store_sums(p, sums[0], row, column);
    thread_store_sums(p, sums[1], row, column + study::wgmma_columns);
  }
}
#endif

template <class Pieces>
__global__ void __launch_bounds__(tensor_threads, 1)
    tensor_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                  const __grid_constant__ Problem p, float4* parts, int part) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ char shared[];
  __shared__ study::Ring<stages<Pieces>> ring;
  // Swizzles repeat every 1 024 bytes.
  const uint32_t start = uint32_t(__cvta_generic_to_shared(shared));
  auto stage = reinterpret_cast<Stage<Pieces>*>(shared + (1024 - start % 1024) % 1024);
  ring.begin(tensor_users / 32);
  if (threadIdx.x < tensor_threads - tensor_users) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) thread_bring(a, b, stage, ring, p);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    group_multiply_tiles(stage, ring, p,
                         parts + int64_t(blockIdx.x) * tensor_rows * tensor_columns / 4, part);
  }
#endif
}

// The workspace: pieces of A, pieces of B, a tile of sums for each block.
template <class Pieces>
struct TensorPlan {
  Whole a, b;
  int blocks;

  explicit TensorPlan(const Problem& p) : a{p.a, p.m, p.k}, b{p.b, p.k, p.n} {
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    blocks = std::min(TileOrder(p).count(), multiprocessors);
  }
  int64_t elements() const {
    return (a.elements_of_a_piece() + b.elements_of_a_piece()) * Pieces::count;
  }
  size_t bytes() const {
    return elements() * sizeof(typename Pieces::Number) +
           size_t(blocks) * tensor_rows * tensor_columns * sizeof(float);
  }
};

template <class Pieces>
size_t tensor_workspace(const Problem& p) {
  return TensorPlan<Pieces>(p).bytes();
}

template <class Pieces, int part = 2048>
void tensor_launch(const Problem& p) {
  using Number = typename Pieces::Number;
  const TensorPlan<Pieces> plan(p);
  Number* const a = static_cast<Number*>(p.workspace);
  Number* const b = a + plan.a.elements_of_a_piece() * Pieces::count;
  float4* const parts = reinterpret_cast<float4*>(a + plan.elements());
  split_kernel<Pieces><<<plan.blocks * 16, 256>>>(plan.a, a, plan.b, b);

  const CUtensorMap a_map =
      study::tensor_map(a, p.m, p.k, pitch_of(p.k),
                        {tensor_rows, tensor_k, CU_TENSOR_MAP_SWIZZLE_64B, Pieces::count});
  const CUtensorMap b_map =
      study::tensor_map(b, p.k, p.n, pitch_of(p.n),
                        {tensor_k, chunk_columns, CU_TENSOR_MAP_SWIZZLE_128B, Pieces::count});
  constexpr int shared = stage_bytes<Pieces>;
  CHECK(cudaFuncSetAttribute(tensor_kernel<Pieces>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared));
  tensor_kernel<Pieces><<<plan.blocks, tensor_threads, shared>>>(a_map, b_map, p, parts, part);
}

}  // namespace sgemm
