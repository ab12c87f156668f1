// What L2 likely still holds of device memory: by pages, which copies and launches touched lately and how much of each. It counts how
// many other bytes were touched since a copy or launch that touched a page began, that one's own among them.
//
//   recent.copy({{0, 8 MiB}}, l2);   recent.launch(pages it loads, pages it stores, trace, l2)
//   ->  {1, near 0.5}: all that the launch reads lay in L2, of what is far for others half near for the SM that reads it
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "record/page_count.h"
#include "record/trace.h"

namespace headroom {

struct FoundInL2 {
  double share = 0;  // of what a launch reads, when it begins
  std::optional<double>
      near;  // … and of that, what has been brought to the half of the SM that reads it; none: not traced
};

class RecentMemory {
 public:
  using Pages = std::vector<PageCount>;
  struct Range {
    uint64_t begin, bytes;  // from the memory's base on
  };
  // What it finds; from then on it is what was touched last. l2: bytes.
  FoundInL2 launch(const Pages& loaded, const Pages& stored, const Trace*, double l2);
  void copy(const std::vector<Range>&, double l2);

 private:
  struct Page {
    uint64_t event = 0;  // copy or launch that touched it last
    uint32_t sectors = 0;
    bool by_launch = false;
  };
  bool is_known(const Page& page) const { return page.event >= first_; }
  FoundInL2 find(const Pages&, const Trace*, double l2) const;
  void touch(const Pages&, double l2, bool by_launch);
  void leave_out_empty();

  std::unordered_map<uint64_t, Page> pages_;
  std::deque<double> bytes_;  // that each event from first_ on was the last to touch
  uint64_t first_ = 1;
  double all_ = 0;  // of them
  std::vector<uint64_t>
      by_one_sm_;  // sectors, by the traced blocks of the last launch that has any
};

}  // namespace headroom
