// Warps that are traced in parts, and blocks that stand for those of a grid: what they say of the rest.
#include <gtest/gtest.h>

#include "model/pipeline/parts.h"
#include "model/pipeline/representative.h"
#include "model/pipeline/sm.h"
#include "model/pipeline/unequal.h"

namespace headroom {
namespace {

// 100 entries of ten instructions, then at 2000 and 4000 parts of ten, of 6000 instructions.
TracedWarp in_parts() {
  TracedWarp warp;
  warp.entered.resize(120);
  warp.traced = 1200;
  warp.executed = 6000;
  warp.parts = {{100, 2000, 100}, {110, 4000, 100}};
  return warp;
}
// Passed with so many cycles for an entry of each.
void go(PlayedParts& played, double begin, const std::vector<double>& paces) {
  double now = begin;
  for (uint32_t entry = 0; entry < 120; ++entry) {
    played.pass(entry, now);
    now += paces[entry < 100 ? 0 : entry < 110 ? 1 : 2];
  }
  played.pass(120, now);
}

TEST(PlayedParts, what_lies_between_goes_as_the_nearer_part) {
  const TracedWarp warp = in_parts();
  PlayedParts played(warp, 50);
  go(played, 50, {20, 40, 10});
  EXPECT_DOUBLE_EQ(played.cycles(), 100 * 20 + 10 * 40 + 10 * 10);
  // Of 1000 instructions behind the first part half go as it, half as the next; of 1900 behind that as well; 1900 as the last.
  EXPECT_DOUBLE_EQ(played.whole(),
                   played.cycles() + (500 * 20 + (500 + 950) * 40 + (950 + 1900) * 10) / 10);
}

TEST(PlayedParts, a_warp_of_one_part_goes_on_as_its_later_half) {
  TracedWarp warp;
  warp.entered.resize(100);
  warp.traced = 1000;
  warp.executed = 3000;
  PlayedParts played(warp, 0);
  double now = 0;
  for (uint32_t entry = 0; entry <= 100; ++entry) {
    played.pass(entry, now);
    now += entry < 50 ? 80 : 20;
  }
  EXPECT_DOUBLE_EQ(played.whole(), 50 * 80 + 50 * 20 + 2000 * 2);
}

TEST(PlayedParts, the_last_of_those_that_begin_together_ends_a_part) {
  const TracedWarp warp = in_parts();
  SmRun run;
  run.ends = {0};
  run.parts = {PlayedParts(warp, 0), PlayedParts(warp, 0)};
  go(run.parts[0], 0, {20, 20, 20});
  go(run.parts[1], 0, {20, 20, 20});
  run.cycles = 120 * 20;
  EXPECT_DOUBLE_EQ(whole_of_parts(run, 1), 5.0);  // 6000 instructions of 1200
  // One takes twice as long in the last part, and what goes as that of both goes at its pace.
  run.parts[1] = PlayedParts(warp, 0);
  go(run.parts[1], 0, {20, 20, 40});
  run.cycles = 110 * 20 + 10 * 40;
  EXPECT_DOUBLE_EQ(whole_of_parts(run, 1) * run.cycles,
                   3000 + 3100 + 400 + 2 * (950 + 1900) * 280.0 / 140);
}

TracedBlock block(uint64_t linear, uint64_t executed) {
  TracedWarp warp;
  warp.traced = warp.executed = executed;
  return {linear, {warp}, {}, {}};
}
std::vector<uint64_t> executed(const Trace& trace) {
  std::vector<uint64_t> result;
  for (const TracedBlock& each : trace.blocks) result.push_back(executed_of(each));
  return result;
}

TEST(Representative, blocks_of_all_sizes_stand_for_the_grid) {
  Trace trace;
  trace.blocks = {block(0, 100), block(132, 100), block(264, 110)};
  trace.others = {block(300, 500), block(400, 900), block(500, 5000)};
  trace.work = {{0, 300, 100, 100}, {300, 300, 480, 480}, {600, 300, 1000, 1000}};
  const auto chosen = representative(trace);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(executed(*chosen), (std::vector<uint64_t>{100, 500, 900}));
  EXPECT_EQ(chosen->others.size(), 3u);
  EXPECT_EQ(chosen->work.size(), 3u);
}

TEST(Representative, a_sample_that_is_as_the_launch_stays) {
  Trace trace;
  trace.blocks = {block(0, 480), block(132, 520)};
  trace.others = {block(300, 100), block(400, 900)};
  trace.work = {{0, 450, 100, 100}, {450, 450, 900, 900}};
  EXPECT_FALSE(representative(trace));
  trace.blocks = {block(0, 100), block(132, 100)};
  trace.others = {block(300, 100)};  // nothing is nearer
  EXPECT_FALSE(representative(trace));
  trace.others = {block(300, 900)};
  EXPECT_TRUE(representative(trace));
  trace.spins = true;
  EXPECT_FALSE(representative(trace));
}

}  // namespace
}  // namespace headroom
