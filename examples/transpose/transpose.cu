#include "transpose.cuh"

constexpr int tile = 32, rows = 8;  // a block of 32 × 8 threads moves a tile

// Neighbouring threads write a column: each of a warp's 32 values lies in another sector.
__global__ void naive(float* out, const float* in, int n) {
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[x * n + y + j] = in[(y + j) * n + x];
}

// Through shared memory both are rows; but a column of the tile lies in one bank.
template <int width>
__device__ void through_shared(float* out, const float* in, int n) {
  __shared__ float values[tile][width];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) values[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[(y + j) * n + x] = values[threadIdx.x][threadIdx.y + j];
}
__global__ void tiled(float* out, const float* in, int n) { through_shared<tile>(out, in, n); }

// One more column: neighbours of a column lie in neighbouring banks.
__global__ void padded(float* out, const float* in, int n) { through_shared<tile + 1>(out, in, n); }

void transpose(float* out, const float* in, int n) {
  padded<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(out, in, n);
}
