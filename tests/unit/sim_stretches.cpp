// Which stretches of long warps are traced: how they begin, and parts further and further on; and whether those are needed.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sim/observers/later.h"
#include "sim/observers/stretches.h"

namespace headroom::sim {
namespace {

using Goes = Stretches::Goes;
using Parts = std::vector<std::pair<uint64_t, uint64_t>>;  // [first, behind the last)

// Of a warp that enters basic blocks of ten instructions.
Parts parts_of(Stretches& stretches, size_t warp, uint64_t all) {
  constexpr uint64_t step = 10;
  Parts parts;
  bool open = false;
  for (uint64_t before = 0; before < all; before += step) {
    const Goes goes = stretches.enter(warp, before);
    EXPECT_EQ(stretches.is_open(warp), goes != Goes::out);
    if (goes != Goes::out && !open) parts.push_back({before, 0});
    open = goes != Goes::out;
    if (open) parts.back().second = before + step;
  }
  return parts;
}

TEST(Stretches, parts_lie_an_eighth_further_on_each) {
  Stretches stretches(1, 16'000);
  EXPECT_EQ(parts_of(stretches, 0, 24'000),
            (Parts{{0, 16'000}, {18'000, 18'500}, {20'250, 20'750}, {22'790, 23'290}}));
}

TEST(Stretches, where_little_is_kept_fewer_are_longer) {
  Stretches stretches(1, 1600);
  EXPECT_EQ(parts_of(stretches, 0, 5000), (Parts{{0, 1600}, {2400, 2600}, {3600, 3800}}));
}

TEST(Stretches, a_short_warp_is_traced_as_a_whole) {
  Stretches stretches(2, 1600);
  EXPECT_EQ(parts_of(stretches, 1, 1600), (Parts{{0, 1600}}));
}

TEST(Stretches, none_begins_once_they_end) {
  Stretches stretches(1, 1600);
  stretches.end_parts();
  EXPECT_EQ(parts_of(stretches, 0, 9000), (Parts{{0, 1600}}));
}

// A warp of 100 entries of ten instructions at first, and of parts of ten entries, each with so many lanes.
TracedBlock block_of(std::vector<uint8_t> lanes) {
  TracedWarp warp;
  const auto add = [&](int entries, uint8_t each) {
    for (int i = 0; i < entries; ++i) {
      warp.accesses.push_back({.entry = uint32_t(warp.entered.size()),
                               .kind = AccessKind::global_load,
                               .sectors = each});
      warp.entered.push_back({0, each});
      warp.traced += 10;
    }
  };
  add(100, 32);
  for (size_t i = 0; i < lanes.size(); ++i) {
    warp.parts.push_back({uint32_t(warp.entered.size()), 2000 * (i + 1), 100});
    add(10, lanes[i]);
  }
  warp.executed = 2000 * (lanes.size() + 1);
  return {0, {warp}, {}, {}};
}

TEST(Later, is_another_where_most_of_it_has_other_lanes) {
  EXPECT_TRUE(is_another_later({block_of({20, 16, 12})}));
  EXPECT_TRUE(is_another_later({block_of({31, 16, 12})}));
  EXPECT_FALSE(is_another_later({block_of({31, 30, 32})}));
  EXPECT_FALSE(is_another_later({block_of({31, 30, 4})}));  // as at its end
  EXPECT_FALSE(is_another_later({block_of({})}));
}

TEST(Later, parts_are_dropped_with_what_they_have) {
  TracedBlock block = block_of({20, 16, 12});
  TracedWarp& warp = block.warps[0];
  warp.drop_parts();
  EXPECT_TRUE(warp.parts.empty());
  EXPECT_EQ(warp.entered.size(), 100u);
  EXPECT_EQ(warp.accesses.size(), 100u);
  EXPECT_EQ(warp.traced, 1000u);
  EXPECT_EQ(warp.executed, 8000u);
}

}  // namespace
}  // namespace headroom::sim
