// The reproduction lab: the published files, results, models and their join, on data written here.
#include "lab/lab.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "lab/choice.h"

namespace headroom {
namespace {

constexpr const char* study_text =
    R"({"schema": "headroom-published/1", "study": "toy", "about": "a toy",
 "tables": [{"name": "toy.curve", "title": "share", "source": "volkov", "page": "p1", "gpu": "GeForce GTX 480",
   "machine": "gtx480", "unit": "% of peak", "key": ["chains", "threads"], "across": "threads",
   "predict": {"model": "operations in flight"},
   "measured": {"study": "toy", "where": {"step": "fma"}, "value": "of peak, %"},
   "rows": [{"key": {"chains": 1, "threads": 288}, "value": 50},
            {"key": {"chains": 9, "threads": 32}, "value": 1, "absent": "no such rung",
             "contradiction": {"value": 2, "because": "elsewhere it says 2"}}]}]})";

Results results_of(const std::string& rows) {
  return parse_results(R"({"schema": "headroom-results/1", "study": "toy", "gpu": "NVIDIA H200",
    "machine": "h200", "driver": "1", "rows": )" +
                           rows + "}",
                       "toy.json");
}

PublishedStudy toy() { return parse_published(study_text, "toy"); }

std::string message(const std::string& text) {
  try {
    parse_published(text, "toy");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

TEST(Published, every_file_of_the_studies_is_whole) {
  ASSERT_GE(published_studies().size(), 6u);
  for (const PublishedStudy& study : published_studies())
    for (const PublishedTable& table : study.tables) {
      EXPECT_TRUE(table.name.starts_with(study.name + ".")) << table.name;
      for (const PublishedRow& row : table.rows) {
        EXPECT_FALSE(source_title(row.source).empty()) << table.name;
        EXPECT_FALSE(row.page.empty() || row.gpu.empty() || row.unit.empty()) << table.name;
        if (row.predict) {
          EXPECT_FALSE(basis_of(row.predict->model).empty()) << row.predict->model;
        }
        if (!row.machine.empty()) {
          EXPECT_NO_THROW(load_machine(row.machine));
        }
        if (row.contradiction) {
          EXPECT_FALSE(row.contradiction->because.empty());
        }
      }
    }
}

TEST(Published, a_row_inherits_from_its_table) {
  const PublishedRow row = toy().tables[0].rows[0];
  EXPECT_EQ(row.gpu, "GeForce GTX 480");
  EXPECT_EQ(row.unit, "% of peak");
  EXPECT_EQ(row.predict->model, "operations in flight");
}

TEST(Published, a_misspelt_member_is_an_error_that_says_where) {
  EXPECT_NE(message(replaced(study_text, "\"page\"", "\"pages\"")).find("no member 'pages'"),
            std::string::npos);
  EXPECT_NE(
      message(replaced(study_text, "\"threads\": 288", "\"thread\": 288")).find("lacks 'threads'"),
      std::string::npos);
  EXPECT_NE(message(replaced(study_text, "volkov", "nobody")).find("'nobody'"), std::string::npos);
  EXPECT_NE(message(replaced(study_text, "published/1", "published/9")).find("schema"),
            std::string::npos);
  EXPECT_NE(message("{").find("no JSON"), std::string::npos);
}

TEST(Published, contradictions_of_the_sources_carry_their_arithmetic) {
  int found = 0;
  for (const PublishedStudy& study : published_studies())
    for (const PublishedTable& table : study.tables)
      for (const PublishedRow& row : table.rows) found += row.contradiction.has_value();
  EXPECT_GE(found, 3);
}

// The sources' own arithmetic, by our model and our facts of their GPUs. Where a source contradicts
// itself the model may agree with either.
TEST(Models, agree_with_the_arithmetic_of_the_sources) {
  int compared = 0;
  for (const PublishedStudy& study : published_studies())
    for (const PublishedTable& table : study.tables) {
      if (study.name != "occupancy" && study.name != "rates" && table.name != "latency.operations")
        continue;
      for (const PublishedRow& row : table.rows) {
        if (!row.predict) continue;
        const auto value = predict(*row.predict, load_machine(row.machine), row.key, {}, {});
        if (!value) continue;  // a fact is unknown
        const double said = row.contradiction ? row.contradiction->value : row.value;
        EXPECT_NEAR(*value, said, 0.025 * said) << table.name << ": " << text_of(row.key);
        ++compared;
      }
    }
  EXPECT_GE(compared, 40);
}

TEST(Models, are_silent_where_a_fact_is_unknown) {
  const PredictBy by{.model = "bytes in flight"};
  EXPECT_FALSE(predict(by, load_machine("gtx480"), {}, {}, {}));
  PredictBy assuming = by;
  assuming.assume = Assumption{"gtx480", 800, "the source says so"};
  EXPECT_NEAR(*predict(assuming, load_machine("gtx480"), {}, {}, {}), 101.3, 0.1);
  EXPECT_TRUE(basis_of("crystal ball").empty());
}

TEST(Results, are_read_and_written_without_loss) {
  Results results = results_of(R"([{"threads": 32, "step": "fma", "of peak, %": 6.5}])");
  results.clocks = {{"sm_mhz", 1900, 1980, 1980}};
  results.commands = {"toy --all"};
  const Results again = parse_results(results_json(results), "toy.json");
  EXPECT_EQ(results_json(again), results_json(results));
  EXPECT_EQ(again.rows[0].size(), 3u);
  EXPECT_EQ(again.clocks[0].median, 1980);
  EXPECT_EQ(parse_results(R"({"schema": "headroom-toy/1", "gpu": "x", "rows": []})", "x").study,
            "toy");
  EXPECT_THROW(parse_results("{}", "x"), Error);
  EXPECT_THROW(parse_results(R"({"schema": "headroom-results/1", "gpu": "x", "rows": []})", "x"),
               Error);
}

TEST(Results, every_embedded_file_is_of_the_schema) {
  EXPECT_NO_THROW({
    for (const Results& each : embedded_measurements())
      EXPECT_FALSE(each.rows.empty()) << each.from;
  });
}

TEST(Figures, are_chosen_by_cells_and_in_percent_of_a_fact) {
  const Results results = results_of(
      R"([{"step": "fma", "chains": 1, "GB/s": 2407.5}, {"step": "add", "chains": 1, "GB/s": 1}])");
  MeasureBy by;
  by.value = "GB/s";
  by.of = "dram_bandwidth";
  by.where = {{"step", {"fma", {}}}};
  const Machine h200 = load_machine("h200");
  const auto found = figures(by, results, {"chains"}, &h200);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].value, 50);
  EXPECT_TRUE(figures(by, results, {"chains"}, nullptr).empty());  // of what, is unknown
}

TEST(Figures, are_rates_of_work_over_time) {
  const Results results = results_of(R"([{"way": "pinned", "copied": 1e9, "median": 0.02}])");
  MeasureBy by;
  by.value = "copied";
  by.over = "median";
  by.scale = 1e-9;
  EXPECT_DOUBLE_EQ(figures(by, results, {"way"}, nullptr).at(0).value, 50);
}

TEST(Figures, are_scaled_without_another_column) {
  const Results results = results_of(R"([{"bodies": 3000, "time, us": 500}])");
  MeasureBy by;
  by.value = "time, us";
  by.scale = 1e-3;
  EXPECT_DOUBLE_EQ(figures(by, results, {"bodies"}, nullptr).at(0).value, 0.5);
}

TEST(Figures, are_ratios_of_rows_that_differ_in_a_cell) {
  const Results results = results_of(R"([
    {"method": "cpu", "kernel": "sort", "time": 8}, {"method": "gpu", "kernel": "sort", "time": 2},
    {"method": "cpu", "kernel": "force", "time": 9}, {"method": "gpu", "kernel": "walk", "time": 3}])");
  MeasureBy by;
  by.value = "time";
  by.where = {{"method", {"cpu", {}}}};
  by.beside = {{"method", {"gpu", {}}}};
  const auto found = figures(by, results, {"kernel"}, nullptr);
  ASSERT_EQ(found.size(), 1u);  // the GPU has no row "force"
  EXPECT_EQ(found[0].value, 4);
}

TEST(Figures, the_most_of_a_column) {
  const Results results = results_of(
      R"([{"kernel": "sort", "round": 1}, {"kernel": "sort", "round": 3}, {"kernel": "force", "round": 1}])");
  MeasureBy by;
  by.most = "round";
  const auto found = figures(by, results, {"kernel"}, nullptr);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].value, 3);
  EXPECT_EQ(found[1].value, 1);
}

TEST(Figures, the_least_that_reaches_a_share_of_the_most) {
  const Results results = results_of(R"([
    {"chains": 1, "threads": 64, "rate": 50}, {"chains": 1, "threads": 192, "rate": 100},
    {"chains": 1, "threads": 128, "rate": 96}, {"chains": 2, "threads": 32, "rate": 7}])");
  MeasureBy by;
  by.least = "threads";
  by.reaching = "rate";
  by.share = 0.95;
  const auto found = figures(by, results, {"chains"}, nullptr);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].value, 128);
  EXPECT_EQ(found[1].value, 32);
}

TEST(Figures, the_least_of_all_rows_stands_for_one_row_of_a_table) {
  const Results results = results_of(R"([
    {"variant": "a", "in flight": 12, "rate": 60}, {"variant": "b", "in flight": 36, "rate": 96},
    {"variant": "c", "in flight": 48, "rate": 100}])");
  MeasureBy by;
  by.least = "in flight";
  by.reaching = "rate";
  by.share = 0.95;
  by.scale = 100;
  by.as = {{"what", {"bytes", {}}}};
  const auto found = figures(by, results, {"what"}, nullptr);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].value, 3600);
}

TEST(Lab, has_one_column_a_gpu) {
  PublishedStudy study = toy();
  Results other = results_of(R"([{"what": "peak", "rate": 9}])");
  other.study = "another";
  PublishedRow& row = study.tables[0].rows[0];
  row.measured = MeasureBy{};
  row.measured->study = "another";
  row.measured->value = "rate";
  row.measured->as = row.key;
  const Lab lab = reproduce({study}, load_machine("h200"), {results_of(R"([])"), other}, {});
  ASSERT_EQ(lab.tables[0].measured_on.size(), 1u);
  EXPECT_EQ(lab.tables[0].rows[0].measured[0]->value, 9);
}

TEST(Lab, joins_by_key_and_keeps_what_only_one_side_has) {
  const Results results = results_of(R"([
    {"step": "fma", "chains": 1, "threads": 288, "of peak, %": 40, "spread, %": 0.5},
    {"step": "fma", "chains": 1, "threads": 512, "of peak, %": 50},
    {"step": "add", "chains": 1, "threads": 288, "of peak, %": 99}])");
  const Lab lab = reproduce({toy()}, load_machine("h200"), {results}, {});
  const LabTable& table = lab.tables[0];
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].published->value, 50);
  EXPECT_EQ(table.rows[0].predicted_own, 576);
  EXPECT_EQ(table.rows[0].predicted, 512);
  EXPECT_EQ(table.rows[0].measured[0]->value, 40);
  EXPECT_EQ(table.rows[0].measured[0]->spread, 0.5);
  EXPECT_FALSE(table.rows[1].predicted || table.rows[1].measured[0]);  // absent, by its own words
  EXPECT_FALSE(table.rows[2].published);
  EXPECT_EQ(table.rows[2].predicted, 512);
  EXPECT_TRUE(lab.caveats.empty());
}

TEST(Lab, a_row_may_ask_for_a_figure_of_its_own) {
  PublishedStudy study = toy();
  study.tables[0].measured.reset();
  MeasureBy by;
  by.study = "toy";
  by.value = "of peak, %";
  by.where = {{"step", {"add", {}}}};
  by.as = study.tables[0].rows[0].key;
  study.tables[0].rows[0].measured = by;
  const Results results = results_of(R"([{"step": "add", "of peak, %": 33}])");
  const Lab lab = reproduce({study}, load_machine("h200"), {results}, {});
  EXPECT_EQ(lab.tables[0].rows[0].measured[0]->value, 33);
  EXPECT_EQ(lab.results.size(), 1u);
}

TEST(Lab, without_a_gpu_and_results_says_so) {
  const Lab lab = reproduce({toy()}, load_machine("h200"), {}, {});
  ASSERT_EQ(lab.caveats.size(), 1u);
  EXPECT_TRUE(lab.tables[0].measured_on.empty());
}

TEST(Lab, wrong_results_are_left_out_and_told) {
  const Results results = results_of(
      R"([{"step": "fma", "chains": 1, "threads": 288, "of peak, %": 40, "verified": "FAIL"}])");
  const Lab lab = reproduce({toy()}, load_machine("h200"), {results}, {});
  EXPECT_FALSE(lab.tables[0].rows[0].measured[0]);
  ASSERT_EQ(lab.tables[0].caveats.size(), 1u);
}

TEST(Lab, names_the_runs_of_the_executor_that_its_times_need) {
  const auto runs = executor_runs(choose_tables({"sgemm.ladder"}), load_machine("h200"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].study, "sgemm");
  EXPECT_EQ(runs[0].machine, "a6000");
  EXPECT_EQ(runs[1].machine, "h200");
  EXPECT_TRUE(executor_runs(choose_tables({"occupancy"}), load_machine("h200")).empty());
}

TEST(Models, times_are_what_the_study_prints) {
  const PredictBy by{.model = "times on the executor",
                     .from = MeasureBy{.study = "toy", .value = "GFLOP/s"}};
  Results printed;
  printed.study = "toy";
  printed.rows = {{{"rung", {"naive", {}}}, {"GFLOP/s", {"300", 300}}},
                  {{"rung", {"tiled", {}}}, {"GFLOP/s", {"900", 900}}}};
  const RowsOf rows = [&](const std::string& machine, const PredictBy&) {
    return machine == "h200" ? &printed : nullptr;
  };
  const Key tiled{{"rung", {"tiled", {}}}}, absent{{"rung", {"warp", {}}}};
  EXPECT_EQ(predict(by, load_machine("h200"), tiled, {"rung"}, rows), 900);
  EXPECT_FALSE(predict(by, load_machine("h200"), absent, {"rung"}, rows));
  EXPECT_FALSE(predict(by, load_machine("a100"), tiled, {"rung"}, rows));
}

}  // namespace
}  // namespace headroom
