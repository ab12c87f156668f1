// The source view tells of each line how much of a kernel's waiting is there, and what for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "record/writer.h"
#include "report/page_kernel.h"
#include "report/run_json.h"
#include "report/source_document.h"
#include "report/text.h"

namespace headroom {
namespace {

StallCycles cycles(Stall stall, double count, double issued = 0) {
  StallCycles result{};
  result[size_t(stall)] = count;
  result[size_t(Stall::selected)] = issued;
  return result;
}

// A load, the product that waits for it, and a root that waits for its unit.
ExplainedLaunch waiting() {
  MachineListing listing{{"k.cu"},
                         {{0, "LDG.E R2", 0, 1},
                          {16, "FMUL R2", 0, 2},
                          {32, "MUFU.RSQ R2", 0, 3},
                          {48, "EXIT", 0, 3}}};
  ExplainedLaunch launch;
  launch.record.name = launch.record.shape.kernel = "k";
  launch.record.state = State::ran;
  SourceCounts source{std::make_shared<MachineListing>(listing), {}, {}};
  source.counts.resize(4, InstructionCounts{.executed = 10, .threads = 320, .threads_on = 320});
  source.stalls = {cycles(Stall::selected, 10), cycles(Stall::long_scoreboard, 900, 10),
                   cycles(Stall::short_scoreboard, 60, 10), cycles(Stall::wait, 40, 10)};
  launch.record.source = std::make_shared<SourceCounts>(source);
  launch.occupancy = std::make_shared<Occupancy>();
  launch.bounds = std::make_shared<Bounds>();
  return launch;
}

Explanation report_of(const ExplainedLaunch& launch) {
  return explain({"./x"}, {}, {.name = "h200"}, {Record{}}, {launch});
}

std::string text_of(const Explanation& report) {
  return draw_text(source_document(*source_page(report, report.kernels.at(0))), {});
}

TEST(SourceStalls, a_line_has_its_share_of_the_waiting_and_what_for) {
  const std::string text = text_of(report_of(waiting()));
  const auto line = [&](const std::string& begin) {
    const size_t at = text.find(begin);
    return at == text.npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(line("k.cu:1").find("latency"), std::string::npos) << text;
  EXPECT_TRUE(line("k.cu:2").starts_with("k.cu:2 · memory latency ")) << text;
  EXPECT_TRUE(line("k.cu:2").ends_with(" 90 %")) << text;
  EXPECT_TRUE(line("k.cu:3").starts_with("k.cu:3 · MIO latency ")) << text;
  EXPECT_TRUE(line("k.cu:3").ends_with(" 10 %")) << "both instructions: " << text;
  EXPECT_TRUE(line("0x0030 EXIT").starts_with("0x0030 EXIT · arithmetic latency ")) << text;
  EXPECT_TRUE(line("0x0030 EXIT").ends_with(" 4 %")) << text;
}

TEST(SourceStalls, launches_are_summed) {
  ExplainedLaunch once = waiting(), again = waiting();
  SourceCounts more = *again.record.source;
  for (StallCycles& each : more.stalls) each = cycles(Stall::barrier, 0);
  more.stalls[0] = cycles(Stall::barrier, 9000);
  again.record.source = std::make_shared<SourceCounts>(more);
  const Explanation report = explain({"./x"}, {}, {.name = "h200"}, {Record{}}, {once, again});
  const auto page = source_page(report, report.kernels.at(0));
  EXPECT_DOUBLE_EQ(stalled(page->lines.at(0).stalls, page->all_stalls)->share, 0.9);
  EXPECT_EQ(stalled(page->lines.at(0).stalls, page->all_stalls)->most, Stall::barrier);
  EXPECT_DOUBLE_EQ(stalled(page->lines.at(1).stalls, page->all_stalls)->share, 0.09);
}

TEST(SourceStalls, without_a_predicted_time_there_are_none) {
  ExplainedLaunch launch = waiting();
  SourceCounts source = *launch.record.source;
  source.stalls.clear();
  launch.record.source = std::make_shared<SourceCounts>(source);
  const Explanation report = report_of(launch);
  EXPECT_EQ(text_of(report).find("stalls"), std::string::npos);
  EXPECT_EQ(page_kernel(report, report.kernels.at(0))["source"]["lines"][1].size(), 7u);
  EXPECT_FALSE(
      nlohmann::json::parse(run_json(report))["launches"][0]["source"][1]["instructions"][0]
          .contains("stalls"));
}

TEST(SourceStalls, programs_and_the_page_get_them) {
  const Explanation report = report_of(waiting());
  const auto json = nlohmann::json::parse(run_json(report))["launches"][0]["source"];
  EXPECT_EQ(json[1]["instructions"][0]["stalls"],
            nlohmann::json({{"selected", 10}, {"long_scoreboard", 900}}));
  const auto page = page_kernel(report, report.kernels.at(0))["source"];
  EXPECT_TRUE(page["lines"][0][7].is_null());
  EXPECT_EQ(page["lines"][1][7], nlohmann::ordered_json({0.9, "memory latency"}));
  EXPECT_EQ(page["code"][3][3], nlohmann::ordered_json({0.04, "arithmetic latency"}));
}

TEST(SourceStalls, come_through_a_record) {
  const LaunchRecord launch = waiting().record;
  Record record;
  RecordWriter writer;
  const auto path = std::filesystem::temp_directory_path() /
                    ("headroom-source-stalls-" + std::to_string(getpid()));
  std::ofstream(path) << writer.header(record) << writer.launch(launch) << writer.end(record, 0);
  const Record back = read_record(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(back.launches.at(0).source->stalls, launch.source->stalls);
}

}  // namespace
}  // namespace headroom
