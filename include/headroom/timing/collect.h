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
  double target = 0.005;    // relative error of the median, 95 % sure
  int least = 10;           // samples
  int most = 1000;          // samples
  double most_seconds = 2;  // on the host's clock, from the first sample on; one sample always
};

inline void check(const Limits& limits) {
  if (limits.least < 1 || limits.most < limits.least) {
    throw std::invalid_argument(
        printed("timing: at least %d and at most %d samples: choose 1 <= "
                "least <= most",
                limits.least, limits.most));
  }
  if (!(limits.target >= 0) || !(limits.most_seconds >= 0)) {
    throw std::invalid_argument(
        printed("timing: target %g, most_seconds %g: neither may be negative", limits.target,
                limits.most_seconds));
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
  size_t next_check = size_t(limits.least);
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
    if (count >= size_t(limits.most)) {
      timing.stop = Stop::count;
      break;
    }
    if (now - begin >= limits.most_seconds) {
      timing.stop = Stop::time;
      break;
    }
  }
  look();
}

}  // namespace headroom::timing
