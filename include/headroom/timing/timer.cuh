// Two clocks for the same stretch of work:
//
//   EventTimer timer(stream);  timer.start(); …; timer.stop(); timer.seconds();   by the GPU
//   HostTimer timer;           the same                                           by the host
//
// Events take their times in the stream, whatever the host does. The host's clock waits for the
// whole device before it starts and before it stops: it counts launch and wait too, and all other
// streams.
#pragma once
#include <cuda_runtime.h>

#include <chrono>

#include "headroom/timing/call.h"

namespace headroom::timing {

class EventTimer {
 public:
  // "Around 0.5 microseconds": CUDA Runtime API, cudaEventElapsedTime. GPUs since do better.
  static constexpr double resolution = 0.5e-6;

  explicit EventTimer(cudaStream_t stream) : stream_(stream) {
    HEADROOM_TIMING_CALL(cudaEventCreate(&start_));
    HEADROOM_TIMING_CALL(cudaEventCreate(&stop_));
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  void start() { HEADROOM_TIMING_CALL(cudaEventRecord(start_, stream_)); }
  void stop() { HEADROOM_TIMING_CALL(cudaEventRecord(stop_, stream_)); }
  double seconds() const {
    HEADROOM_TIMING_CALL(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    HEADROOM_TIMING_CALL(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds * 1e-3;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_{}, stop_{};
};

class HostTimer {
 public:
  using Now = std::chrono::steady_clock;

  void start() {
    HEADROOM_TIMING_CALL(cudaDeviceSynchronize());
    start_ = Now::now();
  }
  void stop() {
    HEADROOM_TIMING_CALL(cudaDeviceSynchronize());
    stop_ = Now::now();
  }
  double seconds() const { return std::chrono::duration<double>(stop_ - start_).count(); }
  static constexpr double resolution = double(Now::period::num) / Now::period::den;

 private:
  Now::time_point start_, stop_;
};

}  // namespace headroom::timing
