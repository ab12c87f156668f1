// The two renderings that need no run: `headroom occupancy` and `headroom machine`, against
// tests/golden/report. HEADROOM_REBASE=1 writes the golden files anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/machine_text.h"
#include "report/occupancy_text.h"

namespace headroom {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  std::string path = std::string(HEADROOM_SOURCE) + "/tests/golden/report/" + name + ".txt";
  if (std::getenv("HEADROOM_REBASE")) std::ofstream(path) << text;
  std::ifstream in(path);
  std::ostringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

std::string on(const std::string& name, const BlockShape& shape) {
  Machine machine = load_machine(name);
  return occupancy_text(machine, shape, occupancy(machine, shape));
}

TEST(OccupancyText, OfAKernelWithSeveralLimiters) {
  expect_golden("occupancy_a6000", on("a6000", {1024, 37, 8192, 0, {}}));
}

TEST(OccupancyText, OfAKernelLimitedBySharedMemory) {
  expect_golden("occupancy_k40", on("k40", {128, 80, 11264, 0, {}}));
}

TEST(OccupancyText, OfABlockThatIsTooLarge) {
  expect_golden("occupancy_impossible", on("h200", {1100, 32, 0, 300000, {}}));
}

TEST(OccupancyText, OfAKernelWhoseRegistersAreUnknown) {
  expect_golden("occupancy_unknown", on("g80", {64, std::nullopt, 0, 1024, {}}));
}

TEST(MachineText, ListsEveryMachine) { expect_golden("machine_list", machine_list_text()); }

TEST(MachineText, ShowsEveryFactWithItsSource) {
  expect_golden("machine_h200", machine_text(load_machine("h200")));
  expect_golden("machine_g80", machine_text(load_machine("g80")));
}

}  // namespace
}  // namespace headroom
