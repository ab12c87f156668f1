// What threads know of others: the later of both times, by block, and what is shared stays shared.
//
//   {lane 3 of block 1: 4} and {lane 3 of block 1: 6, block 2: 5}    the second itself
#include <gtest/gtest.h>

#include "sim/check/known.h"

namespace headroom::sim::check {
namespace {

KnownPtr of(std::vector<Entry> entries) { return join(nullptr, std::move(entries)); }

TEST(Known, the_later_of_both_times_of_each) {
  const KnownPtr both = join(of({{Whom::lane(1, 0, 3), 4}, {Whom::warp(1, 2), 9}}),
                             of({{Whom::lane(1, 0, 3), 6}, {Whom::block(2), 5}}));
  EXPECT_TRUE(knows(both, 1, 0, 3, 6));
  EXPECT_FALSE(knows(both, 1, 0, 3, 7));
  EXPECT_FALSE(knows(both, 1, 0, 4, 1));
  EXPECT_TRUE(knows(both, 1, 2, 31, 9));
  EXPECT_TRUE(knows(both, 2, 7, 7, 5));
  EXPECT_FALSE(knows(both, 3, 0, 0, 0));
  EXPECT_FALSE(knows(nullptr, 1, 0, 0, 0));
}

TEST(Known, the_one_that_has_it_all_is_the_answer) {
  const KnownPtr small = of({{Whom::lane(1, 0, 3), 4}}),
                 large = of({{Whom::lane(1, 0, 3), 6}, {Whom::block(2), 5}});
  EXPECT_EQ(join(small, large), large);
  EXPECT_EQ(join(large, small), large);
  EXPECT_EQ(join(large, nullptr), large);
  EXPECT_EQ(join(nullptr, large), large);
}

// Where every thread of a grid takes its turn at one atomic, this is the price of a turn.
TEST(Known, what_another_block_did_is_not_copied) {
  const KnownPtr before = of({{Whom::lane(1, 0, 0), 1}, {Whom::lane(2, 0, 0), 1}});
  const KnownPtr after = join(before, {{Whom::lane(2, 0, 1), 2}});
  ASSERT_EQ(after->size(), 2u);
  EXPECT_EQ((*after)[0].entries, (*before)[0].entries);
  EXPECT_EQ((*after)[1].entries->size(), 2u);
}

}  // namespace
}  // namespace headroom::sim::check
