#include "run/clock_samples.h"

#include <algorithm>

#include "headroom/timing/samples.h"

namespace headroom {

std::optional<Clock> ClockSamples::range(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  return Clock{timing::middle_of(samples), samples.front(), samples.back()};
}

}  // namespace headroom
