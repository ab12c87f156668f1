// The clocks of a GPU while something runs on it, as its management library tells them.
//
//   ClockSamples clocks("0000:01:00.0");
//   while (…) clocks.take();
//   clocks.sm()    ->  Clock{1980, 1965, 1980}, or nothing where that is not known
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "headroom/timing/clocks.h"
#include "machine/measured.h"

namespace headroom {

class ClockSamples {
 public:
  explicit ClockSamples(const std::string& address) : watch_(address) {}
  void take() {
    const timing::Clocks now = watch_.read();
    if (now.sm_mhz) sm_.push_back(*now.sm_mhz);
    if (now.memory_mhz) memory_.push_back(*now.memory_mhz);
  }
  std::optional<Clock> sm() const { return range(sm_); }
  std::optional<Clock> memory() const { return range(memory_); }

 private:
  static std::optional<Clock> range(std::vector<double> samples);
  timing::ClockWatch watch_;
  std::vector<double> sm_, memory_;
};

}  // namespace headroom
