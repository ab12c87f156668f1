#include "sim/check/past.h"

#include <algorithm>

namespace headroom::sim::check {
namespace {

// What is further back counts as over.
constexpr size_t most_launches = 1024, most_ranges = 4096, most_moments = 1 << 20;

}  // namespace

void Past::begin(Work work) {
  now_ = std::move(work);
  while (!launches_.empty() && launches_.front().id < now_.oldest) {
    moments_ -= launches_.front().moments.size();
    launches_.pop_front();
  }
  while (!ranges_.empty() && ranges_.front().id < now_.oldest) ranges_.pop_front();
  select();
}

void Past::select() {
  const auto is_unordered = [&](const auto& one) {
    return std::ranges::binary_search(now_.unordered, one.id);
  };
  launches_now_.clear();
  ranges_now_.clear();
  if (now_.unordered.empty()) return;
  for (const PastLaunch& one : launches_)
    if (is_unordered(one)) launches_now_.push_back(&one);
  for (const PastRange& one : ranges_)
    if (is_unordered(one)) ranges_now_.push_back(&one);
}

void Past::clear() {
  launches_.clear();
  ranges_.clear();
  moments_ = 0;
  select();
}

void Past::add(PastLaunch launch) {
  moments_ += launch.moments.size();
  launches_.push_back(std::move(launch));
  while (launches_.size() > most_launches || (moments_ > most_moments && launches_.size() > 1)) {
    moments_ -= launches_.front().moments.size();
    launches_.pop_front();
  }
  select();
}

void Past::add(PastRange range) {
  ranges_.push_back(std::move(range));
  if (ranges_.size() > most_ranges) ranges_.pop_front();
  select();
}

void Past::forget(uint64_t begin, uint64_t end) {
  std::erase_if(ranges_, [&](const PastRange& one) { return one.begin < end && begin < one.end; });
  select();
}

}  // namespace headroom::sim::check
