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

}  // namespace
}  // namespace headroom
