// What L2 likely still holds of device memory: by pages, which launches, fills and copies touched lately and how much of each. It counts how
// many other bytes were touched since one that touched a page, and what that one left itself. All devices of a session count as one.
// Copies from and to the host are not told: they change what lies in L2 in place, bring nothing, and displace nothing
// (results/h200/l2_holds.json).
//
//   recent.fill({{0, 8 MiB}}, l2);   recent.launch(pages it loads, pages it stores, trace, l2)
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
  using Ranges = std::vector<Range>;
  // What it finds; from then on it is what was touched last. l2: bytes.
  FoundInL2 launch(const Pages& loaded, const Pages& stored, const Trace*, double l2);
  void fill(const Ranges&, double l2);
  void copy(const Ranges& from, const Ranges& to, double l2);  // on the device
  void allocate(const Range&, double l2);                      // what the driver clears then

 private:
  struct Page {
    uint64_t event = 0;  // fill, copy or launch that touched it last
    uint32_t sectors = 0;
    float left = 1;  // of them, when the event was over
    bool written = false, by_launch = false;
  };
  struct Event {
    double bytes = 0, left = 0;  // that it was the last to touch; of these, what it left in L2
  };
  struct Touched {
    Pages pages;
    Page how;
  };
  bool is_known(const Page& page) const { return page.event >= first_; }
  FoundInL2 find(const Pages&, const Trace*, double l2) const;
  void touch(const std::vector<Touched>&, double l2);
  void overwrite(const Ranges&, double most_left, double l2);
  void take_off(const Page&);
  void leave_out_empty();

  std::unordered_map<uint64_t, Page> pages_;
  std::deque<Event> events_;  // from first_ on
  uint64_t first_ = 1;
  double all_ = 0;  // bytes of them
  std::vector<uint64_t>
      by_one_sm_;  // sectors, by the traced blocks of the last launch that has any
};

}  // namespace headroom
