// How something is to be measured. The defaults are for a kernel on the default stream, timed by
// events, its data where the launch before left it, until the median is known to ± 0.5 %.
#pragma once
#include <cuda_runtime_api.h>

#include "headroom/timing/collect.h"

namespace headroom::timing {

struct Plan {
  Clock clock = Clock::gpu;
  Cache cache = Cache::hot;
  cudaStream_t stream = nullptr;  // passed to what is launched, which has to use it
  bool gate = true;               // queue a whole sample before it begins (with events only)
  int warm_up = 1;                // samples before the first that counts; 0: no gate either
  int batch = 1;                  // launches of a sample
  double target = Limits{}.target;
  int min_samples = Limits{}.min_samples, max_samples = Limits{}.max_samples;
  double max_seconds = Limits{}.max_seconds;

  Limits limits() const { return {target, min_samples, max_samples, max_seconds}; }
};

inline void check(const Plan& plan) {
  check(plan.limits());
  if (plan.batch < 1 || plan.warm_up < 0) {
    throw std::invalid_argument(
        printed("timing: a batch of %d launches, %d samples of warm-up: "
                "choose batch >= 1 and warm_up >= 0",
                plan.batch, plan.warm_up));
  }
}

}  // namespace headroom::timing
