#include "model/recent_memory.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace headroom {
namespace {

constexpr uint32_t page_sectors = PageCount::bytes / 32;
constexpr double same_half = 0.5;  // two SMs: what one has had is near for the other, too

// Of what was touched once and again all is found while it takes little of L2, nothing once it fills it (as seen on an H200;
// results/h200/model.json, l2_again.json).
double kept(double bytes, double l2) {
  constexpr double all = 0.55, none = 0.9;
  return std::clamp((none - bytes / l2) / (none - all), 0.0, 1.0);
}

std::vector<uint64_t> sectors_of(const Trace& trace, bool loads_alone) {
  std::vector<uint64_t> sectors;
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps)
      for (const TracedAccess& access : warp.accesses) {
        if (access.kind != AccessKind::global_load &&
            (loads_alone || access.kind != AccessKind::global_store))
          continue;
        const auto first = block.sectors.begin() + access.first_sector;
        sectors.insert(sectors.end(), first, first + access.sectors);
      }
  std::ranges::sort(sectors);
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  return sectors;
}

// Of what is loaded, the share that is among these.
double share_among(const std::vector<uint64_t>& these, const std::vector<uint64_t>& loaded) {
  std::vector<uint64_t> both;
  std::ranges::set_intersection(these, loaded, std::back_inserter(both));
  return loaded.empty() ? 0 : double(both.size()) / double(loaded.size());
}

}  // namespace

FoundInL2 RecentMemory::launch(const Pages& loaded, const Pages& stored, const Trace* trace,
                               double l2) {
  const FoundInL2 found = find(loaded, trace, l2);
  std::map<uint64_t, uint32_t> touched;
  for (const Pages* pages : {&loaded, &stored})
    for (const auto& [page, sectors] : *pages) touched[page] = std::max(touched[page], sectors);
  Pages all;
  for (const auto& [page, sectors] : touched) all.push_back({page, sectors});
  touch(all, l2, true);
  if (trace) by_one_sm_ = sectors_of(*trace, false);
  return found;
}

void RecentMemory::copy(const std::vector<Range>& ranges, double l2) {
  std::map<uint64_t, uint32_t> sectors;
  for (const auto& [begin, bytes] : ranges)
    for (uint64_t at = begin, end = begin + bytes; at < end;) {
      const uint64_t next = std::min(end, (at / PageCount::bytes + 1) * PageCount::bytes);
      sectors[at / PageCount::bytes] += uint32_t((next - 1) / 32 - at / 32 + 1);
      at = next;
    }
  Pages pages;
  for (const auto& [page, count] : sectors) pages.push_back({page, std::min(page_sectors, count)});
  touch(pages, l2, false);
}

FoundInL2 RecentMemory::find(const Pages& read, const Trace* trace, double l2) const {
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
  FoundInL2 found{all > 0 ? held / all : 0, std::nullopt};
  if (trace) {
    const double own = share_among(by_one_sm_, sectors_of(*trace, true));
    found.near = own + (1 - own) * (held > 0 ? same_half * by_launches / held : 0);
  }
  return found;
}

void RecentMemory::touch(const Pages& touched, double l2, bool by_launch) {
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

}  // namespace headroom
