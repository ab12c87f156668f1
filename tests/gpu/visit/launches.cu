// Many short launches, the wall time of their loop printed: what timing them costs.
//
//   launches 10000 async     back to back, one synchronisation at the end
//   launches 10000 sync      each awaited
//   launches 10000 busy      back to back, each some 10 µs long: the GPU is the slower one
//   ->  loop_us 24510.3
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void count_up(unsigned* value, long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) ++*value;
}

int main(int count, char** words) {
  const int launches = count > 1 ? atoi(words[1]) : 10000;
  const char* kind = count > 2 ? words[2] : "async";
  const long long cycles = strcmp(kind, "busy") == 0 ? 17000 : 0;
  unsigned* value;
  if (cudaMalloc(&value, sizeof *value) || cudaMemset(value, 0, sizeof *value)) return 1;
  for (int i = 0; i < 100; ++i) count_up<<<1, 32>>>(value, 0);  // loads the kernel
  if (cudaDeviceSynchronize()) return 1;

  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) {
    count_up<<<1, 32>>>(value, cycles);
    if (strcmp(kind, "sync") == 0) cudaDeviceSynchronize();
  }
  if (cudaDeviceSynchronize()) return 1;
  const std::chrono::duration<double, std::micro> loop = std::chrono::steady_clock::now() - start;

  unsigned result = 0;
  if (cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost)) return 1;
  printf("loop_us %.1f\n", loop.count());
  return result == unsigned(launches) + 100 ? 0 : 1;
}
