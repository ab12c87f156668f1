#include "device/recent_memory.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headroom::device {
namespace {

constexpr uint64_t bytes_of_page = 64 * 1024;
constexpr uint32_t page_sectors = bytes_of_page / 32;

// Of what was touched once and again all is found while it takes little of L2, nothing once it fills it (as seen on an H200;
// results/h200/model.json, l2_again.json).
double kept(double bytes, double l2) {
  constexpr double all = 0.55, none = 0.9;
  return std::clamp((none - bytes / l2) / (none - all), 0.0, 1.0);
}

}  // namespace

void RecentMemory::touch(const std::vector<sim::PageCount>& touched, double l2) {
  touch(touched, l2, true);
}

void RecentMemory::touch(const std::vector<sim::PageCount>& touched, double l2, bool by_launch) {
  constexpr size_t most_events = 4096;
  if (touched.empty() || l2 <= 0) return;
  const uint64_t event = first_ + bytes_.size();
  bytes_.push_back(0);
  for (const auto& [number, sectors] : touched) {
    Page& page = pages_[number];
    if (is_known(page)) {
      bytes_[page.event - first_] -= 32.0 * page.sectors;
      all_ -= 32.0 * page.sectors;
      // A copy mostly goes to another part of the page, a launch to the same.
      page.sectors = by_launch ? std::max(page.sectors, sectors)
                               : std::min(page_sectors, page.sectors + sectors);
    } else {
      page.sectors = sectors;
    }
    page.event = event;
    page.by_launch = by_launch;
    bytes_.back() += 32.0 * page.sectors;
    all_ += 32.0 * page.sectors;
  }
  if (bytes_.size() > most_events) leave_out_empty();
  while (!bytes_.empty() &&
         (kept(all_, l2) == 0 || bytes_.front() == 0 || bytes_.size() > most_events)) {
    all_ -= bytes_.front();
    bytes_.pop_front();
    ++first_;
  }
}

// Copies and launches of which later ones have touched all.
void RecentMemory::leave_out_empty() {
  std::vector<uint64_t> number(bytes_.size());
  std::deque<double> left;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    number[i] = first_ + left.size();
    if (bytes_[i] > 0) left.push_back(bytes_[i]);
  }
  std::erase_if(pages_, [&](const auto& each) { return !is_known(each.second); });
  for (auto& [place, page] : pages_) page.event = number[page.event - first_];
  bytes_ = std::move(left);
}

void RecentMemory::copy(const std::vector<Range>& ranges, double l2) {
  std::map<uint64_t, uint32_t> sectors;
  for (const auto& [begin, bytes] : ranges)
    for (uint64_t at = begin, end = begin + bytes; at < end;) {
      const uint64_t next = std::min(end, (at / bytes_of_page + 1) * bytes_of_page);
      sectors[at / bytes_of_page] += uint32_t((next - 1) / 32 - at / 32 + 1);
      at = next;
    }
  std::vector<sim::PageCount> pages;
  for (const auto& [page, count] : sectors) pages.push_back({page, std::min(page_sectors, count)});
  touch(pages, l2, false);
}

RecentMemory::Share RecentMemory::share(const std::vector<sim::PageCount>& read, double l2) const {
  std::vector<double> share_of(bytes_.size());  // by event
  double since = 0, all = 0, held = 0, by_launches = 0;
  for (size_t i = bytes_.size(); i-- > 0;) share_of[i] = kept(since += bytes_[i], l2);
  for (const auto& [number, sectors] : read) {
    all += sectors;
    const auto found = pages_.find(number);
    if (found == pages_.end() || !is_known(found->second)) continue;
    const Page& page = found->second;
    const double here = std::min(sectors, page.sectors) * share_of[page.event - first_];
    held += here;
    by_launches += page.by_launch ? here : 0;
  }
  return {all > 0 ? held / all : 0, held > 0 ? by_launches / held : 0};
}

}  // namespace headroom::device
