// What the player knows of sectors: which it has seen, and which lie in L1, beside the plainest that tells the same.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "model/pipeline/cache.h"
#include "model/pipeline/sector_table.h"

namespace headroom {
namespace {

// Side by side, far apart, and of blocks that are played again, which have high bits.
uint64_t sector(std::mt19937_64& random) {
  const uint64_t near = random() % 500, far = (random() % 7) << 27, again = (random() % 3) << 56;
  return near + far + again;
}

TEST(SectorSet, knows_what_was_added_and_nothing_else) {
  std::mt19937_64 random(std::random_device{}());
  SectorSet set;
  std::unordered_set<uint64_t> known;
  EXPECT_FALSE(set.contains(0));
  for (int i = 0; i < 20000; ++i) {
    const uint64_t one = sector(random), other = sector(random);
    ASSERT_EQ(set.add(one), known.insert(one).second) << one;
    ASSERT_EQ(set.contains(other), known.contains(other)) << other;
  }
}

TEST(SectorTable, has_a_value_of_each) {
  std::mt19937_64 random(std::random_device{}());
  SectorTable<int> table;
  std::unordered_map<uint64_t, int> known;
  EXPECT_EQ(table.get(17), 0);
  for (int i = 1; i < 20000; ++i) {
    const uint64_t one = sector(random), other = sector(random);
    ASSERT_EQ(table[one], known[one]) << one;
    table[one] = known[one] = i;
    const auto found = known.find(other);
    ASSERT_EQ(table.get(other), found == known.end() ? 0 : found->second) << other;
  }
}

// One set of 16 lines: the last 16 that were named, and what was said of their sectors since they came.
TEST(Cache, the_line_used_longest_ago_goes) {
  std::mt19937_64 random(std::random_device{}());
  Cache cache(16);
  struct Known {
    uint64_t line;
    std::array<double, 4> ready;  // 0: not here
  };
  std::deque<Known> lines;  // the last one first
  for (int i = 1; i < 20000; ++i) {
    if (random() % 200 == 0) {
      cache.clear();
      lines.clear();
    }
    const uint64_t one = random() % (4 * 24), line = one / 4;
    const auto found = std::ranges::find(lines, line, &Known::line);
    const Known known = found == lines.end() ? Known{line, {}} : *found;
    if (found != lines.end()) lines.erase(found);
    lines.push_front(known);
    if (lines.size() > 16) lines.pop_back();
    double& expected = lines.front().ready[one % 4];
    Cache::Sector& sector = cache.at(one);
    ASSERT_EQ(sector.here, expected > 0);
    ASSERT_EQ(sector.here ? sector.ready : 0, expected);
    sector = {true, expected = double(i)};
  }
}

}  // namespace
}  // namespace headroom
