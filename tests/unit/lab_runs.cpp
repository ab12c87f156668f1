// What `headroom reproduce` reads of its surroundings: GPUs and clocks as nvidia-smi tells them,
// the rows of a study, and which measurements stand for which.
#include <gtest/gtest.h>

#include "base/error.h"
#include "lab/choice.h"
#include "lab/executor_results.h"
#include "lab/gpu_runs.h"

namespace headroom {
namespace {

Results of(const std::string& study, const std::string& gpu, const std::string& from) {
  Results results;
  results.study = study;
  results.gpu = gpu;
  results.from = from;
  return results;
}

TEST(Gpus, are_read_from_the_drivers_lines) {
  const auto gpus = parse_gpus("0, NVIDIA H200, 580.159.04\n1, NVIDIA H200, 580.159.04\n");
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[1].index, 1);
  EXPECT_EQ(gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(gpus[0].driver, "580.159.04");
  EXPECT_TRUE(parse_gpus("No devices were found\n").empty());
}

TEST(Clocks, have_least_median_and_most_and_no_figure_for_what_is_not_told) {
  const auto clocks =
      parse_clocks("1980, 3201, 31, [N/A]\n345, 3201, 30, [N/A]\n1965, 3201, 33, [N/A]\nrubbish\n");
  ASSERT_EQ(clocks.size(), 3u);
  EXPECT_EQ(clocks[0].what, "sm_mhz");
  EXPECT_EQ(clocks[0].least, 345);
  EXPECT_EQ(clocks[0].median, 1965);
  EXPECT_EQ(clocks[0].most, 1980);
  EXPECT_EQ(parse_clocks("1965, 3201\n1980, 3201\n")[0].median, 1972.5);  // of the middle two
  EXPECT_TRUE(parse_clocks("").empty());
}

TEST(StudyRows, get_the_columns_of_their_run) {
  const auto rows = study_rows(
      R"({"title": "t", "rows": [{"variant": "a", "GB/s": 5}, {"variant": "b", "GB/s": 6}]})",
      {{"block", {"64", 64}}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(number_of(rows[1], "GB/s"), 6);
  EXPECT_EQ(number_of(rows[1], "block"), 64);
}

TEST(Tables, are_chosen_by_study_or_by_name) {
  const auto chosen = choose_tables({"sgemm", "copy.in_flight"});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].tables.size(), 1u);
  EXPECT_GT(chosen[1].tables.size(), 1u);
  EXPECT_EQ(choose_tables({}).size(), published_studies().size());
  EXPECT_THROW(choose_tables({"sgem"}), Error);
}

TEST(Measurements, of_now_replace_those_of_the_same_gpu_and_others_stand_beside) {
  const auto all =
      all_results({of("copy", "A", "old"), of("copy", "B", "old"), of("sgemm", "A", "old")},
                  {of("copy", "A", "now")}, {of("copy", "A", "merged")});
  std::string order;
  for (const Results& each : all) order += each.study + each.gpu + each.from + " ";
  EXPECT_EQ(order, "copyBold sgemmAold copyAnow copyAmerged ");
}

TEST(Measurements, are_read_from_files_that_exist) {
  EXPECT_THROW(read_results({"/nowhere.json"}), Error);
  EXPECT_THROW(earlier_results("/nowhere"), Error);
}

}  // namespace
}  // namespace headroom
