// Time by events, as the CUDA runtime reports it: one sample per launch, all samples kept.
//
//   Samples samples = time_launches(10, [&] { kernel<<<grid, block>>>(…); });
//   samples.median();  // milliseconds
//
// All launches are queued before the first result is awaited, so that no sample contains the time
// the host takes to launch. The first launch of a kernel on a GPU also loads it: more than one
// `repeat` leaves that one out.
#pragma once
#include <algorithm>
#include <vector>

#include "studies/common/check.h"

namespace study {

struct Samples {
  std::vector<double> milliseconds;

  double median() const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    const size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
  double least() const { return *std::min_element(milliseconds.begin(), milliseconds.end()); }
  double most() const { return *std::max_element(milliseconds.begin(), milliseconds.end()); }
  double spread() const { return (most() - least()) / median(); }
};

class Timer {
 public:
  Timer() {
    CHECK(cudaEventCreate(&start_));
    CHECK(cudaEventCreate(&stop_));
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  void start() { CHECK(cudaEventRecord(start_)); }
  void stop() { CHECK(cudaEventRecord(stop_)); }
  double milliseconds() const {
    CHECK(cudaEventSynchronize(stop_));
    float elapsed = 0;
    CHECK(cudaEventElapsedTime(&elapsed, start_, stop_));
    return elapsed;
  }

 private:
  cudaEvent_t start_{}, stop_{};
};

// `prepare` queues what has to happen before every launch and is not timed.
template <typename Prepare, typename Launch>
Samples time_launches(int repeat, const Prepare& prepare, const Launch& launch) {
  const int unmeasured = repeat > 1 ? 1 : 0;
  std::vector<Timer> timers(unmeasured + repeat);
  for (Timer& timer : timers) {
    prepare();
    timer.start();
    launch();
    CHECK(cudaGetLastError());
    timer.stop();
  }
  Samples samples;
  for (int i = 0; i < repeat; ++i) {
    samples.milliseconds.push_back(timers[unmeasured + i].milliseconds());
  }
  return samples;
}

template <typename Launch>
Samples time_launches(int repeat, const Launch& launch) {
  return time_launches(
      repeat, [] {}, launch);
}

}  // namespace study
