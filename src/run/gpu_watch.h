// The GPUs of this machine and their clocks, as nvidia-smi tells them: it comes with the driver, so
// where it is missing there is no GPU to measure on.
//
//   gpus_here()        {0, "NVIDIA H200", "580.159.04"}
//   ClockWatch watch(0); …; watch.clocks()   {"sm_mhz", 1980, 1980, 1980}, {"memory_mhz", …}
#pragma once
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace headroom {

struct ClockRange {
  std::string what;  // "sm_mhz", "memory_mhz", "celsius", "watts"
  double least = 0, median = 0, most = 0;
};

struct Gpu {
  int index = 0;
  std::string name, driver;
};

// From the lines "0, NVIDIA H200, 580.159.04".
std::vector<Gpu> parse_gpus(const std::string& lines);
// From lines "1980, 3201, 31, 134.67", one a reading; what a GPU does not tell is left out.
std::vector<ClockRange> parse_clocks(const std::string& lines);

// None: no driver, or no GPU.
std::vector<Gpu> gpus_here();

// Reads the clocks while it lives, a few times a second.
class ClockWatch {
 public:
  explicit ClockWatch(int gpu);
  ~ClockWatch();
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;

  std::vector<ClockRange> clocks();  // ends the watch

 private:
  void read(int gpu);
  std::atomic<bool> over_ = false;
  std::string lines_;
  std::thread reader_;
};

}  // namespace headroom
