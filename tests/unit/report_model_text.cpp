// The two renderings that need no run: `headroom occupancy` and `headroom machine`, against
// tests/golden/report. HEADROOM_REBASE=1 writes the golden files anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/read_file.h"
#include "report/format.h"
#include "report/machine_document.h"
#include "report/occupancy_document.h"
#include "report/text.h"

namespace headroom {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  std::string path = std::string(HEADROOM_SOURCE) + "/tests/golden/report/" + name + ".txt";
  if (std::getenv("HEADROOM_REBASE")) std::ofstream(path) << text;
  EXPECT_EQ(text, load_file(path)) << path;
}

std::string on(const std::string& name, const BlockShape& shape) {
  Machine machine = load_machine(name);
  return draw_text(occupancy_document(machine, shape, occupancy(machine, shape)), {});
}

TEST(OccupancyText, OfAKernelWithSeveralLimiters) {
  expect_golden("occupancy_a6000", on("a6000", {1024, 37, 8192, 0, {}}));
}

TEST(OccupancyText, OfAKernelLimitedBySharedMemory) {
  expect_golden("occupancy_k40", on("k40", {128, 80, 11264, 0, {}}));
}

TEST(OccupancyText, OfABlockThatIsTooLarge) {
  expect_golden("occupancy_impossible", on("h200", {1100, 32, 0, 300000, {}}));
}

TEST(OccupancyText, OfAKernelWhoseRegistersAreUnknown) {
  expect_golden("occupancy_unknown", on("g80", {64, std::nullopt, 0, 1024, {}}));
}

// What a source says beside what the rules give. Where the two differ the source contradicts
// itself.
TEST(OccupancyText, OfEveryWorkedExampleOfTheSources) {
  struct Example {
    const char *source, *machine;
    BlockShape shape;
    const char* says;
  };
  const Example examples[] = {
      {"[boehm] tile kernel", "a6000", {1024, 37, 8192, 0, {}}, "1 block, 66 %"},
      {"[boehm] all of 48 KB", "a6000", {128, 37, 49152, 0, {}}, "2 blocks by shared memory"},
      {"[mgpu] 11 264 B", "gtx480", {128, 63, 11264, 0, {}}, "4 blocks, 25 %"},
      {"[mgpu] 11 264 B", "k40", {128, 80, 11264, 0, {}}, "4 blocks, 25 %"},
      {"[mgpu] smaller grain", "gtx480", {128, 48, 6144, 0, {}}, "5 blocks"},
      {"[mgpu] smaller grain", "k40", {128, 48, 6144, 0, {}}, "8 blocks"},
      {"[mgpu] launch bounds (128, 7)", "gtx480", {128, 36, 6144, 0, {}}, "7 blocks"},
      {"[mgpu] 63 registers", "gtx680", {256, 63, 0, 0, {}}, "50 %"},
      {"[mgpu] 255 registers", "k40", {256, 255, 0, 0, {}}, "12.5 %"},
      {"[mgpu] eight staged values", "k40", {128, 32, 4096, 0, {}}, "75 %"},
      {"[volkov] CUBLAS 1.1, 512 threads (16 registers assumed)",
       "g80",
       {512, 16, 0, 0, {}},
       "67 %"},
      {"[volkov] CUBLAS 2.0, 64 threads (30 registers assumed)", "g80", {64, 30, 0, 0, {}}, "33 %"},
  };
  Grid grid{.columns = {{"example", Align::left, Give::words},
                        {"machine", Align::left},
                        {"the source says", Align::left},
                        {"blocks"},
                        {"occupancy"},
                        {"limited by", Align::left}},
            .indent = 0};
  for (const Example& example : examples) {
    Occupancy result = occupancy(load_machine(example.machine), example.shape);
    grid.rows.push_back({example.source, example.machine, example.says,
                         std::to_string(result.blocks), text::percent(result.fraction),
                         fmt::format("{}", fmt::join(result.limiters, ", "))});
  }
  expect_golden("occupancy_worked_examples", draw_text({"", {grid}}, Style{140}));
}

TEST(MachineText, ListsEveryMachine) {
  expect_golden("machine_list", draw_text(machine_list(), {}));
}

TEST(MachineText, ShowsEveryFactWithItsSource) {
  expect_golden("machine_h200", draw_text(machine_document(load_machine("h200")), {}));
  expect_golden("machine_g80", draw_text(machine_document(load_machine("g80")), {}));
}

TEST(MachineText, SetsWhatProbesMeasuredBesideTheFacts) {
  const auto value = [](const char* name, const char* unit, double median, double most) {
    return MeasuredValue{name, unit, "LDG.E.128", {}, median, median, most, 10};
  };
  Measured measured{"h200", "NVIDIA H200", "580.1", "13.0.88", {}};
  ProbeResult l2, latency;
  l2.name = "l2";
  l2.date = "2026-11-22T03:00Z";
  l2.seconds = 1.5;
  l2.sm_clock = Clock{1980, 1965, 1980};
  l2.values = {value("read", "GB/s", 5240, 5250), value("best", "GB/s", 9135.7, 9141)};
  l2.values[0].at = {{"MiB", 0.25}};
  l2.caveats = {{"what is doubtful", "its cause", "what to do"}};
  latency.name = "latency";
  latency.values = {value("ffma", "cycles", 4, 4), value("shl", "cycles", 8, 8)};
  ProbeResult dram;
  dram.name = "dram";
  dram.values = {value("read", "GB/s", 4595, 4600)};
  measured.probes = {dram, latency, l2};
  expect_golden("machine_h200_measured",
                draw_text(machine_document(load_machine("h200"), measured), {}));
  expect_golden("measured", draw_text(measured_document(measured), {}));
}

}  // namespace
}  // namespace headroom
