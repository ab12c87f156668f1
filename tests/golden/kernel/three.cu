// Three kernels that differ in what they take from an SM: shared memory, stack, spills. Compiled, never run.
template <class T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
  __shared__ T tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % 64] = x[i];
  __syncthreads();
  if (i < n) y[i] = a * x[i] + tile[(i + 1) % 64];
}

__global__ void indexed(int* p, int j) {
  int values[100];
  for (int i = 0; i < 100; ++i) values[i] = p[i];
  for (int i = 0; i < 100; ++i) values[(i * p[i]) % 100] += values[(j + i) % 100];
  *p = values[j];
}

__global__ void __launch_bounds__(1024) crowded(float* p) {
  float values[80];
  for (int i = 0; i < 80; ++i) values[i] = p[i * threadIdx.x];
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int i = 0; i < 80; ++i)
      values[i] = values[i] * values[(i + 7) % 80] + values[(i * 3) % 80];
    __syncthreads();
  }
  for (int i = 0; i < 80; ++i) p[i * threadIdx.x + 1] = values[i];
}

int main(int count, char**) {
  float* x = nullptr;
  saxpy<float><<<1, 32>>>(count, 2.0f, x, x);
  indexed<<<1, 1>>>(nullptr, 1);
  crowded<<<1, 1024>>>(x);
}
