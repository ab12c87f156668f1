// Votes, matches and reductions of lanes that name different members: the tiles of a warp, side by side.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// Tiles of 8 lanes: %m names the tile of thread %i. The value is left in %v.
std::vector<uint32_t> by_tile(const char* code) {
  Bench bench(std::string(thread_index) + R"(
    .reg .b32 %v, %m, %s; .reg .pred %q, %r; and.b32 %s, %i, 24; shl.b32 %m, 255, %s;)" +
              code + " st.global.u32 [%p], %v; ret;");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  return {out, out + 32};
}

TEST(Teams, tiles_of_a_warp_ballot_side_by_side) {
  const auto out =
      by_tile("and.b32 %s, %i, 1; setp.eq.u32 %q, %s, 0; vote.sync.ballot.b32 %v, %q, %m;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 0x55u << i / 8 * 8) << i;
}

TEST(Teams, a_vote_is_its_own_tiles) {
  const auto any =
      by_tile("setp.eq.u32 %q, %i, 20; vote.sync.any.pred %r, %q, %m; selp.u32 %v, 1, 0, %r;");
  const auto all =
      by_tile("setp.lt.u32 %q, %i, 20; vote.sync.all.pred %r, %q, %m; selp.u32 %v, 1, 0, %r;");
  const auto uni =
      by_tile("setp.lt.u32 %q, %i, 20; vote.sync.uni.pred %r, %q, %m; selp.u32 %v, 1, 0, %r;");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(any[i], i / 8 == 2) << i;
    EXPECT_EQ(all[i], i / 8 < 2) << i;
    EXPECT_EQ(uni[i], i / 8 != 2) << i;
  }
}

TEST(Teams, a_match_stays_inside_its_tile) {
  const auto any = by_tile("and.b32 %s, %i, 3; match.any.sync.b32 %v, %s, %m;");
  const auto all = by_tile("max.u32 %s, %i, 15; match.all.sync.b32 %v|%q, %s, %m;");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(any[i], 0x11u << i / 8 * 8 << i % 4) << i;
    EXPECT_EQ(all[i], i < 16 ? 0xffu << i / 8 * 8 : 0u) << i;
  }
}

TEST(Teams, a_reduction_adds_up_its_own_tile) {
  const auto out = by_tile("redux.sync.add.u32 %v, %i, %m;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 28 + 64 * (i / 8)) << i;
}

TEST(Teams, each_tile_elects_a_leader) {
  const auto out = by_tile("elect.sync %s|%q, %m; selp.u32 %v, 100, %s, %q;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 8 == 0 ? 100 : i / 8 * 8) << i;
}

// What a mask that leaves out its own lane gives is undefined by the manual; here it counts the lanes that are named.
TEST(Teams, a_ballot_counts_the_lanes_that_each_lane_names) {
  const auto out = by_tile(
      "shl.b32 %m, 1, %i; sub.u32 %m, %m, 1; setp.ge.u32 %q, %i, 4; vote.sync.ballot.b32 %v, %q, "
      "%m;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], ((1u << i) - 1) & ~0xfu) << i;
}

// Both are undefined by the manual; an H200 gives 0, and programs lean on it.
TEST(Teams, a_shuffle_from_a_lane_that_ended_or_stands_elsewhere_gives_0) {
  for (const char* parts : {"@%q ret; shfl.sync.down.b32 %v, %s, 8, 31, -1;",
                            "@%q bra OTHER; shfl.sync.down.b32 %v, %s, 8, 31, -1; bra END; OTHER: "
                            "bar.warp.sync 0xffff0000; END:"}) {
    const auto out =
        by_tile((std::string("add.u32 %s, %i, 100; mov.u32 %v, 7; setp.ge.u32 %q, %i, 16;") + parts)
                    .c_str());
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(out[i], i < 8 ? i + 108 : 0) << i << parts;
  }
}

}  // namespace
}  // namespace headroom::sim
