// How anybody uses timing.cuh; docs/timing.md quotes it.
#include <cstdio>
#include <headroom/timing.cuh>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  using namespace headroom::timing;
  constexpr int n = 1 << 22;
  constexpr double bytes = 3.0 * n * sizeof(float);  // reads x and y, writes y
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));

  Plan cold;
  cold.cache = Cache::cold;
  for (const Plan& plan : {Plan(), cold}) {
    const Timing timing =
        measure(plan, [&](cudaStream_t stream) { saxpy<<<n / 256, 256, 0, stream>>>(n, 2, x, y); });
    std::printf("%s: %.2f us +- %.2f %%, %zu samples, %s\n",
                timing.cache == Cache::hot ? "hot" : "cold", timing.median() * 1e6,
                timing.relative_error() * 100, timing.seconds.size(),
                text(rate(bytes, timing)).c_str());
    for (const Caveat& caveat : timing.caveats) std::printf("  caveat: %s\n", text(caveat).c_str());
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
