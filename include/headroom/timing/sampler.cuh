// One sample of a kernel on this device, as `collect` wants them:
//
//   prepare, flush the L2, close the gate,
//   start, launch `batch` times, stop,
//   open the gate, read
//
// Only what stands between start and stop is timed.
#pragma once
#include <memory>
#include <optional>

#include "headroom/timing/clocks.h"
#include "headroom/timing/flush.cuh"
#include "headroom/timing/gate.cuh"
#include "headroom/timing/plan.h"
#include "headroom/timing/timer.cuh"
#include "headroom/timing/timing.h"

namespace headroom::timing {

template <typename Nothing>
__global__ void empty(Nothing) {}

template <typename Launch, typename Prepare>
class Sampler {
 public:
  Sampler(const Plan& plan, const Launch& launch, const Prepare& prepare)
      : plan_(plan), launch_(launch), prepare_(prepare), events_(plan.stream) {
    if (plan.cache == Cache::cold) flush_ = std::make_unique<Flush>(plan.stream);
  }

  // Untimed; afterwards the code is loaded, and the gate has been tried if it is wanted.
  void warm_up() {
    for (int i = 0; i < plan_.warm_up; ++i) sample();
    if (plan_.gate && plan_.clock == Clock::gpu && plan_.warm_up > 0) {
      gate_ = std::make_unique<Gate>(plan_.stream);
      sample();
      expired_before_ = expired_;
    }
    HEADROOM_TIMING_CALL(cudaDeviceSynchronize());
  }

  double sample() {
    prepare_(plan_.stream);
    if (flush_) (*flush_)();
    return timed([&] { launch_(plan_.stream); });
  }

  // Seconds of an empty kernel, launched and timed alike.
  double empty_kernel() {
    std::vector<double> seconds;
    for (int i = 0; i < 6; ++i) {  // the first loads it
      const double once = timed([&] { empty<<<1, 1, 0, plan_.stream>>>(0); });
      if (i > 0) seconds.push_back(once);
    }
    return median(seconds);
  }

  double now() const {
    return std::chrono::duration<double>(HostTimer::Now::now().time_since_epoch()).count();
  }
  Clocks clocks() const { return watch_ ? watch_->read() : Clocks{}; }

  void watch(const std::string& pci_address) { watch_.emplace(pci_address); }
  double resolution() const {
    return plan_.clock == Clock::gpu ? EventTimer::resolution : HostTimer::resolution;
  }
  bool gated() const { return bool(gate_); }
  bool expired_at_once() const { return expired_before_; }
  bool expired_later() const { return expired_ && !expired_before_; }

 private:
  // Seconds of one launch of a batch.
  template <typename Work>
  double timed(const Work& work) {
    if (gate_) gate_->close();
    const double seconds = plan_.clock == Clock::gpu ? timed(events_, work) : timed(host_, work);
    if (gate_ && gate_->expired()) {  // from here on without
      expired_ = true;
      gate_.reset();
    }
    return seconds / plan_.batch;
  }

  template <typename Timer, typename Work>
  double timed(Timer& timer, const Work& work) {
    timer.start();
    for (int i = 0; i < plan_.batch; ++i) work();
    call(cudaGetLastError(), "the launch that is measured");
    timer.stop();
    if (gate_) gate_->open();
    return timer.seconds();
  }

  Plan plan_;
  const Launch& launch_;
  const Prepare& prepare_;
  EventTimer events_;
  HostTimer host_;
  std::unique_ptr<Flush> flush_;
  std::unique_ptr<Gate> gate_;
  std::optional<ClockWatch> watch_;
  bool expired_ = false, expired_before_ = false;
};

}  // namespace headroom::timing
