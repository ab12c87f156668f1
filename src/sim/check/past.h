// What earlier work did that comes neither before nor after the work of now: launches, of whose accesses the
// shadow still tells, and copies, fills, allocations and frees, which touch ranges.
//
//   past.begin({7, {5, 6}, 5, "stream 9"});
//   past.launch_of(epoch)->stream           "stream 8": launch 5 or 6; null: that launch is over by now
#pragma once
#include <algorithm>
#include <deque>
#include <memory>

#include "record/launch.h"
#include "sim/check/order.h"
#include "sim/check/work.h"

namespace headroom::sim::check {

struct PastLaunch {
  uint32_t id = 0, first_epoch = 0, end_epoch = 0;
  std::shared_ptr<const Program> program;
  LaunchShape shape;
  std::string stream;
  std::vector<Order::Moment> moments;  // by epoch
};

struct PastRange {
  uint32_t id = 0;
  uint64_t begin = 0, end = 0;
  bool writes = false;
  const char* what = "";  // copy, fill, allocation, free
  std::string stream;
};

class Past {
 public:
  void begin(Work);
  void clear();
  void add(PastLaunch);
  void add(PastRange);
  void forget(uint64_t begin, uint64_t end);  // these addresses are memory of somebody else now

  const Work& now() const { return now_; }
  const PastLaunch* launch_of(uint32_t epoch) const {
    const auto after = std::ranges::upper_bound(launches_now_, epoch, {}, &PastLaunch::first_epoch);
    if (after == launches_now_.begin() || epoch >= (*std::prev(after))->end_epoch) return nullptr;
    return *std::prev(after);
  }
  // Of the launches that work of now or later may be in no order with, the first epoch; none: the last one.
  uint32_t first_epoch() const {
    return launches_.empty() ? ~uint32_t(0) : launches_.front().first_epoch;
  }
  bool has_launches() const { return !launches_now_.empty(); }
  const std::deque<PastLaunch>& all_launches() const { return launches_; }
  const std::deque<PastRange>& all_ranges() const { return ranges_; }
  const std::vector<const PastRange*>& ranges() const { return ranges_now_; }

 private:
  void select();
  Work now_;
  std::deque<PastLaunch> launches_;  // by id
  std::deque<PastRange> ranges_;
  std::vector<const PastLaunch*> launches_now_;  // in no order with the work of now; by epoch
  std::vector<const PastRange*> ranges_now_;
  size_t moments_ = 0;
};

}  // namespace headroom::sim::check
