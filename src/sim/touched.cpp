#include "sim/touched.h"

#include <algorithm>
#include <bit>

namespace headroom::sim {
namespace {

constexpr uint64_t page_sectors = SectorPages::words * 64;

bool meet(const SectorPages::Page& a, const SectorPages::Page& b) {
  uint64_t both = 0;
  for (size_t word = 0; word < SectorPages::words; ++word) both |= a.bits[word] & b.bits[word];
  return both != 0;
}

// Sectors first … last of the page.
bool meets(const SectorPages::Page& page, uint64_t first, uint64_t last) {
  for (uint64_t word = first / 64; word <= last / 64; ++word) {
    uint64_t bits = page.bits[word];
    if (word == first / 64) bits &= ~0ull << (first % 64);
    if (word == last / 64) bits &= ~0ull >> (63 - last % 64);
    if (bits) return true;
  }
  return false;
}

}  // namespace

SectorPages::SectorPages(std::vector<Page> pages) : pages_(std::move(pages)) {
  std::ranges::sort(pages_, {}, &Page::number);
}

bool SectorPages::meets(const SectorPages& other) const {
  auto mine = pages_.begin(), theirs = other.pages_.begin();
  while (mine != pages_.end() && theirs != other.pages_.end()) {
    if (mine->number == theirs->number && meet(*mine, *theirs)) return true;
    mine->number < theirs->number ? ++mine : ++theirs;
  }
  return false;
}

void SectorPages::add(const SectorRange& range) {
  for (uint64_t number = range.first / page_sectors; number <= range.last / page_sectors;
       ++number) {
    auto page = std::ranges::lower_bound(pages_, number, {}, &Page::number);
    if (page == pages_.end() || page->number != number)
      page = pages_.insert(page, Page{number, {}});
    const uint64_t begin = number * page_sectors,
                   last = std::min(range.last, begin + page_sectors - 1) - begin;
    for (uint64_t at = std::max(range.first, begin) - begin; at <= last; ++at)
      page->bits[at / 64] |= uint64_t(1) << (at % 64);
  }
}

std::vector<SectorRange> SectorPages::ranges() const {
  std::vector<SectorRange> all;
  for (const Page& page : pages_)
    for (uint64_t word = 0; word < words; ++word)
      for (uint64_t bits = page.bits[word], at = 0; bits;) {
        const uint64_t skipped = uint64_t(std::countr_zero(bits)), begin = at + skipped,
                       length = uint64_t(std::countr_one(bits >> skipped));
        const uint64_t first = page.number * page_sectors + word * 64 + begin,
                       last = first + length - 1;
        if (!all.empty() && all.back().last + 1 == first)
          all.back().last = last;
        else
          all.push_back({first, last});
        at = begin + length;
        bits = at < 64 ? page.bits[word] >> at : 0;
      }
  return all;
}

uint64_t SectorPages::count() const {
  uint64_t sum = 0;
  for (const Page& page : pages_)
    for (const uint64_t bits : page.bits) sum += uint64_t(std::popcount(bits));
  return sum;
}

bool SectorPages::meets(const SectorRange& range) const {
  auto page = std::ranges::lower_bound(pages_, range.first / page_sectors, {}, &Page::number);
  for (; page != pages_.end() && page->number <= range.last / page_sectors; ++page) {
    const uint64_t begin = page->number * page_sectors;
    const uint64_t first = std::max(range.first, begin) - begin,
                   last = std::min(range.last, begin + page_sectors - 1) - begin;
    if (sim::meets(*page, first, last)) return true;
  }
  return false;
}

}  // namespace headroom::sim
