// Takes samples until they suffice: the median is known well enough, or there are too many, or it
// has taken too long. Where the samples come from is the source's business.
//
//   struct Source {
//     double sample();    // seconds of one launch
//     double now();       // seconds on the host, from whenever
//     Clocks clocks();    // those of the GPU
//   };
//   collect(limits, source, timing);    // fills timing.seconds, .clocks, .stop
#pragma once
#include <stdexcept>

#include "headroom/timing/timing.h"

namespace headroom::timing {

struct Limits {
  double target = 0.005;   // relative error of the median, 95 % sure
  int min_samples = 10;    // samples
  int max_samples = 1000;  // samples
  double max_seconds = 2;  // on the host's clock, from the first sample on; one sample always
};

inline void check(const Limits& limits) {
  if (limits.min_samples < 1 || limits.max_samples < limits.min_samples) {
    throw std::invalid_argument(
        printed("timing: at least %d and at most %d samples: choose 1 <= "
                "min_samples <= max_samples",
                limits.min_samples, limits.max_samples));
  }
  if (!(limits.target >= 0) || !(limits.max_seconds >= 0)) {
    throw std::invalid_argument(
        printed("timing: target %g, max_seconds %g: neither may be negative", limits.target,
                limits.max_seconds));
  }
}

template <typename Source>
void collect(const Limits& limits, Source& source, Timing& timing) {
  check(limits);
  constexpr double between_looks = 0.1;  // seconds between two looks at the clocks
  const auto look = [&] {
    timing.clocks.push_back(source.clocks());
    timing.clocks.back().sample = timing.seconds.size();
  };
  look();
  const double begin = source.now();
  double looked = begin;
  // Looking after every sample would stop at the first that happens to agree: the number must have
  // grown by a tenth.
  size_t next_check = size_t(limits.min_samples);
  for (;;) {
    timing.seconds.push_back(source.sample());
    const size_t count = timing.seconds.size();
    const double now = source.now();
    if (now - looked > between_looks) {
      look();
      looked = source.now();
    }
    if (count >= next_check) {
      next_check = count + 1 + count / 10;
      if (timing.relative_error() <= limits.target) {
        timing.stop = Stop::converged;
        break;
      }
    }
    if (count >= size_t(limits.max_samples)) {
      timing.stop = Stop::count;
      break;
    }
    if (now - begin >= limits.max_seconds) {
      timing.stop = Stop::time;
      break;
    }
  }
  look();
}

}  // namespace headroom::timing
