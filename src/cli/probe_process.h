// A probe as a child process: its lines of output, read while it runs.
//
//   run_probe("…/probes/latency", {"--gpu", "0"}, 120 s, [](line) {…}, [] {…})
//     ->  ProbeEnd{"{\"seed\": 5}\n{\"value\": …", exit_code 0, 1.4 s}
//
// `watch` is called ten times a second meanwhile: for clocks and for a person who waits.
#pragma once
#include <signal.h>

#include <functional>
#include <string>
#include <vector>

namespace headroom {

struct ProbeEnd {
  std::string output;
  int exit_code = 0;  // 128 + number when a signal ended it
  double seconds = 0;
  bool too_long = false;  // ended by us at the limit
  int stopped_by = 0;     // the signal that asked us to stop, Ctrl-C for one
};

// While it lives, signals that would end us are kept for `ProbeEnd::stopped_by`.
class StopWatch {
 public:
  StopWatch();
  ~StopWatch();
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

 private:
  std::vector<struct sigaction> before_;
};

// Throws Error with code 126 when it cannot be executed.
ProbeEnd run_probe(const std::string& path, const std::vector<std::string>& arguments, double limit,
                   const std::function<void(const std::string& line)>& take,
                   const std::function<void()>& watch);

}  // namespace headroom
