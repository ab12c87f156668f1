// What L2 likely still holds of device memory: by pages of 64 KiB, which copies and launches touched lately and how much of each. It
// counts how many other bytes were touched since a copy or launch that touched a page began, that one's own among them.
//
//   recent.copy({{0, 8 MiB}}, l2);   recent.touch(pages of a launch over 4 MiB of them, l2)
//   recent.share(pages that a launch reads, 60 MiB)   {1, 0.5}: all lies in L2, half of it as a launch touched it
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "sim/observers/footprint.h"

namespace headroom::device {

class RecentMemory {
 public:
  struct Range {
    uint64_t begin, bytes;  // from the memory's base on
  };
  // What a launch touched, or a copy; l2: bytes.
  void touch(const std::vector<sim::PageCount>&, double l2);
  void copy(const std::vector<Range>&, double l2);
  struct Share {
    double all = 0;          // of what is read
    double by_launches = 0;  // of that, what launches touched last
  };
  Share share(const std::vector<sim::PageCount>&, double l2) const;

 private:
  struct Page {
    uint64_t event = 0;  // that touched it last
    uint32_t sectors = 0;
    bool by_launch = false;
  };
  void touch(const std::vector<sim::PageCount>&, double l2, bool by_launch);
  void leave_out_empty();
  bool is_known(const Page& page) const { return page.event >= first_; }

  std::unordered_map<uint64_t, Page> pages_;
  std::deque<double> bytes_;  // that each copy or launch from first_ on was the last to touch
  uint64_t first_ = 1;
  double all_ = 0;  // of them
};

}  // namespace headroom::device
