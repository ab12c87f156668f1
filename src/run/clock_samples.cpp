#include "run/clock_samples.h"

#include <algorithm>

namespace headroom {

std::optional<Clock> ClockSamples::range(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  return Clock{samples[samples.size() / 2], samples.front(), samples.back()};
}

}  // namespace headroom
