// The progress line of a running kernel, on a terminal only, from half a second on:
//
//   headroom: kernel scan(int*) 37 % of 4096 blocks
//
// written over itself and erased at the end.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace headroom::device {

class Progress {
 public:
  Progress(bool wanted, const std::string& kernel);
  void show(uint64_t done, uint64_t blocks);
  void erase();

 private:
  std::string kernel_;
  bool on_ = false, shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace headroom::device
