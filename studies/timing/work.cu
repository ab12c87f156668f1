#include "studies/timing/work.h"

namespace work {
namespace {

constexpr int block = 256;

__global__ void nothing_kernel() {}

__global__ void wait_kernel(unsigned nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

__global__ void multiply_kernel(float* data, int steps) {
  float& out = data[blockIdx.x * blockDim.x + threadIdx.x];
  float a = out, b = out + 1, c = out + 2, d = out + 3;
  for (int i = 0; i < steps; ++i) {
    a = a * 0.999f + 0.5f;
    b = b * 0.999f + 0.5f;
    c = c * 0.999f + 0.5f;
    d = d * 0.999f + 0.5f;
  }
  out = a + b + c + d;
}

// A block's threads read four float4 each, side by side; a sum that never is -1 keeps the loads.
__global__ void read_kernel(const float4* data, float4* sum) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  float4 total = data[first];
  for (int i = 1; i < 4; ++i) {
    const float4 more = data[first + i * blockDim.x];
    total = {total.x + more.x, total.y + more.y, total.z + more.z, total.w + more.w};
  }
  if (total.x == -1 && total.y == -1 && total.z == -1 && total.w == -1) *sum = total;
}

__global__ void copy_kernel(float4* to, const float4* from) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  float4 values[4];
  for (int i = 0; i < 4; ++i) values[i] = from[first + i * blockDim.x];
  for (int i = 0; i < 4; ++i) to[first + i * blockDim.x] = values[i];
}

unsigned blocks_of(size_t bytes) { return unsigned(bytes / (sizeof(float4) * 4 * block)); }

}  // namespace

void nothing(cudaStream_t stream) { nothing_kernel<<<1, 32, 0, stream>>>(); }
void wait(cudaStream_t stream, unsigned nanoseconds) {
  wait_kernel<<<1, 1, 0, stream>>>(nanoseconds);
}
void multiply(cudaStream_t stream, float* data, int blocks, int steps) {
  multiply_kernel<<<blocks, block, 0, stream>>>(data, steps);
}
void read(cudaStream_t stream, const float4* data, float4* sum, size_t bytes) {
  read_kernel<<<blocks_of(bytes), block, 0, stream>>>(data, sum);
}
void copy(cudaStream_t stream, float4* to, const float4* from, size_t bytes) {
  copy_kernel<<<blocks_of(bytes), block, 0, stream>>>(to, from);
}

}  // namespace work
