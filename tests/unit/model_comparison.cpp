// Two runs beside each other: how kernels are matched, what moved the time, when measured times
// differ, and which gates break.
#include <gtest/gtest.h>

#include <cmath>

#include "model/gate.h"
#include "model/profiled_name.h"

namespace headroom {
namespace {

using Values = std::vector<std::pair<std::string_view, double>>;

std::shared_ptr<Figures> figures(const Values& values) {
  auto result = std::make_shared<Figures>();
  result->engine = "machine";
  result->values.resize(metrics().size());
  for (const auto& [name, value] : values) result->values[*metric_of(name)] = value;
  return result;
}

ShapeFigures kernel(const std::string& name, unsigned grid,
                    std::vector<std::shared_ptr<const Figures>> launches,
                    std::vector<double> measured = {}) {
  ShapeFigures result{name, {}, std::move(launches), std::move(measured)};
  result.shape.grid = {grid, 1, 1};
  return result;
}

RunFigures run(std::vector<ShapeFigures> kernels, bool on_gpu = false) {
  return {"run.json", on_gpu, "h200", {"./app"}, 0, std::move(kernels)};
}

Comparison compared(RunFigures before, RunFigures after) {
  return compare(std::move(before), std::move(after), [](const std::string&) { return true; });
}

Judgement judged(const std::string& gate, RunFigures before, RunFigures after) {
  return judge({gate_of(gate)}, compared(std::move(before), std::move(after)));
}

TEST(Comparison, EveryCounterAndTheOtherFiguresHaveANameOfTheirOwn) {
  for (size_t i = 0; i < metrics().size(); ++i) EXPECT_EQ(metric_of(metrics()[i].name), i);
  EXPECT_FALSE(metric_of("global_load_sector"));
}

TEST(Comparison, NamesAreMatchedAsNsightComputePrintsThem) {
  for (const auto& [ours, theirs] : std::vector<std::pair<std::string, std::string>>{
           {"sgemm::naive_kernel(sgemm::Problem)", "naive_kernel(Problem)"},
           {"void sgemm::tile<float, 4>(sgemm::Problem)", "void tile<float, (int)4>(T1 *)"},
           {"void (anonymous namespace)::scan<true, 8u>(int*)",
            "void unnamed>::scan<(bool)1, (unsigned int)8>(int *)"},
           {"void a::sort<a::Less<int>, -1>(int*)", "void sort<Less<int>, (int)-1>(T1 *)"}})
    EXPECT_EQ(profiled_name(ours), profiled_name(theirs)) << ours;
  EXPECT_EQ(profiled_name("void f<(int)3>(int)"), "f<3>");
  EXPECT_NE(profiled_name("f<3>()"), profiled_name("f<4>()"));
}

TEST(Comparison, LaunchesOfAShapeAreMatchedInOrder) {
  const auto small = figures({{"global_load_sectors", 1}}),
             large = figures({{"global_load_sectors", 4}});
  const Comparison result = compared(run({kernel("copy", 8, {small, small, small})}),
                                     run({kernel("copy", 8, {small, large, small})}));
  ASSERT_EQ(result.kernels.size(), 1u);
  ASSERT_EQ(result.kernels[0].launches.size(), 2u);
  EXPECT_EQ(result.kernels[0].launches[0].count, 1u);  // what changed stands first
  EXPECT_EQ(result.kernels[0].launches[0].changes[0].difference(), 3);
  EXPECT_FALSE(result.kernels[0].launches[1].changed());
}

// As Triton's autotuner, which launches each of its configurations under one name, and some in one shape.
TEST(Comparison, BuildsOfAKernelAreMatchedByTheirRegistersOrInOrder) {
  const auto build = [](double registers, double sectors) {
    return figures({{"registers", registers}, {"global_load_sectors", sectors}});
  };
  const auto a = build(32, 10), b = build(64, 20), c = build(96, 30), d = build(40, 10);
  const auto changed = [](const Comparison& result) {
    size_t count = 0;
    for (const ComparedLaunches& each : result.kernels.at(0).launches)
      count += each.changed() ? each.count : 0;
    return count;
  };
  // The tuner tries one configuration less, and asks for the others in another order.
  EXPECT_EQ(
      changed(compared(run({kernel("matmul", 8, {a, b, c})}), run({kernel("matmul", 8, {c, b})}))),
      0u);
  // One build takes more registers: it is still the first.
  EXPECT_EQ(
      changed(compared(run({kernel("matmul", 8, {a, b})}), run({kernel("matmul", 8, {d, b})}))),
      1u);
  // The same builds, launched another number of times: the one launch more of the other shows.
  EXPECT_EQ(changed(compared(run({kernel("matmul", 8, {a, a, b})}),
                             run({kernel("matmul", 8, {a, b, b})}))),
            1u);
}

TEST(Comparison, ShapesAreMatchedByShapeOrInOrder) {
  const auto any = figures({});
  const auto grids = [](const Comparison& result) {
    std::vector<std::pair<unsigned, unsigned>> all;
    for (const ComparedKernel& each : result.kernels)
      all.push_back({each.before.grid.x, each.after.grid.x});
    return all;
  };
  using Grids = std::vector<std::pair<unsigned, unsigned>>;
  const RunFigures three =
      run({kernel("a", 4, {any}), kernel("a", 2, {any}), kernel("a", 1, {any})});
  const RunFigures turned =
      run({kernel("a", 1, {any}), kernel("a", 4, {any}), kernel("a", 2, {any})});
  const RunFigures halved =
      run({kernel("a", 2, {any}), kernel("a", 1, {any}), kernel("a", 3, {any})});
  const RunFigures fewer = run({kernel("a", 9, {any}), kernel("a", 1, {any})});
  EXPECT_EQ(grids(compared(three, turned)), (Grids{{4, 4}, {2, 2}, {1, 1}}));
  EXPECT_EQ(grids(compared(three, halved)), (Grids{{4, 2}, {2, 1}, {1, 3}}));
  const Comparison shrunk = compared(three, fewer);
  EXPECT_EQ(grids(shrunk), (Grids{{1, 1}, {4, 9}}));
  ASSERT_EQ(shrunk.only_before.size(), 1u);
  EXPECT_EQ(shrunk.only_before[0].shape.grid.x, 2u);
}

TEST(Comparison, TheCounterOfTheFloorThatMovedExplainsTheTime) {
  const Values before{{"predicted_ns", 12000}, {"global_load_sectors", 4096}, {"branches", 1}};
  const Values after{{"predicted_ns", 15600}, {"global_load_sectors", 16384}, {"branches", 999999}};
  const auto old = figures(before), now = figures(after);
  old->floors = {{Resource::l1, 2e-6}, {Resource::issue, 1e-6}};
  now->floors = {{Resource::l1, 8e-6}, {Resource::issue, 1e-6}};
  const Comparison result = compared(run({kernel("a", 1, {old})}), run({kernel("a", 1, {now})}));
  const auto& because = result.kernels[0].launches[0].because;
  ASSERT_TRUE(because);
  EXPECT_EQ(metrics()[because->metric].name, "global_load_sectors");
  EXPECT_EQ(because->percent(), 300);
}

TEST(Comparison, WithoutAFloorThatMovedTheOccupancyExplainsTheTime) {
  const Comparison result =
      compared(run({kernel("a", 1, {figures({{"predicted_ns", 10}, {"occupancy", 100}})})}),
               run({kernel("a", 1, {figures({{"predicted_ns", 14}, {"occupancy", 50}})})}));
  ASSERT_TRUE(result.kernels[0].launches[0].because);
  EXPECT_EQ(metrics()[result.kernels[0].launches[0].because->metric].name, "occupancy");
}

TEST(Comparison, ARunOnAGpuAndOneWithoutAreRefused) {
  EXPECT_THROW(compared(run({}), run({}, true)), Error);
}

TEST(RankTest, FourApartDifferAndThreeAreTooFew) {
  // R: wilcox.test(1:4, 11:14, exact = FALSE)$p.value is 0.03038
  const SampleComparison apart = compare_samples({1, 2, 3, 4}, {11, 12, 13, 14});
  EXPECT_EQ(apart.verdict, SampleVerdict::differ);
  EXPECT_NEAR(apart.p, 0.03038, 1e-5);
  EXPECT_EQ(compare_samples({1, 2, 3}, {11, 12, 13, 14}).verdict, SampleVerdict::too_few);
}

TEST(RankTest, WhatScattersAlikeIsATie) {
  EXPECT_EQ(compare_samples({1, 2, 3, 4, 5}, {1.1, 2.1, 3.1, 4.1, 5.1}).verdict,
            SampleVerdict::tie);
  EXPECT_EQ(compare_samples({7, 7, 7, 7}, {7, 7, 7, 7}).verdict, SampleVerdict::tie);
  // A shift that a thousand ranks are sure of, and that is a tenth of the spread.
  std::vector<double> before, after;
  for (int i = 0; i < 1000; ++i) before.push_back(i), after.push_back(i + 100);
  const SampleComparison drift = compare_samples(before, after);
  EXPECT_LT(drift.p, 0.001);
  EXPECT_EQ(drift.verdict, SampleVerdict::tie);
}

TEST(Gate, IsExact) {
  const auto of = [](double sectors) {
    return run({kernel("a", 1, {figures({{"global_load_sectors", sectors}})})});
  };
  EXPECT_TRUE(judged("global_load_sectors > +0 %", of(1e9), of(1e9)).violations.empty());
  EXPECT_EQ(judged("global_load_sectors > +0 %", of(1e9), of(1e9 + 1)).violations.size(), 1u);
  EXPECT_EQ(judged("global_load_sectors>0", of(0), of(1)).violations.size(), 1u);
  EXPECT_EQ(judged("global_load_sectors > 900 %", of(0), of(1)).violations.size(), 1u);
  EXPECT_EQ(judged("global_load_sectors>=0", of(5), of(5)).violations.size(), 1u);
  EXPECT_EQ(judged("global_load_sectors < -10%", of(100), of(90)).violations.size(), 0u);
  EXPECT_EQ(judged("global_load_sectors <= -10 %", of(100), of(90)).violations.size(), 1u);
}

TEST(Gate, AnEveningOutAmongLaunchesIsSeen) {
  const auto one = figures({{"stack", 10}}), two = figures({{"stack", 20}});
  EXPECT_EQ(
      judged("stack > 0", run({kernel("a", 1, {one, two})}), run({kernel("a", 1, {two, one})}))
          .violations.size(),
      1u);
}

TEST(Gate, WhatCannotBeJudgedIsSaid) {
  const RunFigures with = run({kernel("a", 1, {figures({{"branches", 1}})})});
  EXPECT_EQ(judged("predicted_ns > 0", with, with).unknown.size(), 1u);
  EXPECT_EQ(judged("branches > 0", with, run({})).unknown.size(),
            2u);  // no such launch, none at all
  EXPECT_TRUE(judged("branches > 0", with, with).unknown.empty());
  const auto ptx = figures({{"branches", 1}});
  ptx->engine = "ptx";
  EXPECT_EQ(judged("branches > 0", with, run({kernel("a", 1, {ptx})})).unknown.size(), 1u);
}

TEST(Gate, MeasuredTimesThatTieHaveNotChanged) {
  const auto of = [](std::vector<double> times) {
    return run({kernel("a", 1, {figures({})}, std::move(times))}, true);
  };
  EXPECT_TRUE(
      judged("measured_ns > 0", of({1, 2, 3, 4}), of({1.5, 2.5, 3.5, 4.5})).violations.empty());
  EXPECT_EQ(judged("measured_ns > 10 %", of({1, 2, 3, 4}), of({11, 12, 13, 14})).violations.size(),
            1u);
  EXPECT_EQ(judged("measured_ns > 10 %", of({1}), of({11})).unknown.size(), 1u);
}

TEST(Gate, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "registers", "> 0", "registers >", "registers > +-1", "registers > ++1",
        "registers > 1 2", "registers > nan", "registers > inf %", "registers == 1",
        "registers > %", "registers > 1 % 2", "registers => 1"})
    EXPECT_THROW(gate_of(text), Error) << text;
  try {
    gate_of("global_load_sector > 0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint.find("'global_load_sectors'"), std::string::npos);
  }
}

}  // namespace
}  // namespace headroom
