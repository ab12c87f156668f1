// How the tables of the reproduction lab are drawn: plain, as ladders, as curves, and in every
// form.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/grid.h"
#include "lab/text.h"
#include "report/grid_text.h"

namespace headroom {
namespace {

Key key(const std::string& name, double number) {
  return {{name, Cell{std::to_string(int(number)), number}}};
}

PublishedTable about(const std::string& name) {
  PublishedTable table;
  table.name = name;
  table.title = "a toy";
  table.source = "volkov";
  table.page = "p1";
  table.gpu = "GeForce GTX 480";
  table.machine = "gtx480";
  table.unit = "GB/s";
  return table;
}

PublishedRow published(const PublishedTable& table, double value) {
  PublishedRow row;
  row.value = value;
  row.gpu = table.gpu;
  row.machine = table.machine;
  row.unit = table.unit;
  row.predict = PredictBy{.model = "bytes in flight"};
  return row;
}

LabTable ladder() {
  LabTable table;
  table.published = about("toy.ladder");
  table.published.key = {"rung"};
  table.published.ladder = true;
  table.measured_on = {"NVIDIA H200"};
  PublishedRow first = published(table.published, 100), second = published(table.published, 250);
  second.contradiction = {200, "twice as fast, says the text"};
  second.note = "the better one";
  table.rows = {{key("rung", 1), first, 120, 1000, {Figure{{}, 800, {}}}},
                {key("rung", 2), second, 300, {}, {std::nullopt}}};
  table.bases = {"a guess."};
  return table;
}

LabTable curve() {
  LabTable table;
  table.published = about("toy.curve");
  table.published.key = {"chains", "threads"};
  table.published.across = "threads";
  table.published.predict = PredictBy{.model = "bytes in flight"};
  table.measured_on = {"NVIDIA H200"};
  for (const double threads : {64, 32}) {
    Key both = key("chains", 1);
    both.push_back(key("threads", threads)[0]);
    table.rows.push_back({both, {}, {}, threads / 10, {Figure{both, threads / 20, {}}}});
  }
  table.rows[0].published = published(table.published, 6);
  table.rows[0].published->bound = "at most";
  return table;
}

Lab lab() {
  Lab result{load_machine("h200"), {ladder(), curve()}, {}, {{"a doubt", "a cause", "an advice"}}};
  Results results;
  results.study = "toy";
  results.gpu = "NVIDIA H200";
  results.driver = "580.1";
  results.toolkit = "13.0.88";
  results.date = "2026-11-21";
  results.clocks = {{"sm_mhz", 1900, 1980, 1980}, {"celsius", 30, 31, 32}};
  results.commands = {"toy --all"};
  results.from = "results/h200/toy.json";
  result.results.push_back(results);
  return result;
}

std::string drawn(const LabTable& table) {
  Grid grid = grid_of(table, "h200");
  grid.indent = 0;
  return grid_text(grid, Style{});
}

TEST(Grid, a_ladder_shows_factors_and_contradictions) {
  EXPECT_EQ(drawn(ladder()),
            "                       predicted        predicted      measured\n"
            "rung  published           gtx480             h200   NVIDIA H200\n"
            "   1        100              120             1000           800\n"
            "   2      250 ! × 2.5        300 × 2.5          –             –\n");
}

TEST(Grid, notes_tell_contradictions_remarks_and_bases) {
  const auto notes = grid_of(ladder(), "h200").notes;
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], "! 2: 250 is printed; twice as fast, says the text: 200");
  EXPECT_EQ(notes[1], "2: the better one");
  EXPECT_EQ(notes[2], "predicted: a guess.");
}

TEST(Grid, a_reason_names_its_rows_once_and_none_where_it_is_of_all) {
  LabTable table = ladder();
  table.rows.push_back(table.rows[1]);
  table.rows[1].published->absent = table.rows[2].published->absent = "no such thing";
  const auto some = grid_of(table, "h200").notes;
  EXPECT_NE(std::ranges::find(some, "2: no such thing"), some.end());
  table.published.rows = {*table.rows[1].published, *table.rows[2].published};
  const auto all = grid_of(table, "h200").notes;
  EXPECT_NE(std::ranges::find(all, "no such thing"), all.end());
}

TEST(Grid, a_curve_runs_along_the_columns_in_order) {
  EXPECT_EQ(drawn(curve()),
            "chains, threads                         32   64\n"
            "1                ≤ published                  6\n"
            "                 predicted h200        3.2  6.4\n"
            "                 measured NVIDIA H200  1.6  3.2\n");
}

TEST(LabText, tells_where_the_figures_are_from) {
  const std::string text = lab_text(lab(), Style{});
  EXPECT_NE(
      text.find("measured: toy on NVIDIA H200, 2026-11-21, driver 580.1, CUDA 13.0.88; SMs 1980"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("(1900 to"), std::string::npos);
  EXPECT_NE(text.find("caveat: a doubt: a cause; an advice"), std::string::npos);
}

TEST(LabText, counts_commands_that_the_file_has) {
  Lab many = lab();
  many.results[0].commands = {"toy --all", "toy --other"};
  const std::string line = provenance(many).at(0);
  EXPECT_NE(line.find("2 commands (results/h200/toy.json)"), std::string::npos) << line;
  EXPECT_EQ(line.find("--other"), std::string::npos);
}

TEST(LabMarkdown, escapes_what_would_be_markup) {
  const std::string page = lab_markdown(lab());
  EXPECT_NE(page.find("| rung | published |"), std::string::npos) << page;
  EXPECT_NE(page.find("|---:|---:|"), std::string::npos);
  EXPECT_NE(page.find("## toy.curve"), std::string::npos);
}

TEST(LabHtml, is_one_page_of_its_own) {
  Lab doubtful = lab();
  doubtful.tables[0].bases = {"a < b & c"};
  const std::string page = lab_html(doubtful);
  EXPECT_NE(page.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(page.find("http:"), std::string::npos);
  EXPECT_EQ(page.find("https:"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(LabJson, has_every_row_with_its_figures) {
  const auto json = nlohmann::json::parse(lab_json(lab()));
  EXPECT_EQ(json["schema"], "headroom-reproduction/1");
  const auto& row = json["tables"][0]["rows"][1];
  EXPECT_EQ(row["published"]["contradiction"]["value"], 200);
  EXPECT_EQ(row["predicted_own"], 300);
  EXPECT_TRUE(row["predicted"].is_null() && row["measured"][0].is_null());
  EXPECT_EQ(json["tables"][0]["rows"][0]["measured"][0]["value"], 800);
}

}  // namespace
}  // namespace headroom
