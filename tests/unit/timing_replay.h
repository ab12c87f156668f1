// A source of samples that were recorded or made up, for tests of the loop that takes them.
//
//   Replay source({1e-6, 2e-6}, 0.01);    two samples, over and over, each taking 10 ms on the host
#pragma once
#include <random>
#include <vector>

#include "headroom/timing/collect.h"

namespace replay {

using headroom::timing::Clocks;
using Samples = std::vector<double>;

struct Replay {
  Replay(Samples samples, double host_seconds = 1e-4)
      : samples(std::move(samples)), host_seconds(host_seconds) {}

  double sample() {
    host += host_seconds;
    return samples[taken++ % samples.size()];
  }
  double now() const { return host; }
  Clocks clocks() {
    ++looks;
    return looks <= readings.size() ? readings[looks - 1]
           : readings.empty()       ? Clocks{}
                                    : readings.back();
  }

  Samples samples;
  double host_seconds;
  std::vector<Clocks> readings;  // in the order read; the last one stays
  double host = 1000;            // seconds since whenever
  size_t taken = 0, looks = 0;
};

inline Samples normal(size_t count, double mean, double deviation, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> draw(mean, deviation);
  Samples samples(count);
  for (double& sample : samples) sample = draw(random);
  return samples;
}

inline Clocks clocks(unsigned sm, unsigned memory, unsigned long long reasons = 0) {
  Clocks now;
  now.sm_mhz = sm;
  now.memory_mhz = memory;
  now.reasons = reasons;
  return now;
}

}  // namespace replay
