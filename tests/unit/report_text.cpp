// The report's words and tables on hand-made launches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "report/format.h"
#include "report/notes.h"
#include "report/run_document.h"
#include "report/text.h"

namespace headroom {
namespace {

ExplainedLaunch copy_launch(double floor_seconds) {
  ExplainedLaunch launch;
  LaunchRecord& r = launch.record;
  r.name = "void copy<float>(float*, float const*, int)";
  r.shape.kernel = "_Z4copyIfEvPT_PKS0_i";
  r.image = "sm_80";
  r.shape.grid = {4096};
  r.shape.block = {256};
  r.state = State::ran;
  r.resources.registers = 16;
  r.resources.from = "ptxas 13.0.88 -arch=sm_90";
  r.counters.warp_instructions = 10'000;
  r.counters.thread_instructions = 320'000;
  r.counters.integer_instructions = 7'500;
  r.counters.memory_instructions = 2'500;
  r.counters.global_load_requests = 1000;
  r.counters.global_load_sectors = 16'000;
  r.counters.global_load_bytes = 128'000;
  Occupancy occupancy;
  occupancy.blocks = 8;
  occupancy.warps = occupancy.max_warps = 64;
  occupancy.fraction = 1;
  Bounds bounds;
  bounds.floors = {{Resource::dram, floor_seconds, Basis::exact, "134 MB / 4 800 GB/s"},
                   {Resource::issue, floor_seconds / 4, Basis::estimate, "1.1 M / 1 045 G/s"}};
  bounds.limiter = 0;
  bounds.seconds = floor_seconds;
  launch.occupancy = std::make_shared<Occupancy>(occupancy);
  launch.bounds = std::make_shared<Bounds>(bounds);
  return launch;
}

// What was computed for a launch, to be changed for it alone.
template <class T>
T& own(std::shared_ptr<const T>& shared) {
  auto copy = std::make_shared<T>(*shared);
  shared = copy;
  return *copy;
}

Explanation report_of(std::vector<ExplainedLaunch> launches) {
  Machine machine;
  machine.title = "NVIDIA H200";
  Record record;
  record.ended = true;
  return explain({"./copy"}, {}, machine, {record}, std::move(launches));
}

std::string run_text(const Explanation& report, const Style& style) {
  return draw_text(run_document(report), style);
}
std::string kernel_text(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  return draw_text(kernel_document(report, kernel), style);
}

TEST(Report, launches_of_one_kernel_in_one_shape_are_one_row) {
  auto other = copy_launch(1e-6);
  other.record.shape.grid = {8};
  const Explanation report = report_of({copy_launch(28e-6), other, copy_launch(30e-6)});
  ASSERT_EQ(report.kernels.size(), 2u);
  const KernelGroup& kernel = report.kernels[0];
  EXPECT_EQ(kernel.launches, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(kernel.worst, 2u);
  EXPECT_DOUBLE_EQ(kernel.total_seconds, 58e-6);
  EXPECT_EQ(kernel.counters.global_load_sectors, 32'000u);
  EXPECT_EQ(kernel.limiter, Resource::dram);
  const std::string text = run_text(report, {});
  EXPECT_NE(text.find("copy<float>  2  4096 × 256"), std::string::npos) << text;
  EXPECT_NE(text.find("30.0  58.0  DRAM"), std::string::npos) << text;
  EXPECT_NE(text.find("copy<float>: largest lower bound DRAM, 134 MB / 4 800 GB/s"),
            std::string::npos)
      << text;
}

ExplainedLaunch predicted_launch(double seconds, double low, double high) {
  ExplainedLaunch launch = copy_launch(1e-6);
  launch.record.engine = Engine::machine;
  launch.record.prediction =
      Prediction{.seconds = seconds, .low_seconds = low, .high_seconds = high};
  return launch;
}

TEST(Report, of_unlike_launches_the_row_is_of_the_longest) {
  const Explanation report = report_of({predicted_launch(80e-6, 80e-6, 80e-6),
                                        predicted_launch(166e-6, 166e-6, 166e-6), copy_launch(0)});
  EXPECT_FALSE(report.kernels[0].predicted_seconds) << "one launch has none";
  const Explanation both =
      report_of({predicted_launch(80e-6, 80e-6, 80e-6), predicted_launch(166e-6, 166e-6, 166e-6)});
  EXPECT_EQ(both.kernels[0].worst, 1u);
  EXPECT_TRUE(both.kernels[0].unlike());
  const std::string text = run_text(both, {});
  EXPECT_NE(text.find("  ≤ 166     –    246   1.00  "), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "≤: of unlike launches the longest, but for n and all n: copy<float> 80.0 … 166 µs"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("all n: of all launches together"), std::string::npos) << text;
  EXPECT_NE(kernel_text(both, both.kernels[0], {})
                .find("of the longest of 2 launches, which take 80.0 … 166 µs"),
            std::string::npos);
  const std::string alike = run_text(
      report_of({predicted_launch(80e-6, 80e-6, 80e-6), predicted_launch(81e-6, 81e-6, 81e-6)}),
      {});
  EXPECT_EQ(alike.find("≤"), std::string::npos) << alike;
}

TEST(Report, a_wide_range_is_marked_in_the_table) {
  const std::string wide = run_text(report_of({predicted_launch(166e-6, 57e-6, 489e-6)}), {80});
  EXPECT_NE(wide.find(" 166? "), std::string::npos) << wide;
  EXPECT_NE(wide.find("by unlike blocks: copy<float> 57.0 … 489 µs"), std::string::npos) << wide;
  EXPECT_EQ(run_text(report_of({predicted_launch(166e-6, 100e-6, 190e-6)}), {}).find("?"),
            std::string::npos);
}

TEST(Report, a_range_whose_ends_print_alike_is_none) {
  const auto story = [](double low, double high) {
    const Explanation report = report_of({predicted_launch(107e-6, low, high)});
    return kernel_text(report, report.kernels[0], {160});
  };
  const std::string alike = story(106.8e-6, 107.2e-6), wide = story(90e-6, 120e-6);
  EXPECT_NE(alike.find("the same whatever L2 holds before, the model's own error aside"),
            std::string::npos)
      << alike;
  EXPECT_EQ(alike.find("107 … 107"), std::string::npos) << alike;
  EXPECT_NE(wide.find("90.0 … 120 µs by what L2 holds before"), std::string::npos) << wide;
}

TEST(Report, a_side_of_the_ridge_is_told_where_dram_or_floating_point_binds) {
  const auto story = [](double intensity, Resource resource, double floor) {
    ExplainedLaunch launch = predicted_launch(10e-6, 10e-6, 10e-6);
    Bounds& bounds = own(launch.bounds);
    bounds.floors = {{resource, floor, Basis::exact, ""}};
    bounds.seconds = floor;
    bounds.unique_bytes = 1e6;
    bounds.machine_balance = 13.9;
    bounds.memory_side = true;
    bounds.arithmetic_intensity = intensity;
    const Explanation report = report_of({launch});
    return kernel_text(report, report.kernels[0], {160});
  };
  EXPECT_NE(story(0.17, Resource::dram_cold, 9e-6)
                .find("0.17 FLOP per unique byte, machine balance 13.9: memory-bound"),
            std::string::npos);
  const std::string issue = story(0.17, Resource::issue, 9e-6);
  EXPECT_NE(issue.find("0.17 FLOP per unique byte, machine balance 13.9\n"), std::string::npos)
      << issue;
  EXPECT_EQ(story(0.17, Resource::dram_cold, 2e-6).find("ridge"), std::string::npos) << "it waits";
  EXPECT_EQ(story(0, Resource::dram_cold, 9e-6).find("FLOP"), std::string::npos);
}

TEST(Report, constants_on_the_tensor_pipe_are_no_products) {
  ExplainedLaunch launch = copy_launch(1e-6);
  launch.record.engine = Engine::machine;
  launch.record.counters.pipe_tensor = 200;
  const auto story = [&] {
    const Explanation report = report_of({launch});
    return kernel_text(report, report.kernels[0], {160});
  };
  EXPECT_NE(story().find("tensor (constants by HFMA2.MMA, no products) 2 %"), std::string::npos)
      << story();
  launch.record.counters.fp16_instructions = 10;
  EXPECT_NE(story().find("tensor (HFMA2.MMA: FP16 and constants, no products) 2 %"),
            std::string::npos);
  launch.record.counters.tensor_instructions = 100;
  EXPECT_NE(story().find("tensor 2 %"), std::string::npos);
}

TEST(Report, the_report_of_a_kernel_sends_nobody_to_itself) {
  ExplainedLaunch launch = predicted_launch(10e-6, 10e-6, 10e-6);
  launch.record.prediction->advice = {
      {"occupancy", 1e-6, "few", "see `--kernel` for what would", "", 0}};
  const Explanation report = report_of({launch});
  EXPECT_NE(run_text(report, {}).find("see `--kernel` for what would"), std::string::npos);
  EXPECT_NE(kernel_text(report, report.kernels[0], {}).find("see Occupancy for what would"),
            std::string::npos);
}

TEST(Report, at_80_columns_a_kernel_has_one_row) {
  ExplainedLaunch launch = predicted_launch(107e-6, 80e-6, 120e-6);
  launch.record.shape.grid = {32, 32, 32};
  launch.record.shape.block = {8, 8, 8};
  launch.record.name = launch.record.shape.kernel = "stencil_of_seven_points(float*)";
  launch.record.prediction->stall_cycles[size_t(Stall::long_scoreboard)] = 20;
  const std::string text = run_text(report_of({launch, launch}), {80});
  EXPECT_TRUE(std::regex_search(
      text, std::regex("\n  stencil_of_seven_points  2 .* 107 +– +214 +1.00  memory latency\n")))
      << text;
  EXPECT_EQ(text.find("occupancy "), std::string::npos) << text;
}

// As copy_launch, but its issue is the largest.
ExplainedLaunch busy_launch() {
  auto launch = copy_launch(28e-6);
  Bounds& bounds = own(launch.bounds);
  std::swap(bounds.floors[0], bounds.floors[1]);
  bounds.floors[0].seconds = bounds.seconds = 34e-6;
  bounds.certain_limiter = 1;
  bounds.certain_seconds = 28e-6;
  return launch;
}

TEST(Report, launches_of_another_cluster_carve_out_or_kind_are_rows_of_their_own) {
  auto clusters = copy_launch(1e-6), preferred = copy_launch(1e-6), together = copy_launch(1e-6);
  clusters.record.shape.cluster = Dim3{2};
  preferred.record.shape.carveout = 50;
  together.record.shape.cooperative = true;
  EXPECT_EQ(report_of({copy_launch(1e-6), clusters, preferred, together}).kernels.size(), 4u);
}

TEST(Report, launches_of_other_code_by_the_same_name_are_rows_of_their_own) {
  auto tuned = copy_launch(1e-6);
  tuned.record.resources.registers = 32;
  EXPECT_EQ(report_of({copy_launch(1e-6), tuned, copy_launch(1e-6)}).kernels.size(), 2u);
}

TEST(Report, estimates_are_marked_and_promise_nothing) {
  const Explanation report = report_of({busy_launch()});
  const std::string text = run_text(report, {}),
                    story = kernel_text(report, report.kernels[0], {160});
  EXPECT_NE(text.find("~34.0  ~issue slots"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "copy<float>: largest lower bound issue slots, 1.1 M / 1 045 G/s (estimate from PTX)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("~ marks an estimate"), std::string::npos) << text;
  EXPECT_NE(story.find("Largest lower bound: issue slots, about 34.0 µs by PTX"), std::string::npos)
      << story;
  EXPECT_NE(story.find("at least 28.0 µs by DRAM"), std::string::npos) << story;
  EXPECT_EQ(run_text(report_of({copy_launch(1e-6)}), {}).find('~'), std::string::npos);
}

TEST(Report, what_did_not_complete_has_no_floor_and_is_in_no_sum) {
  auto stopped = copy_launch(28e-6), refused = copy_launch(28e-6);
  stopped.record.state = State::stopped;
  refused.record.state = State::refused;
  stopped.record.shape.grid = {8};
  stopped.record.findings = {{.kind = "trap", .kernel = "copy", .source = "copy.cu:12"}};
  refused.record.shape.grid = {9};
  refused.record.caveats = {{"not executed: wmma", "", ""}};
  const Explanation report = report_of({copy_launch(1e-6), stopped, refused});
  EXPECT_DOUBLE_EQ(report.total_seconds, 1e-6);
  const std::string text = run_text(report, {});
  EXPECT_NE(text.find("3 launches of 1 kernel, 1 stopped, 1 not run"), std::string::npos) << text;
  EXPECT_NE(text.find("–  stopped\n"), std::string::npos) << text;
  EXPECT_NE(text.find("–  not run\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("sectors / request:"), std::string::npos) << "no legend beside a fault";
  EXPECT_EQ(text.find("told above"), std::string::npos) << "the finding is in sight";
}

TEST(Report, a_finding_is_told_again_only_where_a_long_table_scrolls_it_away) {
  std::vector<ExplainedLaunch> launches{copy_launch(1e-6)};
  launches[0].record.state = State::stopped;
  launches[0].record.findings = {{.kind = "trap", .kernel = "copy", .source = "copy.cu:12"}};
  for (unsigned grid = 1; grid <= 8; ++grid) {
    launches.push_back(copy_launch(1e-6));
    launches.back().record.shape.grid = {grid};
  }
  const std::string text = run_text(report_of(launches), {});
  EXPECT_TRUE(text.ends_with("\n1 finding, told above: trap in copy at copy.cu:12\n")) << text;
}

TEST(Report, a_doubt_with_other_figures_in_each_launch_of_a_kernel_is_told_once) {
  std::vector<ExplainedLaunch> launches;
  for (unsigned grid = 4; grid < 24; ++grid) {
    launches.push_back(copy_launch(1e-6));
    launches.back().record.shape.grid = {grid};
    own(launches.back().bounds).caveats = {
        {std::to_string(grid) + " of 132 SMs have a block", "the grid is small", "launch more"}};
  }
  const Explanation report = report_of(launches);
  ASSERT_EQ(report.caveats.size(), 1u);
  const std::string text = run_text(report, {});
  EXPECT_NE(text.find("caveat: 4 × 256: 4 of 132 SMs have a block, and alike in 19 more launches"),
            std::string::npos)
      << text;
  for (size_t i = 0; i < launches.size(); ++i)
    EXPECT_EQ(caveats_of(report.launches[i]).size(), 1u) << "each launch keeps its own";
}

TEST(Report, what_was_interrupted_is_named_and_what_never_ran_has_no_legend) {
  auto stopped = copy_launch(1e-6), refused = copy_launch(1e-6);
  stopped.record.state = State::stopped;
  stopped.record.caveats = {{"interrupted while it ran", "", ""}};
  EXPECT_NE(run_text(report_of({stopped}), {}).find("caveat: copy<float>: interrupted"),
            std::string::npos);
  refused.record.state = State::refused;
  const std::string text = run_text(report_of({refused}), {});
  EXPECT_EQ(text.find("All launches:"), std::string::npos) << text;
  EXPECT_EQ(text.find("100 %"), std::string::npos) << "no occupancy of what never ran\n" << text;
}

TEST(Report, conflicts_of_shared_atomics_are_unknown) {
  auto launch = copy_launch(28e-6);
  launch.record.counters.shared_store_instructions = 10;
  EXPECT_NE(run_text(report_of({launch}), {}).find("16.0/–       0"), std::string::npos);
  launch.record.counters.shared_atomic_instructions = 10;
  EXPECT_NE(run_text(report_of({launch}), {}).find("16.0/–       –"), std::string::npos);
  launch.record.counters.shared_store_conflicts = 7;
  EXPECT_NE(run_text(report_of({launch}), {}).find("16.0/–      ≥7"), std::string::npos);
}

TEST(Report, says_where_the_order_of_blocks_was_kept) {
  for (const bool ordered : {false, true}) {
    auto launch = copy_launch(1e-6);
    launch.record.ordered = ordered;
    const Explanation report = report_of({launch});
    const std::string text = kernel_text(report, report.kernels[0], {});
    EXPECT_EQ(
        text.find("its blocks ran one after the other on one host thread") != std::string::npos,
        ordered)
        << text;
  }
}

// Names, sizes, sentences and a path that fit no terminal.
Explanation wide_report() {
  std::vector<ExplainedLaunch> launches;
  for (const char* last : {"int", "long"}) {
    auto& launch = launches.emplace_back(copy_launch(28e-6));
    launch.record.name = fmt::format(
        "void a_namespace::a_kernel_with_a_very_long_name<float, 16, 32, true, {}, "
        "another_namespace::another_type_with_a_long_name<float> >(float*)",
        last);
    launch.record.shape.kernel = last;
    launch.record.shape.grid = {65535, 65535, 64};
    launch.record.shape.block = {16, 16, 4};
    launch.record.counters.shared_load_instructions = 1'000'000'000;
    launch.record.findings = {{.kind = "illegal_global_load",
                               .kernel = launch.record.name,
                               .source = "/a/" + std::string(210, 'p') + "/copy.cu:12",
                               .what = "4-byte load past the end of an allocation"}};
    Occupancy& occupancy = own(launch.occupancy);
    occupancy.warps = 8;
    occupancy.limiters = {"shared memory"};
    own(launch.bounds).caveats = {
        {std::string(90, 'x') + " is doubtful", "a cause of many words that goes on", "do this"}};
  }
  return report_of(launches);
}

TEST(Report, no_line_is_wider_than_the_terminal) {
  const Explanation report = wide_report();
  for (const size_t columns : {40u, 60u, 80u, 100u, 200u}) {
    std::istringstream lines(run_text(report, {columns}) +
                             kernel_text(report, report.kernels[0], {columns}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(text::display_width(line), columns) << line;
  }
}

TEST(Report, a_long_name_moves_no_other_off_its_row) {
  auto brief = copy_launch(28e-6);
  brief.record.name = brief.record.shape.kernel = "tiny(int)";
  auto launches = wide_report().launches;
  launches.push_back(brief);
  for (const size_t columns : {80u, 100u}) {
    const std::string text = run_text(report_of(launches), {columns});
    EXPECT_TRUE(std::regex_search(text, std::regex("\n  tiny +1 +(4096 × 256|16.0/–) "))) << text;
    for (const char* differs : {"…int, ", "…long, "})
      EXPECT_NE(text.find(differs), std::string::npos) << differs << " is not in\n" << text;
  }
}

TEST(Report, findings_stand_first_and_repeated_ones_once) {
  auto launch = copy_launch(28e-6);
  launch.record.findings = {{.kind = "illegal_global_load",
                             .kernel = "copy",
                             .source = "copy.cu:12",
                             .what = "4-byte load past the end"}};
  const Explanation report = report_of({launch, launch, launch});
  const std::string text = run_text(report, {});
  EXPECT_EQ(text.find("finding: 4-byte load past the end"), 0u) << text;
  EXPECT_NE(text.find("and 2 more of the same"), std::string::npos) << text;
}

TEST(Report, an_address_is_told_where_a_finding_is_about_one_and_null_is_one) {
  auto launch = copy_launch(28e-6);
  launch.record.findings = {
      {.kind = "illegal_global_load", .kernel = "copy", .address = 0, .what = "a load of null"}};
  EXPECT_NE(run_text(report_of({launch}), {}).find(", address 0x0"), std::string::npos);
  launch.record.findings = {{.kind = "trap", .what = "the kernel executed trap"}};
  EXPECT_EQ(run_text(report_of({launch}), {}).find("address"), std::string::npos);
}

TEST(Report, a_finding_of_a_call_has_no_kernel_and_no_thread) {
  auto launch = copy_launch(28e-6);
  launch.record.findings = {{.kind = "api_error", .what = "cudaFree failed", .times = 3}};
  const std::string text = run_text(report_of({launch}), {});
  EXPECT_NE(text.find("finding: cudaFree failed\n  and 2 more of the same\n"), std::string::npos)
      << text;
}

TEST(Report, a_caveat_of_many_launches_is_said_once) {
  auto launch = copy_launch(28e-6);
  own(launch.bounds).caveats = {{"L2 bandwidth is measured on one chip", "", ""}};
  EXPECT_EQ(report_of({launch, launch}).caveats.size(), 1u);
}

TEST(Report, caveats_name_their_kernels_where_there_are_several) {
  std::vector<ExplainedLaunch> launches;
  for (const char* name : {"a(int)", "b(int)", "c(int)", "d(int)"}) {
    auto& launch = launches.emplace_back(copy_launch(28e-6));
    launch.record.name = launch.record.shape.kernel = name;
    own(launch.bounds).caveats = {{"doubtful", "", ""}};
  }
  const Explanation report = report_of(launches);
  ASSERT_EQ(report.caveats.size(), 1u);
  EXPECT_EQ(report.caveats[0].kernels.size(), 4u);
  EXPECT_EQ(caveats_list(report).items,
            std::vector<std::string>{"caveat: a, b, c and 1 more: doubtful"});
  EXPECT_EQ(caveats_list(report_of({launches[0]})).items,
            std::vector<std::string>{"caveat: doubtful"});
}

TEST(Report, a_program_without_kernels_is_one_line) {
  Explanation report = explain({"./hello"}, {.exit_code = 3}, {}, {}, {});
  EXPECT_EQ(run_text(report, {}), "headroom: ./hello: exit code 3, before any CUDA call\n");
  report = explain({"./hello"}, {.exit_code = 0}, {}, {}, {});
  EXPECT_EQ(run_text(report, {}),
            "headroom: ./hello: the program made no CUDA call; exit code 0\n");
}

TEST(Report, the_story_of_a_kernel_names_ideal_and_efficiency) {
  const Explanation report = report_of({copy_launch(28e-6)});
  const std::string text = kernel_text(report, report.kernels[0], {});
  EXPECT_NE(text.find("global loads      1000   16 000       16.0    4.0"), std::string::npos)
      << text;
  EXPECT_NE(text.find("25 %"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "Largest lower bound: DRAM, a launch takes at least 28.0 µs; next is issue slots with "
          "about\n    7.00 µs."),
      std::string::npos)
      << text;
}

TEST(Format, numbers_have_units_and_no_more_digits_than_needed) {
  EXPECT_EQ(text::grouped(9999), "9999");
  EXPECT_EQ(text::grouped(1'081'344), "1 081 344");
  EXPECT_EQ(text::compact(1'081'344), "1.08 M");
  EXPECT_EQ(text::microseconds(6.99e-6), "6.99");
  EXPECT_EQ(text::microseconds(0.0123456), "12 346");
  EXPECT_EQ(text::bytes(32 << 20), "32.0 MiB");
  EXPECT_EQ(text::bytes(1000), "1000 B");
  EXPECT_EQ(text::percent(0.75), "75 %");
  EXPECT_EQ(text::percent(0.031), "3.1 %");
}

TEST(Format, kernels_are_named_without_types_and_parameters) {
  EXPECT_EQ(text::short_name("saxpy(int, float*)"), "saxpy");
  EXPECT_EQ(text::short_name("void ns::axpy<int, (bool)1>(int, float (*)(int))"),
            "ns::axpy<int, (bool)1>");
  EXPECT_EQ(text::short_name("void (anonymous namespace)::k(int)"), "(anonymous namespace)::k");
  EXPECT_EQ(text::short_name("plain"), "plain");
  EXPECT_EQ(text::bare_name("void (anonymous namespace)::ns::k<a::b, 2>(int)"), "k<a::b, 2>");
  EXPECT_EQ(text::name_in_text("void ns::k<a::b, 2>(int)"), "k<a::b, 2>");
  const std::string filling_a_page = "void ns::k<" + std::string(4000, 'x') + ", half>(int)";
  EXPECT_EQ(text::name_in_text(filling_a_page),
            "k<" + std::string(22, 'x') + "…" + std::string(16, 'x') + ", half>");
}

TEST(Format, long_names_keep_both_ends) {
  EXPECT_EQ(text::shorten("reduce<float, 256>", 9), "redu…256>");
  EXPECT_EQ(text::shorten("µ×", 2), "µ×");
  const std::string ends(60, 'x');
  const std::vector<std::string> names{"sort<" + ends + ", 4, µ" + ends + ">",
                                       "sort<" + ends + ", 8, µ" + ends + ">", "scan", "scan"};
  const auto apart = text::shorten_apart(names, 30);
  EXPECT_EQ(text::shorten(names[0], 30), text::shorten(names[1], 30)) << "the case to mend";
  EXPECT_EQ(apart[0], "sort<xxxxx…4, µxxxxxx…xxxxxxx>");
  EXPECT_EQ(apart[1], "sort<xxxxx…8, µxxxxxx…xxxxxxx>");
  EXPECT_EQ(apart[2], "scan");
  for (const std::string& name : apart) EXPECT_LE(text::display_width(name), 30u);
  EXPECT_EQ(text::wrap("  one two three", 9, 4), "  one two\n    three");
  EXPECT_EQ(text::wrap("a clock of 1.98 GHz", 15, 0), "a clock of\n1.98 GHz")
      << "a number keeps its unit";
}

}  // namespace
}  // namespace headroom
