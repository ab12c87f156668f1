// Microseconds of a launch, by events: the median of five (LAUNCHES=1: of one), behind one that does not count. Below 0: a launch failed.
//
//   median_us([&] { kernel<<<blocks, threads>>>(out); })   ->   72.86
#pragma once
#include <algorithm>
#include <cstdlib>
#include <vector>

template <class Launch>
float median_us(Launch launch) {
  static const int launches =
      std::getenv("LAUNCHES") ? std::max(1, std::atoi(std::getenv("LAUNCHES"))) : 5;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> all;
  for (int i = 0; i <= launches; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess) return -1;
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    if (i > 0) all.push_back(1000 * ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(all.begin(), all.end());
  return all[launches / 2];
}
