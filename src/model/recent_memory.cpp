#include "model/recent_memory.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace headroom {
namespace {

constexpr uint32_t page_sectors = PageCount::bytes / 32;
constexpr double same_half = 0.5;  // two SMs: what one has had is near for the other, too

// Of what was touched all is found while no more of L2 was touched since it was begun with, nothing once it is so much more; what was
// stored stays longer. Of a long fill L2 keeps a half of itself, of a copy a third for what is written and a fifth for what is read
// (of an H200; results/h200/l2_holds.json; of what is allocated first_launches.json).
struct Kept {
  double all, none;
};
constexpr Kept loaded_kept{0.64, 0.84}, written_kept{0.62, 1.0};
constexpr double of_fill = 0.5, of_target = 0.33, of_source = 0.2, of_clearing = 0.14;

double kept(bool written, double bytes, double l2) {
  const auto& [all, none] = written ? written_kept : loaded_kept;
  return std::clamp((none - bytes / l2) / (none - all), 0.0, 1.0);
}

double bytes_of(const RecentMemory::Pages& pages) {
  double sectors = 0;
  for (const PageCount& page : pages) sectors += page.sectors;
  return 32 * sectors;
}

float left_of(const RecentMemory::Pages& pages, double most) {
  return float(std::min(1.0, most / std::max(1.0, bytes_of(pages))));
}

// All that an event of many bytes touched before its last ones is gone.
RecentMemory::Pages pages_of(const RecentMemory::Ranges& ranges, double l2) {
  std::map<uint64_t, uint32_t> sectors;
  for (const auto& [first, bytes] : ranges) {
    const uint64_t end = first + bytes,
                   most = std::max<uint64_t>(PageCount::bytes, uint64_t(4 * l2));
    for (uint64_t at = bytes > most ? end - most : first; at < end;) {
      const uint64_t next = std::min(end, (at / PageCount::bytes + 1) * PageCount::bytes);
      sectors[at / PageCount::bytes] += uint32_t((next - 1) / 32 - at / 32 + 1);
      at = next;
    }
  }
  RecentMemory::Pages pages;
  for (const auto& [page, count] : sectors) pages.push_back({page, std::min(page_sectors, count)});
  return pages;
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
  // What is loaded and stored counts once, as stored.
  std::map<uint64_t, uint32_t> written;
  for (const auto& [page, sectors] : stored) written[page] = sectors;
  Pages all;
  for (const auto& [page, sectors] : loaded) {
    const auto found_page = written.find(page);
    if (found_page == written.end())
      all.push_back({page, sectors});
    else
      found_page->second = std::max(found_page->second, sectors);
  }
  Pages stores;
  for (const auto& [page, sectors] : written) stores.push_back({page, sectors});
  touch({{all, {.by_launch = true}}, {stores, {.written = true, .by_launch = true}}}, l2);
  if (trace) by_one_sm_ = sectors_of(*trace, false);
  return found;
}

void RecentMemory::overwrite(const Ranges& ranges, double most_left, double l2) {
  const Pages pages = pages_of(ranges, l2);
  touch({{pages, {.left = left_of(pages, most_left), .written = true}}}, l2);
}

void RecentMemory::fill(const Ranges& ranges, double l2) { overwrite(ranges, of_fill * l2, l2); }

void RecentMemory::allocate(const Range& range, double l2) {
  overwrite({range}, of_clearing * l2, l2);
}

void RecentMemory::copy(const Ranges& from, const Ranges& to, double l2) {
  const Pages read = pages_of(from, l2), written = pages_of(to, l2);
  touch({{read, {.left = left_of(read, of_source * l2)}},
         {written, {.left = left_of(written, of_target * l2), .written = true}}},
        l2);
}

FoundInL2 RecentMemory::find(const Pages& read, const Trace* trace, double l2) const {
  std::vector<double> since(events_.size());  // bytes, by event
  double after = 0, all = 0, held = 0, by_launches = 0;
  for (size_t i = events_.size(); i-- > 0; after += events_[i].bytes)
    since[i] = after + events_[i].left;
  for (const auto& [number, sectors] : read) {
    all += sectors;
    const auto found = pages_.find(number);
    if (found == pages_.end() || !is_known(found->second)) continue;
    const Page& page = found->second;
    const double here = std::min(sectors, page.sectors) * page.left *
                        kept(page.written, since[page.event - first_], l2);
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

void RecentMemory::take_off(const Page& page) {
  const double bytes = 32.0 * page.sectors;
  Event& event = events_[page.event - first_];
  event.bytes -= bytes;
  event.left -= bytes * page.left;
  all_ -= bytes;
}

void RecentMemory::touch(const std::vector<Touched>& touched, double l2) {
  constexpr size_t most_events = 4096;
  if (l2 <= 0 ||
      std::ranges::all_of(touched, [](const Touched& each) { return each.pages.empty(); }))
    return;
  const uint64_t number = first_ + events_.size();
  events_.emplace_back();
  for (const auto& [pages, how] : touched)
    for (const auto& [at, sectors] : pages) {
      Page& page = pages_[at];
      Page now = how;
      now.event = number;
      now.sectors = sectors;
      if (is_known(page)) {
        take_off(page);
        // A fill mostly goes to another part of the page, a launch to the same.
        const double there = page.sectors * double(page.left);
        if (how.by_launch) {
          now.sectors = std::max(sectors, uint32_t(there));
        } else {
          now.sectors = std::min(page_sectors, page.sectors + sectors);
          now.left = float(std::min(1.0, (there + sectors * double(how.left)) / now.sectors));
        }
      }
      page = now;
      const double bytes = 32.0 * page.sectors;
      events_.back().bytes += bytes;
      events_.back().left += bytes * page.left;
      all_ += bytes;
    }
  if (events_.size() > most_events) leave_out_empty();
  while (!events_.empty()) {
    const Event& oldest = events_.front();
    if (oldest.bytes > 0 && events_.size() <= most_events &&
        kept(true, all_ - oldest.bytes + oldest.left, l2) > 0)
      break;
    all_ -= oldest.bytes;
    events_.pop_front();
    ++first_;
  }
}

// Those of which later ones have touched all.
void RecentMemory::leave_out_empty() {
  std::vector<uint64_t> number(events_.size());
  std::deque<Event> left;
  for (size_t i = 0; i < events_.size(); ++i) {
    number[i] = first_ + left.size();
    if (events_[i].bytes > 0) left.push_back(events_[i]);
  }
  std::erase_if(pages_, [&](const auto& each) { return !is_known(each.second); });
  for (auto& [place, page] : pages_) page.event = number[page.event - first_];
  events_ = std::move(left);
}

}  // namespace headroom
