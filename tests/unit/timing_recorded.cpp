// What was recorded on an H200 (results/h200/timing.json, by studies/timing), replayed: the same
// samples give the same median, error, end and caveats today. HEADROOM_REBASE=1 writes the errors
// and caveats of today into the record; samples and clocks stay.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "headroom/timing/doubts.h"
#include "timing_replay.h"

namespace {

using namespace headroom::timing;

using json = nlohmann::ordered_json;
constexpr const char* record = HEADROOM_SOURCE "/results/h200/timing.json";

const json& recorded() {
  static const json all = json::parse(std::ifstream(record));
  return all;
}

std::optional<unsigned> known(const json& row, const char* name) {
  if (!row.contains(name)) return {};
  return row[name].get<unsigned>();
}

replay::Samples seconds_of(const json& row) {
  auto seconds = row["microseconds"].get<replay::Samples>();
  for (double& value : seconds) value *= 1e-6;
  return seconds;
}

Limits limits_of(const json& row) {
  return {row["target"], row["least"], row["most"], row["most_seconds"]};
}

Timing timing_of(const json& row) {
  Timing timing;
  timing.seconds = seconds_of(row);
  timing.batch = row["batch"];
  timing.stop = row["stop"] == "converged" ? Stop::converged
                : row["stop"] == "count"   ? Stop::count
                                           : Stop::time;
  timing.resolution = row["resolution"];
  if (row.contains("empty")) timing.empty = row["empty"].get<double>();
  for (const json& seen : row["clocks"]) {
    Clocks clocks;
    clocks.sample = seen["sample"];
    clocks.sm_mhz = known(seen, "sm_mhz");
    clocks.memory_mhz = known(seen, "memory_mhz");
    clocks.reasons = known(seen, "reasons");
    clocks.processes = known(seen, "processes");
    timing.clocks.push_back(clocks);
  }
  return timing;
}

// The plan's own caveats, which are not the samples', stand first.
bool of_the_samples(const std::string& caveat) {
  return caveat.find("the start gate was not used") == std::string::npos &&
         caveat.find("the host's clock waits") == std::string::npos;
}

json derived(const json& row) {
  Timing timing = timing_of(row);
  add_doubts(timing, limits_of(row));
  json now = row;
  now["median"] = timing.median();
  now["relative_error"] = timing.relative_error();
  now["caveats"] = json::array();
  for (const json& caveat : row["caveats"]) {
    if (!of_the_samples(caveat)) now["caveats"].push_back(caveat);
  }
  for (const Caveat& caveat : timing.caveats) now["caveats"].push_back(text(caveat));
  return now;
}

void rebase() {
  std::string text = "{";
  for (const auto& [name, value] : recorded().items()) {
    text += (text.size() > 1 ? ",\n " : "") + json(name).dump() + ": ";
    if (!value.is_array()) {
      text += value.dump();
      continue;
    }
    for (size_t i = 0; i < value.size(); ++i) {
      text += (i ? ",\n  " : "[\n  ") + (name == "rows" ? derived(value[i]) : value[i]).dump();
    }
    text += "]";
  }
  std::ofstream(record) << text << "}\n";
}

TEST(Recorded, SamplesGiveTheSameMedianErrorAndCaveats) {
  if (std::getenv("HEADROOM_REBASE")) return rebase();
  ASSERT_GT(recorded()["rows"].size(), 30u);
  size_t caveats = 0;
  for (const json& row : recorded()["rows"]) {
    const json now = derived(row);
    EXPECT_DOUBLE_EQ(now["median"].get<double>(), row["median"].get<double>()) << row["work"];
    EXPECT_DOUBLE_EQ(now["relative_error"].get<double>(), row["relative_error"].get<double>());
    EXPECT_EQ(now["caveats"], row["caveats"]) << row["work"];
    caveats += row["caveats"].size();
  }
  EXPECT_GT(caveats, 20u);
}

TEST(Recorded, SamplesEndTheLoopWhereTheyDid) {
  size_t checked = 0;
  for (const json& row : recorded()["rows"]) {
    if (row["stop"] == "time") continue;  // when that was is not recorded
    replay::Replay source(seconds_of(row), 1e-9);
    Timing timing;
    collect(limits_of(row), source, timing);
    EXPECT_EQ(timing.seconds, source.samples) << row["work"];
    EXPECT_EQ(timing.stop == Stop::converged, row["stop"] == "converged") << row["work"];
    ++checked;
  }
  EXPECT_GT(checked, 25u);
}

// What the study is there to show.
TEST(Recorded, GateKeepsLaunchGapsOutAndTheFlushFlushes) {
  const auto median_of = [](const char* work, bool gated, const char* cache, const char* clock) {
    for (const json& row : recorded()["rows"]) {
      if (row["work"] == work && row["gated"] == gated && row["cache"] == cache &&
          row["clock"] == clock && row["stream"] == "default" && row["batch"] == 1) {
        return row["median"].get<double>();
      }
    }
    ADD_FAILURE() << work;
    return 0.0;
  };
  for (double us : {5, 20, 100, 1000}) {
    const std::string wait = "wait " + std::to_string(int(us)) + " us";
    const double gated = median_of(wait.c_str(), true, "hot", "gpu") * 1e6 - us;
    EXPECT_GT(gated, 0) << wait;
    EXPECT_LT(gated, 4) << wait;
    EXPECT_GT(median_of(wait.c_str(), false, "hot", "gpu") * 1e6 - us, gated + 2) << wait;
    EXPECT_GT(median_of(wait.c_str(), false, "hot", "cpu") * 1e6 - us, gated + 4) << wait;
  }
  EXPECT_GT(median_of("read 20 MiB", true, "cold", "gpu"),
            1.2 * median_of("read 20 MiB", true, "hot", "gpu"));
}

// A run's median lies within its error of the median of all: of those recorded, most; and all where
// no run was further away than a step of the clock, which the error is at least.
TEST(Recorded, ClaimsHold) {
  constexpr double step = 32e-9, rounding = 1e-12;
  ASSERT_GT(recorded()["claims"].size(), 10u);
  for (const json& claim : recorded()["claims"]) {
    const double farthest = claim["farthest"].get<double>() * claim["median"].get<double>();
    EXPECT_TRUE(claim["held"] >= 0.9 || farthest <= step + rounding) << claim.dump();
  }
}

}  // namespace
