// Bulk and tensor copies on sm_90: a producer warp brings swizzled tiles of a matrix through a ring
// of stages to consumer warps, which transpose them and send them back with a tensor store.
#include <cuda.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <vector>

#include "tests/programs/expect.cuh"

namespace ptx = cuda::ptx;

#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int rows = 200, columns = 160;          // of floats; edges of tiles lie outside
constexpr int tile_rows = 32, tile_columns = 32;  // 128 bytes a row: the span of the swizzle
constexpr int stages = 3;
enum : unsigned { tile_bytes = tile_rows * tile_columns * 4 };

// Where an element of a tile lies: its 16-byte chunk changes with the row.
__device__ int swizzled(int row, int column) {
  return row * tile_columns + (((column / 4) ^ (row % 8)) * 4 + column % 4);
}

__device__ void wait(uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(1024) float tile[stages][tile_rows * tile_columns];
  __shared__ alignas(1024) float turned[tile_rows * tile_columns];
  __shared__ uint64_t full[stages], empty[stages];
  const int tiles = (rows + tile_rows - 1) / tile_rows, x = blockIdx.x * tile_columns;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&in) : "memory");
    for (int stage = 0; stage < stages; ++stage) {
      ptx::mbarrier_init(&full[stage], 1);
      ptx::mbarrier_init(&empty[stage], 128);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x >= 128) {  // the producer warp
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 128) {
      for (int t = 0; t < tiles; ++t) {
        const int stage = t % stages;
        wait(&empty[stage], (t / stages & 1) ^ 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[stage], unsigned(tile_bytes));
        const int at[] = {x, t * tile_rows};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile[stage], &in, at,
                                  &full[stage]);
      }
    }
    return;
  }
  for (int t = 0; t < tiles; ++t) {
    const int stage = t % stages;
    wait(&full[stage], t / stages & 1);
    for (int i = int(threadIdx.x); i < tile_rows * tile_columns; i += 128) {
      const int row = i / tile_columns, column = i % tile_columns;
      turned[swizzled(column, row)] = tile[stage][swizzled(row, column)];
    }
    ptx::mbarrier_arrive(&empty[stage]);
    ptx::fence_proxy_async(ptx::space_shared);
    asm volatile("bar.sync 1, 128;");
    if (threadIdx.x == 0) {
      const int at[] = {t * tile_rows, x};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, turned);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    asm volatile("bar.sync 1, 128;");
  }
}

// Plain bulk copies, and a reduction that adds a block's numbers to global memory.
__global__ void gather(const int* in, int* out) {
  __shared__ alignas(16) int part[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (threadIdx.x == 0) {
    init(&arrived, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(part, in + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof part), arrived);
  }
  token = arrived.arrive();
  arrived.wait(std::move(token));
  part[threadIdx.x] *= 2;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, part,
                              sizeof part);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// A map that the device makes of another: in shared memory, then where it lies. What it brings is added through a third.
__global__ void retarget(const __grid_constant__ CUtensorMap from,
                         const __grid_constant__ CUtensorMap sums, CUtensorMap* made,
                         const float* other, unsigned width, unsigned height) {
  __shared__ alignas(128) CUtensorMap map;
  __shared__ alignas(1024) float tile[tile_rows * tile_columns];
  __shared__ uint64_t full;
  const unsigned here = unsigned(__cvta_generic_to_shared(&map));
  const size_t there = __cvta_generic_to_global(made);
  reinterpret_cast<int*>(&map)[threadIdx.x] = reinterpret_cast<const int*>(&from)[threadIdx.x];
  __syncwarp();
  if (threadIdx.x == 0) {
    asm volatile(
        "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(here),
        "l"(other)
        : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(here),
                 "r"(width)
                 : "memory");
  }
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%0], [%1], 128;" ::"l"(there),
      "r"(here)
      : "memory");
  if (threadIdx.x != 0) return;
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(made) : "memory");
  asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(there),
               "r"(height)
               : "memory");
  asm volatile("tensormap.replace.tile.fill_mode.global.b1024.b32 [%0], 0;" ::"l"(there)
               : "memory");
  asm volatile(
      "fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu "
      "[%0], 128;" ::"l"(made)
      : "memory");
  ptx::mbarrier_init(&full, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %1}];" ::"l"(made), "r"(0)
               : "memory");
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                 unsigned(tile_bytes));
  const int at[] = {0, 0};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, made, at, &full);
  wait(&full, 0);
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &sums, at,
                                   tile);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                            CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                            CUtensorMapFloatOOBfill);

int main() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                             cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess && found);
  const auto encode = reinterpret_cast<Encode>(found);
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &found, 12000, cudaEnableDefault,
                                             &status));
  EXPECT(status == cudaDriverEntryPointSymbolNotFound && !found);

  float *in, *out;
  EXPECT_OK(cudaMalloc(&in, rows * columns * sizeof(float)));
  EXPECT_OK(cudaMalloc(&out, rows * columns * sizeof(float)));
  std::vector<float> matrix(rows * columns), turned(rows * columns);
  for (int i = 0; i < rows * columns; ++i) matrix[i] = float(i);
  EXPECT_OK(cudaMemcpy(in, matrix.data(), rows * columns * sizeof(float), cudaMemcpyHostToDevice));

  CUtensorMap map_in, map_out;
  const cuuint64_t size_in[] = {columns, rows}, size_out[] = {rows, columns};
  const cuuint64_t stride_in[] = {columns * sizeof(float)}, stride_out[] = {rows * sizeof(float)};
  const cuuint32_t box[] = {tile_columns, tile_rows}, step[] = {1, 1};
  auto made = [&](CUtensorMap* map, void* data, const cuuint64_t* size, const cuuint64_t* stride,
                  const cuuint32_t* boxed) {
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, size, stride, boxed, step,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT(made(&map_in, in, size_in, stride_in, box) == CUDA_SUCCESS);
  EXPECT(made(&map_out, out, size_out, stride_out, box) == CUDA_SUCCESS);
  transpose<<<columns / tile_columns, 160>>>(map_in, map_out);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(turned.data(), out, rows * columns * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      wrong += turned[column * rows + row] != matrix[row * columns + column];
  EXPECT(wrong == 0);

  constexpr unsigned width = 20, height = 9;
  CUtensorMap* changed;
  EXPECT_OK(cudaMalloc(&changed, sizeof *changed));
  EXPECT(made(&map_in, out, size_in, stride_in, box) == CUDA_SUCCESS);
  EXPECT_OK(cudaMemset(out, 0, rows * columns * sizeof(float)));
  retarget<<<1, 32>>>(map_in, map_in, changed, in + 4, width, height);
  retarget<<<1, 32>>>(map_in, map_in, changed, in + 4, width, height);
  EXPECT_OK(cudaMemcpy(turned.data(), out, rows * columns * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows * columns; ++i) {
    const bool inside = i % columns < int(width) && i / columns < int(height);
    wrong += turned[i] != (inside ? 2 * matrix[i + 4] : 0.0f);
  }
  EXPECT(wrong == 0);

  const cuuint64_t odd[] = {columns * sizeof(float) + 4};
  const cuuint32_t wide[] = {64, 8}, huge[] = {32, 257};
  CUtensorMap none;
  EXPECT(made(&none, in, size_in, odd, box) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(made(&none, in, size_in, stride_in, wide) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(made(&none, in, size_in, stride_in, huge) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(made(&none, in + 1, size_in, stride_in, box) == CUDA_ERROR_INVALID_VALUE);

  int *numbers, *sums;
  std::vector<int> values(4 * 256), totals(256);
  for (int i = 0; i < 4 * 256; ++i) values[i] = i;
  EXPECT_OK(cudaMalloc(&numbers, values.size() * sizeof(int)));
  EXPECT_OK(cudaMalloc(&sums, 256 * sizeof(int)));
  EXPECT_OK(cudaMemset(sums, 0, 256 * sizeof(int)));
  EXPECT_OK(
      cudaMemcpy(numbers, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  gather<<<4, 256>>>(numbers, sums);
  EXPECT_OK(cudaMemcpy(totals.data(), sums, 256 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) EXPECT(totals[i] == 2 * (4 * i + 256 * (0 + 1 + 2 + 3)));
  return failures != 0;
}
