// What cudaDeviceSetLimit allows is what kernels get: heap, stack, printf's buffer. An array that
// nobody touches takes no memory of the host.
#include <unistd.h>

#include <fstream>

#include "tests/programs/expect.cuh"

__device__ char untouched[1 << 28];

__global__ void take(size_t bytes, int* got) {
  void* memory = malloc(bytes);
  *got = memory != nullptr;
  free(memory);
}

__global__ void sum_on_stack(int words, int* sum) {
  int* list = static_cast<int*>(alloca(words * sizeof(int)));
  for (int i = 0; i < words; ++i) list[i] = i;
  *sum = 0;
  for (int i = 0; i < words; ++i) *sum += list[i] % 2;
}

__global__ void last_of_untouched(int* out) { *out = untouched[sizeof untouched - 1]; }

__global__ void print(int lines) {
  for (int i = 0; i < lines; ++i) printf("%d\n", i);
}

__global__ void give_back(void* memory) { free(memory); }

static long resident_mib() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return (resident * sysconf(_SC_PAGESIZE)) >> 20;
}

int main() {
  int *out, value = 0;
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10));
  EXPECT_OK(cudaMalloc(&out, sizeof *out));
  const auto result = [&] {
    EXPECT_OK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  };
  const long before = resident_mib();
  take<<<1, 1>>>(16 << 20, out);
  EXPECT(result() == 1);
  take<<<1, 1>>>(100 << 20, out);
  EXPECT(result() == 0);
  sum_on_stack<<<1, 1>>>(25000, out);  // more than 64 KiB
  EXPECT(result() == 12500);
  last_of_untouched<<<1, 1>>>(out);
  EXPECT(result() == 0);
  EXPECT(resident_mib() - before < 128);
  print<<<1, 1>>>(3);
  EXPECT_OK(cudaDeviceSynchronize());
  give_back<<<1, 1>>>(out);  // of cudaMalloc, not of malloc
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures != 0;
}
