// The page of a run: its data is JSON that nothing in a name can end, it is small whatever was launched, and the parts of it
// that a model computes are right.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fewer.h"
#include "model/curves.h"
#include "model/roofline.h"
#include "report/page.h"

namespace headroom {
namespace {

using Json = nlohmann::json;

Explanation launched(size_t count, const std::string& name, bool equal) {
  Record record;
  for (size_t i = 0; i < count; ++i) {
    LaunchRecord& launch = record.launches.emplace_back();
    launch.index = int(i);
    launch.name = name;
    launch.state = State::ran;
    launch.engine = Engine::machine;
    launch.shape = {"_Z5saxpy", {equal ? 64 : unsigned(i) + 1}, {256}};
    launch.resources.registers = 40;
    launch.resources.static_shared = 4096;
    launch.counters.warp_instructions = 1000;
    launch.counters.fp32_operations = 1 << 20;
    launch.counters.global_load_requests = 100;
    launch.counters.global_load_sectors = 400;
    launch.counters.unique_sectors = launch.counters.unique_load_sectors = 4096;
    Prediction prediction;
    prediction.seconds = prediction.low_seconds = prediction.high_seconds = 5e-6;
    prediction.stall_cycles[size_t(Stall::barrier)] = 3;
    prediction.advice = {{"few_blocks", 1e-6, "64 blocks for 132 SMs", "launch more", "a.cu", 7}};
    launch.prediction = prediction;
  }
  return explain({"./saxpy", "</script>"}, {}, load_machine("h200"), {record});
}

Json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(RunPage, nothing_in_a_name_ends_its_data) {
  const std::string name = "void k<a</script><script>alert(1)//>(int)";
  const std::string page = run_page(launched(2, name, true));
  EXPECT_EQ(data_of(page)["names"][0], name);
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_EQ(page.find("http://www.w3.org/2000/svg"), page.rfind("http"))
      << "the only address is the name of a language: nothing is fetched";
}

TEST(RunPage, equal_launches_are_one_row_with_all_details) {
  const Json data = data_of(run_page(launched(10000, "saxpy(int)", true)));
  ASSERT_EQ(data["kernels"].size(), 1u);
  const auto column = [&](const char* name) {
    const auto found = std::ranges::find(data["columns"], name);
    return data["kernels"][0][size_t(found - data["columns"].begin())];
  };
  EXPECT_EQ(column("launches"), 10000);
  EXPECT_EQ(column("registers"), 40);
  EXPECT_NEAR(column("all predicted").get<double>(), 0.05, 1e-9);
  EXPECT_NEAR(column("intensity").get<double>(), double(1 << 20) / (32 * 4096), 1e-9);
  const Json& detail = data["details"][0];
  EXPECT_EQ(detail["waits"][0][0], "barriers");
  EXPECT_EQ(detail["advice"][0][4], 7);
  EXPECT_EQ(data["curves"][detail["curves"].get<size_t>()].size(), 3u);
  EXPECT_EQ(detail["memory"][0], Json({"global loads", 1000000, 4000000, 4.0, 1.0, 0.0}));
}

TEST(RunPage, ten_thousand_kernels_take_less_than_five_megabytes) {
  const size_t count = size_t(fewer(10000));
  const std::string page = run_page(launched(count, "saxpy(int)", false));
  EXPECT_LT(page.size(), 5u * 1000 * 1000);
  const Json data = data_of(page);
  EXPECT_EQ(data["kernels"].size(), count) << "none is left out";
  EXPECT_GT(data["details"].size(), 100u);
}

TEST(OccupancyCurves, are_what_occupancy_says_at_every_block) {
  const Machine machine = load_machine("h200");
  const LaunchShape launch{"k", {64}, {256}, std::nullopt, 1024};
  Resources resources;
  resources.registers = 40;
  resources.static_shared = 4096;
  const auto curves = occupancy_curves(machine, launch, resources);
  ASSERT_EQ(curves.size(), 3u);
  const auto warps_at = [](const OccupancyCurve& curve, double x) {
    const auto after = std::ranges::upper_bound(curve.steps, x, {}, &OccupancyStep::from);
    return std::prev(after)->warps;
  };
  for (const OccupancyCurve& curve : curves)
    EXPECT_EQ(warps_at(curve, *curve.here), occupancy_of(machine, launch, resources).warps)
        << curve.over;
  for (int registers = 1; registers <= 255; ++registers) {
    resources.registers = registers;
    EXPECT_EQ(warps_at(curves[1], registers), occupancy_of(machine, launch, resources).warps)
        << registers;
  }
  EXPECT_EQ(curves[2].last, 227 * 1024);
  EXPECT_EQ(curves[2].here, 5120);
}

TEST(Roofline, has_the_roofs_of_known_facts_alone) {
  const auto all = roofs(load_machine("h200"));
  ASSERT_EQ(all.size(), 5u);
  EXPECT_TRUE(all[0].of_memory);
  EXPECT_EQ(all[0].rate, 4815e9);
  EXPECT_EQ(all[1].title, "FP32");
  EXPECT_NEAR(all[1].rate, 132 * 128 * 2 * 1980e6, 1);
  EXPECT_TRUE(roofs(Machine{}).empty());
}

TEST(Roofline, places_no_kernel_without_arithmetic_or_time) {
  Explanation report = launched(1, "k()", true);
  ExplainedLaunch launch = report.launches[0];
  ASSERT_TRUE(roofline_point(launch));
  EXPECT_TRUE(roofline_point(launch)->predicted);
  EXPECT_NEAR(roofline_point(launch)->rate, double(1 << 20) / 5e-6, 1);
  launch.record.prediction.reset();
  EXPECT_FALSE(roofline_point(launch)->predicted) << "by its floor then";
  launch.record.counters.fp32_operations = 0;
  EXPECT_FALSE(roofline_point(launch));
}

}  // namespace
}  // namespace headroom
