// The keys that programs rely on.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "model/figures.h"
#include "report/read_figures.h"
#include "report/run_json.h"

namespace headroom {
namespace {

Explanation one_launch(uint64_t instructions) {
  ExplainedLaunch launch;
  launch.record.name = "saxpy(int)";
  launch.record.shape.grid = {4096};
  launch.record.shape.block = {256, 2};
  launch.record.shape.cluster = Dim3{4};
  launch.record.shape.carveout = 50;
  launch.record.state = State::ran;
  launch.record.counters.warp_instructions = instructions;
  Occupancy occupancy;
  occupancy.limiters = {"registers"};
  occupancy.fraction = 0.5;
  Bounds bounds;
  bounds.floors = {{Resource::dram_cold, 1e-6, Basis::exact, "1 / 1"}};
  bounds.limiter = bounds.certain_limiter = 0;
  bounds.seconds = 0.125;
  bounds.caveats = {{"doubtful", "", ""}};
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
  launch.bounds = std::make_shared<Bounds>(bounds);
  return explain({"./saxpy", "1000"}, {.exit_code = 3}, {.name = "h200"}, {Record{}}, {launch});
}

// What a comparison reads of a file is what the library tells of the launch itself.
TEST(RunJson, figures_read_back_are_those_of_the_launch) {
  Explanation run = one_launch(10);
  run.launches[0].record.resources.registers = 40;
  run.launches[0].record.resources.static_shared = 1024;
  run.launches[0].record.prediction = Prediction{.seconds = 0.25};
  const std::string file = testing::TempDir() + "figures_read_back.json";
  std::ofstream(file) << run_json(run);
  EXPECT_EQ(read_figures(file).kernels.at(0).launches.at(0)->values, values_of(run.launches[0]));
}

TEST(RunJson, launches_carry_shape_counters_occupancy_and_floors) {
  const auto json = nlohmann::json::parse(run_json(one_launch(10)));
  EXPECT_EQ(json["schema"], "headroom-run/2");
  EXPECT_EQ(json["headroom"], version());
  EXPECT_EQ(json["program"]["command"][1], "1000");
  EXPECT_EQ(json["program"]["exit_code"], 3);
  EXPECT_TRUE(json["program"]["signal"].is_null());
  EXPECT_EQ(json["machine"]["name"], "h200");
  const auto& launch = json["launches"][0];
  EXPECT_EQ(launch["kernel"], "saxpy(int)");
  EXPECT_EQ(launch["grid"], nlohmann::json({4096, 1, 1}));
  EXPECT_EQ(launch["block"], nlohmann::json({256, 2, 1}));
  EXPECT_EQ(launch["cluster"], nlohmann::json({4, 1, 1}));
  EXPECT_EQ(launch["carveout"], 50);
  EXPECT_EQ(launch["cooperative"], false);
  EXPECT_EQ(launch["state"], "ran");
  EXPECT_TRUE(launch["registers"].is_null()) << "unknown is absent, never 0";
  EXPECT_EQ(launch["counters"]["warp_instructions"], 10);
  EXPECT_EQ(launch["occupancy"]["limiters"][0], "registers");
  EXPECT_EQ(launch["floors"][0]["resource"], "dram cold");
  EXPECT_EQ(launch["limiter"], "dram cold");
  EXPECT_EQ(launch["floor_basis"], "exact");
  EXPECT_EQ(launch["certain_limiter"], "dram cold");
  EXPECT_EQ(json["caveats"][0]["kernels"][0], "saxpy(int)");
  EXPECT_EQ(json["totals"]["counters"]["warp_instructions"], 10);
}

TEST(RunJson, a_launch_that_is_as_an_earlier_one_has_its_place_alone) {
  Explanation report = one_launch(10);
  const ExplainedLaunch first = report.launches[0];
  for (int i = 1; i < 4; ++i) {
    ExplainedLaunch& next = report.launches.emplace_back(first);
    next.record.index = i;
    next.record.seconds = 7e-5 * i;
  }
  report.launches[2].record.counters.branches = 1;
  const std::string text = run_json(report);
  const auto launches = nlohmann::json::parse(text)["launches"];
  EXPECT_EQ(
      launches[1],
      nlohmann::json({{"index", 1}, {"process", 0}, {"executor_seconds", 7e-5}, {"same_as", 0}}));
  EXPECT_FALSE(launches[2].contains("same_as")) << "a counter differs";
  EXPECT_EQ(launches[2]["counters"]["branches"], 1);
  EXPECT_EQ(launches[3]["same_as"], 0);
  const size_t line = text.find("\"index\":3");
  EXPECT_LT(text.find('\n', line) - text.rfind('\n', line), 120u) << "on one line";
}

TEST(RunJson, launches_written_one_by_one_are_laid_out_as_the_rest) {
  for (const Explanation& report : {one_launch(10), explain({"./x"}, {}, {}, {})}) {
    const std::string text = run_json(report);
    EXPECT_EQ(nlohmann::ordered_json::parse(text).dump(2) + "\n", text);
  }
}

TEST(RunJson, what_was_not_counted_is_null_not_zero) {
  const auto json = nlohmann::json::parse(run_json(one_launch(0)));
  EXPECT_TRUE(json["launches"][0]["counters"].is_null());
}

TEST(RunJson, bytes_that_are_no_text_do_not_break_it) {
  Explanation report = one_launch(1);
  report.command = {"\xff\xfe"};
  EXPECT_TRUE(nlohmann::json::accept(run_json(report)));
}

}  // namespace
}  // namespace headroom
