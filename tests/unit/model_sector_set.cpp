// What the player knows of sectors: which it has seen, and which lie in L1, beside the plainest that tells the same.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "model/pipeline/cache.h"
#include "model/pipeline/sector_set.h"

namespace headroom {
namespace {

class Random : public std::mt19937_64 {
 public:
  explicit Random(uint64_t seed) : std::mt19937_64(seed), trace_(__FILE__, __LINE__, seed) {}

 private:
  testing::ScopedTrace trace_;  // a failure tells the seed
};
uint64_t new_seed() { return std::random_device{}(); }

// Side by side, far apart, and of blocks that are played again, which have high bits.
uint64_t sector(Random& random) {
  const uint64_t near = random() % 500, far = (random() % 7) << 27, again = (random() % 3) << 56;
  return near + far + again;
}

TEST(SectorSet, knows_what_was_added_and_nothing_else) {
  Random random(new_seed());
  SectorSet set;
  std::unordered_set<uint64_t> known;
  EXPECT_FALSE(set.contains(0));
  for (int i = 0; i < 20000; ++i) {
    const uint64_t one = sector(random), other = sector(random);
    ASSERT_EQ(set.add(one), known.insert(one).second) << one;
    ASSERT_EQ(set.contains(other), known.contains(other)) << other;
  }
}

// One set of 16 lines: the last 16 that were named, and what was said of their sectors since they came.
TEST(Cache, the_line_used_longest_ago_goes) {
  Random random(new_seed());
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

// Whatever set a line is in: what is here is what was said of it last, and the last 16 lines are.
TEST(Cache, sets_keep_apart_what_they_have) {
  Random random(new_seed());
  Cache cache(16 * 8);
  std::unordered_map<uint64_t, int> said;
  std::deque<uint64_t> lines;  // the last one first
  size_t gone = 0;
  for (int i = 1; i < 20000; ++i) {
    const uint64_t one = random() % (4 * 300), line = one / 4;
    const bool is_recent = std::ranges::find(lines, line) != lines.end();
    std::erase(lines, line);
    lines.push_front(line);
    if (lines.size() > 16) lines.pop_back();
    Cache::Sector& sector = cache.at(one);
    const auto before = said.find(one);
    if (sector.here) {
      ASSERT_NE(before, said.end());
      ASSERT_EQ(sector.ready, before->second);
    } else if (before != said.end()) {
      ASSERT_FALSE(is_recent && before->second > i - 16);
      ++gone;
    }
    sector = {true, double(i)};
    said[one] = i;
  }
  EXPECT_GT(gone, 0u);
}

}  // namespace
}  // namespace headroom
