// Variables of the device, read and written from the host by name.
#include <cstring>

#include "tests/programs/expect.cuh"

__device__ int counters[4] = {1, 2, 3, 4};
__constant__ float weights[8];
__managed__ int shared_by_both = 5;

__global__ void use(int* out) {
  out[0] = counters[3] + int(weights[7]);
  counters[0] = 42;
  shared_by_both += 1;
}

int main() {
  int host[4] = {};
  EXPECT_OK(cudaMemcpyFromSymbol(host, counters, sizeof host));
  EXPECT(host[0] == 1 && host[3] == 4);
  int one = 77;
  EXPECT_OK(cudaMemcpyToSymbol(counters, &one, 4, 4));
  EXPECT_OK(cudaMemcpyFromSymbol(host, counters, sizeof host));
  EXPECT(host[0] == 1 && host[1] == 77 && host[2] == 3);

  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpyToSymbol(counters, host, 17));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpyToSymbol(counters, host, 8, 12));
  EXPECT_CODE(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyToSymbol(counters, host, 8, 0, cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyFromSymbol(host, counters, 8, 0, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host, host, 8));

  size_t bytes = 0;
  void *address = nullptr, *again = nullptr;
  EXPECT_OK(cudaGetSymbolSize(&bytes, weights));
  EXPECT(bytes == sizeof weights);
  EXPECT_OK(cudaGetSymbolAddress(&address, counters));
  EXPECT_OK(cudaGetSymbolAddress(&again, counters));
  EXPECT(address && address == again);
  EXPECT_CODE(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, host));
  EXPECT_OK(cudaMemcpy(host, again, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[1] == 77);

  float values[8] = {0, 0, 0, 0, 0, 0, 0, 8};
  EXPECT_OK(cudaMemcpyToSymbol(weights, values, sizeof values));
  EXPECT(shared_by_both == 5);
  int *out, result = 0;
  EXPECT_OK(cudaMalloc(&out, 4));
  use<<<1, 1>>>(out);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaMemcpyFromSymbol(host, counters, 4));
  EXPECT(result == 4 + 8);
  EXPECT(host[0] == 42);
  EXPECT(shared_by_both == 6);
  return failures != 0;
}
