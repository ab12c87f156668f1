// Kernels run, see their arguments of every size, and touch memory of every kind.
#include <cstring>
#include <vector>

#include "tests/programs/expect.cuh"

struct Wide {
  char letter;
  double number;
  int items[5];
};

__global__ void arguments(char a, short b, Wide wide, float* out, unsigned char last) {
  out[0] = a;
  out[1] = b;
  out[2] = wide.letter;
  out[3] = float(wide.number);
  out[4] = float(wide.items[4]);
  out[5] = last;
}

template <int Scale>
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Scale * in[i];
}

__global__ void reverse(int* values) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void sum_on_host(int* counter) { atomicAdd(counter, int(threadIdx.x)); }

int main() {
  float* out;
  float host[8];
  EXPECT_OK(cudaMalloc(&out, sizeof host));
  arguments<<<1, 1>>>(-3, 1000, Wide{'x', 2.5, {1, 2, 3, 4, 5}}, out, 200);
  EXPECT_OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == -3 && host[1] == 1000 && host[2] == 'x' && host[3] == 2.5f && host[4] == 5 &&
         host[5] == 200);

  constexpr int n = 1000;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = float(i);
  float *in, *scaled;
  EXPECT_OK(cudaMalloc(&in, n * 4));
  EXPECT_OK(cudaMalloc(&scaled, n * 4));
  EXPECT_OK(cudaMemcpy(in, values.data(), n * 4, cudaMemcpyHostToDevice));
  scale<3><<<(n + 127) / 128, 128>>>(in, scaled, n);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(values.data(), scaled, n * 4, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && values[i] == 3.0f * float(i);
  EXPECT(right);

  int* managed;
  EXPECT_OK(cudaMallocManaged(&managed, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) managed[i] = i;
  reverse<<<1, 64, 64 * sizeof(int)>>>(managed);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(managed[0] == 63 && managed[63] == 0);

  int* pinned;
  EXPECT_OK(cudaMallocHost(&pinned, sizeof(int)));
  *pinned = 0;
  sum_on_host<<<1, 100>>>(pinned);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*pinned == 4950);
  return failures != 0;
}
