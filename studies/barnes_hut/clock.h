// Which kernel of a step took how long.
//
//   Clock clock(Clock::device);                clock.start();
//   kernel<<<…>>>(…); clock.mark("force");     solver's work: the name of what has just been launched
//   clock.laps()                               {{"force", seconds}, …}: waits for the device
//
// A mark costs an event on the default stream, a reading of the host's clock, or nothing: Clock::off.
// Marks of the same name add up.
#pragma once
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "studies/common/check.h"

namespace barnes_hut {

class Clock {
 public:
  enum Kind { off, device, host };
  using Laps = std::vector<std::pair<std::string, double>>;

  explicit Clock(Kind kind) : kind_(kind) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }

  void start() {
    names_.clear();
    times_.clear();
    stamp();
  }
  void mark(const char* name) {
    if (kind_ == off) return;
    names_.push_back(name);
    stamp();
  }
  Laps laps() {
    if (kind_ == device && !names_.empty()) CHECK(cudaEventSynchronize(events_[names_.size()]));
    Laps laps;
    for (size_t i = 0; i < names_.size(); ++i) add(laps, names_[i], seconds(i));
    return laps;
  }

 private:
  void stamp() {
    if (kind_ == host) times_.push_back(now());
    if (kind_ != device) return;
    if (events_.size() == names_.size()) {
      cudaEvent_t event;
      CHECK(cudaEventCreate(&event));
      events_.push_back(event);
    }
    CHECK(cudaEventRecord(events_[names_.size()]));
  }
  double seconds(size_t i) const {
    if (kind_ == host) return times_[i + 1] - times_[i];
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, events_[i], events_[i + 1]));
    return milliseconds * 1e-3;
  }
  // Seconds; <chrono> would take longer to compile than the kernels of this study.
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }
  static void add(Laps& laps, const std::string& name, double seconds) {
    for (auto& lap : laps) {
      if (lap.first == name) {
        lap.second += seconds;
        return;
      }
    }
    laps.push_back({name, seconds});
  }

  Kind kind_;
  std::vector<std::string> names_;
  std::vector<cudaEvent_t> events_;  // one before the first name
  std::vector<double> times_;        // likewise
};

}  // namespace barnes_hut
