// The kernel the time of a matrix product is taken with: C = A·B, n a multiple of 128, a tile of
// 128 x 128 a block and of 8 x 8 a thread (256 threads), as in the fifth rung of the well-known ladder.
// Compiled to PTX; bench/product.cpp runs it.
constexpr int tile = 128, depth = 8, per_thread = 8;

extern "C" __global__ void __launch_bounds__(256)
    tile_2d(int n, const float* a, const float* b, float* c) {
  __shared__ float rows[tile * depth], columns[depth * tile];
  const int column = threadIdx.x % (tile / per_thread), row = threadIdx.x / (tile / per_thread);
  a += blockIdx.y * tile * n;
  b += blockIdx.x * tile;
  c += blockIdx.y * tile * n + blockIdx.x * tile;
  float sum[per_thread][per_thread] = {}, x[per_thread], y[per_thread];
  for (int k = 0; k < n; k += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += 256) {
      rows[i] = a[(i / depth) * n + i % depth];
      columns[i] = b[(i / tile) * n + i % tile];
    }
    __syncthreads();
    a += depth;
    b += depth * n;
    for (int d = 0; d < depth; ++d) {
      for (int i = 0; i < per_thread; ++i) x[i] = rows[(row * per_thread + i) * depth + d];
      for (int j = 0; j < per_thread; ++j) y[j] = columns[d * tile + column * per_thread + j];
      for (int i = 0; i < per_thread; ++i)
        for (int j = 0; j < per_thread; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < per_thread; ++i)
    for (int j = 0; j < per_thread; ++j)
      c[(row * per_thread + i) * n + column * per_thread + j] = sum[i][j];
}
