// A report answers what its reader is about to believe, and only where the launch's numbers do.
#include <gtest/gtest.h>

#include "report/fallacies.h"
#include "report/kernel_notes.h"

namespace headroom {
namespace {

using Answers = std::vector<std::string>;

// A filled H200 at a quarter of its warps, at 80 % of what DRAM allows.
ExplainedLaunch copy() {
  ExplainedLaunch launch;
  launch.record.name = launch.record.shape.kernel = "k";
  launch.record.shape.grid = {132 * 16, 1, 1};
  launch.record.state = State::ran;
  launch.record.prediction = Prediction{.seconds = 10e-6, .warps = 16};
  launch.record.prediction->stall_cycles[size_t(Stall::long_scoreboard)] = 20;
  Occupancy occupancy;
  occupancy.blocks = 4;
  occupancy.warps = 16;
  occupancy.max_warps = 64;
  occupancy.fraction = 0.25;
  occupancy.limiters = {"registers"};
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
  Bounds bounds;
  bounds.floors = {{Resource::dram, 8e-6, Basis::exact, ""}};
  bounds.limiter = 0;
  bounds.seconds = 8e-6;
  launch.bounds = std::make_shared<Bounds>(bounds);
  return launch;
}

void set_floor(ExplainedLaunch& launch, Resource resource, double seconds) {
  Bounds bounds = *launch.bounds;
  bounds.floors = {{resource, seconds, Basis::exact, ""}};
  bounds.seconds = seconds;
  launch.bounds = std::make_shared<Bounds>(bounds);
}

void set_occupancy(ExplainedLaunch& launch, double fraction, int warps) {
  Occupancy occupancy = *launch.occupancy;
  occupancy.fraction = fraction;
  occupancy.warps = warps;
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
}

Explanation report_of(const ExplainedLaunch& launch) {
  return explain({"./x"}, {}, load_machine("h200"), {Record{}}, {launch});
}

Answers said(const ExplainedLaunch& launch, Section section = Section::occupancy) {
  return fallacies_answered(report_of(launch), launch, section);
}

TEST(Fallacies, low_occupancy_at_a_limit_is_enough) {
  ExplainedLaunch launch = copy();
  EXPECT_EQ(said(launch), Answers{"25 % occupancy is enough here: at 80 % of what DRAM can do"});
  EXPECT_EQ(kernel_notes(report_of(launch)).items,
            Answers{"k: 25 % occupancy is enough here: at 80 % of what DRAM can do"});
  launch.record.prediction->advice = {{"occupancy", 1e-6, "", "", "", 0}};
  EXPECT_TRUE(said(launch).empty()) << "more warps gain";
  launch.record.prediction->advice.clear();
  launch.record.prediction->warps = 2;
  EXPECT_TRUE(said(launch).empty()) << "the grid does not fill it";
}

TEST(Fallacies, low_occupancy_that_the_model_tried_to_raise_in_vain) {
  ExplainedLaunch launch = copy();
  set_floor(launch, Resource::dram, 2e-6);
  EXPECT_EQ(
      said(launch),
      Answers{
          "25 % occupancy is enough here: more blocks an SM save next to nothing, by the model"});
  launch.record.shape.grid = {132 * 4, 1, 1};
  EXPECT_TRUE(said(launch).empty()) << "there are no more blocks to try";
}

TEST(Fallacies, high_occupancy_is_no_use) {
  ExplainedLaunch launch = copy();
  set_occupancy(launch, 1, 64);
  launch.record.prediction->warps = 64;
  EXPECT_TRUE(said(launch).empty()) << "it is used";
  set_floor(launch, Resource::dram, 2e-6);
  EXPECT_EQ(
      said(launch),
      Answers{"100 % occupancy is room, not use: the largest floor, DRAM, is 20 % of the time"});
  launch.record.prediction->warps = 8;
  EXPECT_EQ(said(launch),
            Answers{"100 % occupancy is room, not use: the grid gives an SM 8 of these "
                    "64 warps"});
}

TEST(Fallacies, shared_memory_is_slower_than_registers) {
  ExplainedLaunch launch = copy();
  set_floor(launch, Resource::shared, 8e-6);
  EXPECT_TRUE(said(launch, Section::shared).empty()) << "it loads nothing from it";
  launch.record.counters.shared_load_instructions = 8;
  EXPECT_EQ(said(launch, Section::shared),
            Answers{"shared memory is no second register file: it brings an SM 128 B a cycle, "
                    "registers 1536 B to its FMAs; keep in registers what a thread uses again"});
  set_floor(launch, Resource::shared, 1e-6);
  EXPECT_TRUE(said(launch, Section::shared).empty());
}

TEST(Fallacies, of_what_has_no_prediction_nothing_is_known) {
  ExplainedLaunch launch = copy();
  launch.record.prediction.reset();
  EXPECT_TRUE(said(launch).empty());
  EXPECT_TRUE(said(launch, Section::shared).empty());
}

TEST(Fallacies, no_number_of_threads_is_needed_as_such) {
  EXPECT_NE(no_least_number(load_machine("h200"))
                .find("16.0 warps of an SM where a thread has one "
                      "operation in flight, with 4.0 where it has 4"),
            std::string::npos);
  Machine unknown = load_machine("h200");
  unknown.alu_latency.value.reset();
  EXPECT_EQ(no_least_number(unknown), "");
}

}  // namespace
}  // namespace headroom
