// What probes print, the file that keeps it, and which machine it belongs to.
#include <gtest/gtest.h>

#include "machine/measured.h"

namespace headroom {
namespace {

constexpr const char* lines =
    R"({"seed": 7}
{"value": "ffma", "unit": "cycles", "instruction": "FFMA", "median": 4.02, "least": 4, "most": 4.5, "samples": 21}
{"value": "read", "unit": "GB/s", "instruction": "LDG.E.128", "at": {"KiB": 64}, "median": 1, "least": 1, "most": 1, "samples": 3}
{"check": "ffma", "passed": true, "checked": 32}
{"check": "lop3", "passed": false, "checked": 8}
{"caveat": {"what": "w", "cause": "c", "advice": "a"}}
{"end": true}
)";

TEST(ReadProbe, TakesValuesChecksAndCaveats) {
  const ProbeResult result = read_probe("latency", lines);
  EXPECT_EQ(result.name, "latency");
  EXPECT_EQ(result.seed, 7u);
  ASSERT_EQ(result.values.size(), 2u);
  EXPECT_EQ(result.values[0].name, "ffma");
  EXPECT_EQ(result.values[0].median, 4.02);
  EXPECT_EQ(result.values[0].samples, 21);
  EXPECT_EQ(result.values[1].at.at("KiB"), 64);
  EXPECT_EQ(result.checked, 40);
  EXPECT_EQ(result.failed, std::vector<std::string>{"lop3"});
  EXPECT_EQ(result.caveats.at(0).advice, "a");
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.error, "");
}

TEST(ReadProbe, SaysWhyThereIsNothing) {
  EXPECT_EQ(
      read_probe(
          "x",
          R"({"error": "cudaErrorNoDevice", "text": "no CUDA-capable device", "call": "probe.cuh:9"})")
          .error,
      "no CUDA-capable device (cudaErrorNoDevice)");
  EXPECT_EQ(read_probe("x", "Segmentation fault\n").error,
            "it printed 'Segmentation fault', which is no line of a probe");
  EXPECT_FALSE(read_probe("x", "").ended);
}

TEST(ReadProbe, EveryPrefixIsReadWithoutACrash) {
  const std::string all = lines;
  for (size_t size = 0; size < all.size(); ++size) {
    const ProbeResult result = read_probe("latency", all.substr(0, size));
    EXPECT_TRUE(!result.ended || size + 1 >= all.size()) << size;
  }
}

TEST(MeasuredFile, IsReadBackAsItWasWritten) {
  Measured measured{"h200", "NVIDIA H200", "580.1", "13.0.88", {read_probe("latency", lines)}};
  measured.probes[0].date = "2026-11-22T03:00Z";
  measured.probes[0].seconds = 1.5;
  measured.probes[0].sm_clock = Clock{1980, 1965, 1980};
  const std::string text = measured_json(measured);
  const Measured back = parse_measured(text, "h200.json");
  EXPECT_EQ(measured_json(back), text);
  EXPECT_EQ(back.gpu, "NVIDIA H200");
  ASSERT_TRUE(back.find("latency", "ffma"));
  EXPECT_EQ(back.find("latency", "ffma")->most, 4.5);
  EXPECT_FALSE(back.find("latency", "read")) << "a point of a curve is no value of its own";
  EXPECT_FALSE(back.find("dram", "read"));
  EXPECT_EQ(back.probes[0].sm_clock->least, 1965);
  EXPECT_FALSE(back.probes[0].memory_clock);
}

TEST(MeasuredFile, OfAnotherKindIsRefused) {
  for (const char* text : {"", "{}", "[1]", R"({"machine": 3})", R"({"machine": "h200", "gpu": "x",
       "driver": "1", "toolkit": "2", "probes": {"a": {}}})"}) {
    try {
      parse_measured(text, "mine.json");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.where, "mine.json");
      EXPECT_TRUE(error.problem.starts_with("is no file of measurements: ")) << error.problem;
    }
  }
}

TEST(MeasuredOf, FindsTheFactOfAMachineThatAProbeMeasures) {
  const Measured measured{"h200", "", "", "", {read_probe("latency", lines)}};
  int found = 0;
  for (const MachineField& field : machine_fields())
    if (const MeasuredValue* value = measured_of(measured, field)) {
      EXPECT_EQ(field.name, "alu_latency");
      EXPECT_EQ(value->unit, field.unit);
      ++found;
    }
  EXPECT_EQ(found, 1);
}

// Every shipped file: readable, of a machine that is shipped, its checks passed, its units those of
// the facts beside which they are shown.
TEST(ShippedMeasurements, StandBesideTheFactsOfTheirMachine) {
  for (const std::string& name : machine_names()) {
    const auto measured = load_measured(name);
    if (!measured) continue;
    EXPECT_EQ(measured->machine, name);
    for (const ProbeResult& result : measured->probes) {
      EXPECT_GT(result.checked, 0) << name << " " << result.name;
      for (const MeasuredValue& value : result.values) {
        EXPECT_LE(value.least, value.median) << result.name << " " << value.name;
        EXPECT_LE(value.median, value.most) << result.name << " " << value.name;
        EXPECT_GT(value.samples, 0) << result.name << " " << value.name;
      }
    }
  }
}

// A floor divides by the rate: one that was ever passed would make it more than a time that was
// measured. 1 % is the clocks' and the rounding of facts.
TEST(ShippedMeasurements, ShowNoMemoryQuickerThanItsFact) {
  const Machine machine = load_machine("h200");
  const auto measured = load_measured("h200");
  ASSERT_TRUE(measured);
  const std::pair<const char*, double> facts[] = {{"l2", *machine.l2_bandwidth},
                                                  {"dram", *machine.dram_bandwidth}};
  for (const auto& [name, ceiling] : facts) {
    const ProbeResult* probe = measured->find(name);
    ASSERT_TRUE(probe) << name;
    int compared = 0;
    for (const MeasuredValue& value : probe->values) {
      if (value.unit != "GB/s") continue;
      EXPECT_LE(value.most, 1.01 * ceiling) << name << " " << value.name;
      ++compared;
    }
    EXPECT_GT(compared, 3) << name;
  }
}

}  // namespace
}  // namespace headroom
