// Times something by the host's clock, as a program that waits for it sees it.
//
//   Seconds seconds = timed({0.01, 400, 0.5}, [&] { cudaMemcpy(…); });
#pragma once
#include <headroom/timing.cuh>

#include "studies/transfer/results.h"

namespace transfer {

inline Seconds summary(const headroom::timing::Timing& timing) {
  return {timing.median(), timing.minimum(), timing.maximum(), timing.relative_error(),
          int(timing.seconds.size())};
}

// When samples suffice: few of what takes long, which averages by itself.
struct Enough {
  double relative_error;
  int most;
  double max_seconds;
};

// `prepare` runs before every sample, outside of its time.
template <typename Work, typename Prepare>
Seconds timed(const Enough& enough, const Work& work, const Prepare& prepare) {
  headroom::timing::Plan plan;
  plan.clock = headroom::timing::Clock::cpu;
  plan.target = enough.relative_error;
  plan.min_samples = 8;
  plan.max_samples = enough.most;
  plan.max_seconds = enough.max_seconds;
  return summary(headroom::timing::measure(
      plan, [&](cudaStream_t) { work(); }, [&](cudaStream_t) { prepare(); }));
}

template <typename Work>
Seconds timed(const Enough& enough, const Work& work) {
  return timed(enough, work, [] {});
}

}  // namespace transfer
