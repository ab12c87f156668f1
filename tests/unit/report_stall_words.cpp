// A stall has one name for people, in every report of a launch; programs get Nsight Compute's.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/markdown.h"
#include "report/page_data.h"
#include "report/page_kernel.h"
#include "report/prediction_document.h"
#include "report/run_document.h"
#include "report/run_json.h"
#include "report/text.h"

namespace headroom {
namespace {

// It waits for special functions alone.
ExplainedLaunch roots() {
  ExplainedLaunch launch;
  launch.record.name = launch.record.shape.kernel = "roots";
  launch.record.state = State::ran;
  launch.record.prediction = Prediction{.seconds = 1e-5};
  launch.record.prediction->stall_cycles[size_t(Stall::short_scoreboard)] = 30;
  launch.record.prediction->lines = {{"roots.cu", 7, 0.9, Stall::short_scoreboard}};
  launch.occupancy = std::make_shared<Occupancy>();
  launch.bounds = std::make_shared<Bounds>();
  return launch;
}

TEST(StallWords, are_the_same_in_all_reports_of_a_kernel) {
  ExplainedLaunch launch = roots();
  for (const char* name : {"MIO latency", "shared latency"}) {
    const Explanation report = explain({"./x"}, {}, {.name = "h200"}, {Record{}}, {launch});
    const std::string text = draw_text(prediction_document(report, report.kernels.at(0)), {});
    EXPECT_NE(text.find("roots.cu:7 90 % (" + std::string(name) + ")"), text.npos) << text;
    EXPECT_NE(text.find(std::string(name) + " (short_scoreboard): waits for "), text.npos) << text;
    const auto page = page_kernel(report, report.kernels.at(0));
    EXPECT_EQ(page["waits"][0][0], name);
    EXPECT_EQ(page["waits"][0][4], "short_scoreboard");
    EXPECT_EQ(page["stalled"][0][3], name);
    const auto json = nlohmann::json::parse(run_json(report))["launches"][0]["prediction"];
    EXPECT_EQ(json["lines"][0]["most"], "short_scoreboard");
    launch.record.counters.shared_load_instructions = 4;
  }
}

TEST(StallWords, what_binds_has_one_name_in_all_reports) {
  ExplainedLaunch launch = roots();
  launch.record.prediction->latency_bounds = {{"atomics", 0.95e-5, "atomics of the busiest place"}};
  const Explanation report = explain({"./x"}, {}, {.name = "h200"}, {Record{}}, {launch});
  const std::string table = draw_text(run_document(report), {}),
                    story = draw_text(kernel_document(report, report.kernels.at(0)), {}),
                    markdown = draw_markdown(run_document(report)),
                    page = page_data(report, 1 << 20);
  EXPECT_NE(table.find("atomics in L2\n"), table.npos) << table;
  EXPECT_NE(story.find("10.0 µs, bound by atomics in L2;"), story.npos) << story;
  EXPECT_NE(markdown.find("| atomics in L2 |"), markdown.npos) << markdown;
  EXPECT_NE(page.find("\"atomics in L2\""), page.npos) << page;
  const auto json = nlohmann::json::parse(run_json(report))["launches"][0];
  EXPECT_EQ(json["bound_by"], "atomics in L2");
}

}  // namespace
}  // namespace headroom
