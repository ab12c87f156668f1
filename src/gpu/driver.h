// What the NVIDIA driver of this machine sees, asked before the program runs, in a process of its
// own: the driver's state does not come with a fork, so ours stays free of it.
//
//   look_at_driver(0)  ->  Driver{13000, {"NVIDIA H200"}}
#pragma once
#include <string>
#include <vector>

namespace headroom {

struct Driver {
  int version = 0;                   // 13000: the newest CUDA it serves is 13.0
  std::vector<std::string> devices;  // as CUDA_VISIBLE_DEVICES leaves them, in CUDA's order
  int major() const { return version / 1000; }
};

// Throws Error: no driver, no GPU, or no GPU of that number.
Driver look_at_driver(int wanted);

// What CUDA_VISIBLE_DEVICES has to be so that a program sees this GPU of those that we see alone.
//
//   visible_device(1, nullptr)  "1"        visible_device(1, "3,GPU-8932f937")  "GPU-8932f937"
std::string visible_device(int wanted, const char* visible_now);

}  // namespace headroom
