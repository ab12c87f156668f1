#include "device/recent_memory.h"

#include <algorithm>

namespace headroom::device {
namespace {

constexpr uint64_t page_bytes = uint64_t(1) << 20;
constexpr uint32_t page_sectors = page_bytes / 32;

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
      page.sectors = std::max(page.sectors, sectors);
    } else {
      page.sectors = sectors;
    }
    page.event = event;
    page.by_launch = by_launch;
    bytes_.back() += 32.0 * page.sectors;
    all_ += 32.0 * page.sectors;
  }
  while (!bytes_.empty() &&
         (kept(all_, l2) == 0 || bytes_.front() == 0 || bytes_.size() > most_events)) {
    all_ -= bytes_.front();
    bytes_.pop_front();
    ++first_;
  }
}

void RecentMemory::copy(uint64_t begin, uint64_t bytes, double l2) {
  std::vector<sim::PageCount> pages;
  for (uint64_t at = begin, end = begin + bytes; at < end;) {
    const uint64_t next = std::min(end, (at / page_bytes + 1) * page_bytes);
    pages.push_back({at / page_bytes, std::min(page_sectors, uint32_t((next - at + 31) / 32))});
    at = next;
  }
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
