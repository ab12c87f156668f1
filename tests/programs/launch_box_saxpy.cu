// The whole of a program with a launch box: y = a x + y, tuned for two architectures.
#include <cstdio>
#include <headroom/launch_box.cuh>

using headroom::LaunchBox, headroom::Row;
using Tuning = LaunchBox<Row<80, 128, 7>, Row<90, 256, 11>>;

template <typename Tuning>
__global__ __launch_bounds__(Tuning::here::NT) void saxpy(int n, float a, const float* x,
                                                          float* y) {
  using here = typename Tuning::here;
  for (int i = threadIdx.x; i < here::NV; i += here::NT) {
    const int at = blockIdx.x * here::NV + i;
    if (at < n) y[at] += a * x[at];
  }
}

int main() {
  const int n = 1'000'000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = float(i % 8), y[i] = 1;
  try {
    const auto launched = headroom::launch<Tuning>(saxpy<Tuning>, n, nullptr, n, 2.0f, x, y);
    std::puts(text(launched, "saxpy").c_str());
  } catch (const headroom::LaunchFailure& failure) {
    std::puts(failure.what());
  }
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += y[i] != 1 + 2 * x[i];
  return wrong != 0;
}
