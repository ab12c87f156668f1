// What the host writes and copies, for headroom check: each kernel uses one word; those marked read
// one that nobody wrote, and those marked leaks are never freed.
#include <cuda_runtime.h>

__device__ int in_module;

__global__ void of_memset(const int* p, int* out) { *out = *p + 1; }
__global__ void of_a_copy(const int* p, int* out) { *out = *p + 2; }
__global__ void past_the_copy(const int* p, int* out) { *out = *p + 3; }         // here
__global__ void of_a_copy_of_nothing(const int* p, int* out) { *out = *p + 4; }  // here
__global__ void of_a_row(const int* p, int* out) { *out = *p + 5; }
__global__ void between_rows(const int* p, int* out) { *out = *p + 6; }  // here
__global__ void of_managed(const int* p, int* out) { *out = *p + 7; }
__global__ void of_a_variable(int* out) { *out = in_module + 8; }
__global__ void of_ordered(const int* p, int* out) { *out = *p + 9; }  // here
__global__ void of_another_kernel(const int* p, int* out) { *out = *p + 10; }

int main() {
  constexpr size_t bytes = 1 << 16, words = bytes / sizeof(int);
  int *a, *b, *c, *managed, *ordered, *out, one[16] = {};
  cudaMalloc(&out, 64);   // leaks
  cudaMalloc(&a, bytes);  // leaks
  cudaMemset(a, 0, bytes);
  of_memset<<<1, 1>>>(a + words - 1, out);
  cudaMalloc(&b, bytes);  // leaks
  cudaMemcpy(b, one, sizeof one, cudaMemcpyHostToDevice);
  of_a_copy<<<1, 1>>>(b + 15, out);
  past_the_copy<<<1, 1>>>(b + 16, out);
  cudaMalloc(&c, bytes);
  cudaMemset(c, 0, bytes);
  cudaMemcpy(c, b, bytes, cudaMemcpyDeviceToDevice);
  of_a_copy_of_nothing<<<1, 1>>>(c + 100, out);
  cudaMemset2D(c + 1024, 64, 1, 16, 8);
  of_a_row<<<1, 1>>>(c + 1024 + 16 * 7 + 3, out);
  between_rows<<<1, 1>>>(c + 1024 + 16 * 7 + 4, out);
  cudaFree(c);
  cudaMallocManaged(&managed, bytes);  // leaks: where c was
  for (size_t i = 0; i < words; ++i) managed[i] = int(i);
  of_managed<<<1, 1>>>(managed + 100, out);
  of_a_variable<<<1, 1>>>(out);
  cudaMallocAsync(&ordered, bytes, nullptr);  // leaks
  of_ordered<<<1, 1>>>(ordered, out);
  of_another_kernel<<<1, 1>>>(out, b + 500);
  return cudaDeviceSynchronize();
}
