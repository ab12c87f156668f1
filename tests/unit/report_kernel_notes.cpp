// What stands under the kernels' table of those of which there is something to note.
#include <gtest/gtest.h>

#include "report/kernel_notes.h"

namespace headroom {
namespace {

ExplainedLaunch kernel(const std::string& name) {
  ExplainedLaunch launch;
  launch.record.name = launch.record.shape.kernel = name;
  launch.record.shape.grid = {132 * 8, 1, 1};
  launch.record.state = State::ran;
  launch.record.prediction = Prediction{.seconds = 1};
  Occupancy occupancy;
  occupancy.blocks = 8;
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
  launch.bounds = std::make_shared<Bounds>();
  return launch;
}

std::vector<std::string> notes_of(const ExplainedLaunch& launch) {
  return kernel_notes(explain({"./x"}, {}, load_machine("h200"), {Record{}}, {launch})).items;
}

TEST(KernelNotes, of_a_sound_kernel_there_are_none) { EXPECT_TRUE(notes_of(kernel("k")).empty()); }

TEST(KernelNotes, what_matters_is_noted) {
  ExplainedLaunch launch = kernel("k");
  launch.record.resources.spill_stores = 40;
  launch.record.resources.spill_loads = 44;
  EXPECT_EQ(notes_of(launch), std::vector<std::string>{"k: 84 B of spills a thread"});
  launch = kernel("k");
  launch.record.shape.grid = {16, 1, 1};
  EXPECT_EQ(notes_of(launch), std::vector<std::string>{"k: 16 of 132 SMs have a block"});
  launch.record.shape.grid = {132 * 10, 1, 1};
  EXPECT_EQ(notes_of(launch), std::vector<std::string>{"k: 2 waves of blocks, the last 25 % full"});
  launch.record.shape.grid = {132 * 80 + 1, 1, 1};  // the last of eleven
  EXPECT_TRUE(notes_of(launch).empty());
}

ExplainedLaunch at_low_occupancy(const std::string& advice,
                                 const std::vector<std::string>& limiters = {"registers"}) {
  ExplainedLaunch launch = kernel("k");
  launch.record.shape.grid = {132 * 8, 1, 1};
  Occupancy occupancy;
  occupancy.blocks = 4;
  occupancy.fraction = 0.25;
  occupancy.limiters = limiters;
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
  if (!advice.empty()) launch.record.prediction->advice = {{advice, 0.5, "", "", "", 0}};
  return launch;
}

using Notes = std::vector<std::string>;

TEST(KernelNotes, low_occupancy_is_noted_where_more_warps_would_hide_latency) {
  const Notes said{"k: theoretical occupancy 25 % (registers) hides too little latency"};
  EXPECT_EQ(notes_of(at_low_occupancy("occupancy")), said);
  const Notes enough{
      "k: 25 % occupancy is enough here: more blocks an SM save next to nothing, by the model"};
  EXPECT_EQ(notes_of(at_low_occupancy("")), enough);
  EXPECT_EQ(notes_of(at_low_occupancy("latency")), enough) << "tried, and nothing was gained";
  ExplainedLaunch half = at_low_occupancy("occupancy");
  half.record.prediction.reset();
  EXPECT_TRUE(notes_of(half).empty()) << "nothing is known of its latency";
}

TEST(KernelNotes, of_two_limits_latency_that_is_not_hidden_tells) {
  const std::vector<std::string> both{"registers", "shared memory"};
  EXPECT_EQ(
      notes_of(at_low_occupancy("latency", both)),
      Notes{"k: theoretical occupancy 25 % (registers, shared memory) hides too little latency"});
  EXPECT_TRUE(notes_of(at_low_occupancy("bank_conflicts", both)).empty());
  ExplainedLaunch few = at_low_occupancy("latency", both);
  few.record.shape.grid = {132 * 4, 1, 1};
  EXPECT_TRUE(notes_of(few).empty()) << "the grid has no more blocks";
}

}  // namespace
}  // namespace headroom
