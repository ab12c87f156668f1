// Sectors that launches touched: which meet, in what ranges they lie, beside sets of numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "sim/observers/footprint.h"

namespace headroom::sim {
namespace {

constexpr uint64_t capacity = 8 << 20;  // bytes: eight pages

struct Sectors {
  std::set<uint64_t> all;
  Footprint footprint{capacity};
  void add(uint64_t sector) {
    all.insert(sector);
    footprint.add(sector, 1);
  }
};

bool meet(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  return std::ranges::any_of(a, [&](uint64_t sector) { return b.contains(sector); });
}

TEST(Touched, is_as_sets_of_numbers_are) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int turn = 0; turn < 200; ++turn) {
    Sectors one, two;
    for (Sectors* each : {&one, &two})
      for (uint32_t n = random() % 6; n > 0; --n) {
        const uint64_t begin = random() % (capacity / 32), length = 1 + random() % 200;
        for (uint64_t s = begin; s < std::min(begin + length, capacity / 32); ++s) each->add(s);
      }
    const SectorPages a = one.footprint.sectors(), b = two.footprint.sectors();
    EXPECT_EQ(a.meets(b), meet(one.all, two.all));
    EXPECT_EQ(b.meets(a), meet(one.all, two.all));
    EXPECT_EQ(a == b, one.all == two.all);
    EXPECT_EQ(a.count(), one.all.size());
    std::set<uint64_t> in_ranges;
    uint64_t behind = 0;  // ranges neither touch nor go back
    for (const SectorRange& range : a.ranges()) {
      EXPECT_TRUE(range.first > behind || in_ranges.empty());
      for (uint64_t s = range.first; s <= range.last; ++s) in_ranges.insert(s);
      behind = range.last + 1;
    }
    EXPECT_EQ(in_ranges, one.all);
    SectorPages both = b;
    for (const SectorRange& range : a.ranges()) both.add(range);
    one.footprint.merge(two.footprint);
    EXPECT_EQ(both, one.footprint.sectors());
    for (int n = 0; n < 20; ++n) {
      const uint64_t first = random() % (capacity / 32),
                     last = std::min(first + random() % 70000, capacity / 32 - 1);
      const auto next = one.all.lower_bound(first);
      EXPECT_EQ(a.meets(SectorRange{first, last}), next != one.all.end() && *next <= last);
    }
  }
}

}  // namespace
}  // namespace headroom::sim
