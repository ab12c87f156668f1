// Where those blocks lie that are played again, of traces made by hand.
#include <gtest/gtest.h>

#include <set>

#include "model/pipeline/again.h"

using namespace headroom;

namespace {

using Sectors = std::vector<uint64_t>;

// A block of one warp that reads `global`, then `constants`.
TracedBlock block(const Sectors& global, const Sectors& constants = {}) {
  TracedBlock made;
  auto& accesses = made.warps.emplace_back().accesses;
  accesses.push_back(
      {.kind = AccessKind::global_load, .first_sector = 0, .sectors = uint32_t(global.size())});
  accesses.push_back({.kind = AccessKind::constant_load,
                      .first_sector = uint32_t(global.size()),
                      .sectors = uint32_t(constants.size())});
  made.sectors = global;
  made.sectors.insert(made.sectors.end(), constants.begin(), constants.end());
  return made;
}

}  // namespace

TEST(PlayedAgain, what_one_block_touches_lies_elsewhere_each_time) {
  Trace trace;
  trace.blocks = {block({100, 200, 201, 200}), block({100, 300})};
  const PlayedAgain again(trace);
  const Sectors second = again.sectors(0, 1), third = again.sectors(0, 2);
  ASSERT_EQ(second.size(), 4u);
  EXPECT_EQ(second[0], 100u);  // the other block touches it, too
  EXPECT_EQ(third[0], 100u);
  const std::set<uint64_t> apart{100, 200, 300, second[1], third[1], again.sectors(1, 1)[1]};
  EXPECT_EQ(apart.size(), 6u);
  EXPECT_EQ(second[2], second[1] + 1);  // side by side as before
  EXPECT_EQ(second[3], second[1]);      // and again where it was again
  EXPECT_EQ(again.sectors(1, 1)[0], 100u);
}

TEST(PlayedAgain, no_turn_is_where_another_one_was) {
  Trace trace;
  trace.blocks = {block({200}), block({300})};
  const PlayedAgain again(trace);
  std::set<uint64_t> places{200};
  for (uint64_t turn = 1; turn <= 128; ++turn) places.insert(again.sectors(0, turn)[0]);
  EXPECT_EQ(places.size(), 129u);
}

// A block alone: what two of its warps touch all blocks do.
TEST(PlayedAgain, warps_of_the_only_block_stand_for_others) {
  Trace trace;
  trace.blocks = {block({200, 300}, {7})};
  TracedWarp other;
  other.accesses.push_back({.kind = AccessKind::global_load, .first_sector = 3, .sectors = 2});
  trace.blocks[0].warps.push_back(other);
  trace.blocks[0].sectors.insert(trace.blocks[0].sectors.end(), {300, 400});
  const Sectors again = PlayedAgain(trace).sectors(0, 1);
  EXPECT_NE(again[0], 200u);
  EXPECT_EQ(again[1], 300u);
  EXPECT_EQ(again[2], 7u);
  EXPECT_EQ(again[3], 300u);
  EXPECT_NE(again[4], 400u);
}

TEST(PlayedAgain, constants_are_where_they_were) {
  Trace trace;
  trace.blocks = {block({200}, {7, 8}), block({300}, {9})};
  const PlayedAgain again(trace);
  const Sectors first = again.sectors(0, 1);
  EXPECT_EQ(Sectors(first.begin() + 1, first.end()), (Sectors{7, 8}));
  EXPECT_EQ(again.sectors(1, 3)[1], 9u);
  EXPECT_NE(first[0], 200u);
}

// Addresses of constants begin at 0, too: another block's global sector of the same number is none of them.
TEST(PlayedAgain, a_constant_does_not_make_memory_common) {
  Trace trace;
  trace.blocks = {block({200}, {7}), block({7}, {200})};
  const PlayedAgain again(trace);
  EXPECT_NE(again.sectors(0, 1)[0], 200u);
  EXPECT_NE(again.sectors(1, 1)[0], 7u);
  EXPECT_EQ(again.sectors(1, 1)[1], 200u);
}
