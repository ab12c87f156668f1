// What a measurement leaves behind: every sample in the order taken, the clocks seen meanwhile, and
// every reason to doubt it.
//
//   timing.median()            1.234e-05 seconds for one launch
//   timing.relative_error()    0.0042: the median is known to ± 0.42 %, 95 % sure
//   timing.empty               2.9e-06 seconds of that an empty kernel takes too
//   timing.caveats             {{"the SM clock moved …", "…", "…"}}
#pragma once
#include <optional>
#include <vector>

#include "headroom/timing/caveat.h"
#include "headroom/timing/clocks.h"
#include "headroom/timing/samples.h"

namespace headroom::timing {

enum class Clock { gpu, cpu };   // events in the stream; the host's clock, the device synchronised
enum class Cache { hot, cold };  // as the launch before left the L2; flushed before every sample
enum class Stop { converged, count, time };  // why there are no more samples

struct Timing {
  std::vector<double> seconds;  // of one launch, all samples in order
  std::vector<Clocks> clocks;   // before the first sample, ten times a second, after the last
  std::vector<Caveat> caveats;
  Clock clock = Clock::gpu;
  Cache cache = Cache::hot;
  int batch = 1;          // launches of a sample
  bool gated = false;     // launches were queued before the sample began
  bool executor = false;  // no GPU: events add up floors
  Stop stop = Stop::count;
  double resolution = 0;        // seconds between two readings that differ, at best
  std::optional<double> empty;  // seconds of an empty kernel, measured alike

  double median() const { return timing::median(seconds); }
  double minimum() const { return timing::minimum(seconds); }
  double maximum() const { return timing::maximum(seconds); }
  double spread() const { return (maximum() - minimum()) / median(); }
  // Of the median, 95 % sure. Both readings of a sample are a step of the clock apart at best, so
  // it is known to a step at best, however well the samples agree.
  // A floor of the executor is one figure that no repetition changes.
  double relative_error() const {
    if (executor && clock == Clock::gpu) return 0;
    const double by_clock = seconds.empty() ? 0 : resolution / batch / median();
    return std::max(timing::relative_error(seconds), by_clock);
  }
};

}  // namespace headroom::timing
