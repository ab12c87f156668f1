// Launches that touch managed memory for the first time, again, after a prefetch, and where other memory lay before: for tests/scripts/outputs.py.
#include <cuda_runtime.h>

__global__ void first_touch(int* p) { p[threadIdx.x] = 1; }
__global__ void second_touch(int* p) { p[threadIdx.x] += 1; }
__global__ void prefetched(int* p) { p[threadIdx.x] = 1; }
__global__ void anew(int* p) { p[threadIdx.x] = 1; }
__global__ void of_device(int* p) { p[threadIdx.x] = 1; }

int main() {
  constexpr size_t bytes = 1 << 20;
  int* p;
  cudaMallocManaged(&p, bytes);
  first_touch<<<1, 64>>>(p);
  second_touch<<<1, 64>>>(p);
  cudaMemLocation device{};
  device.type = cudaMemLocationTypeDevice;
  cudaMemPrefetchAsync(p + bytes / 8, bytes / 2, device, 0, nullptr);
  prefetched<<<1, 64>>>(p + bytes / 6);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaMallocManaged(&p, bytes);
  anew<<<1, 64>>>(p);
  cudaMalloc(&p, bytes);
  of_device<<<1, 64>>>(p);
  return cudaDeviceSynchronize() != cudaSuccess;
}
