// The rows of this study: a table for people, and JSON with every sample and clock for programs.
//
//   rows.add("read 20 MiB", plan, timing);
//   rows.print();  rows.write(json);
#pragma once
#include <headroom/timing.cuh>
#include <string>
#include <vector>

#include "studies/common/caveats.h"
#include "studies/common/json.h"
#include "studies/common/table.h"

namespace study {

struct Row {
  std::string work;
  headroom::timing::Plan plan;
  headroom::timing::Timing timing;
};

class Rows {
 public:
  void add(const std::string& work, const headroom::timing::Plan& plan,
           const headroom::timing::Timing& timing) {
    rows_.push_back({work, plan, timing});
  }

  void print() const {
    using namespace headroom::timing;
    Table table({"work", "clock", "L2", "stream", "gate", "batch", "samples", "median, us", "+- %",
                 "spread, %"});
    for (const auto& [work, plan, timing] : rows_) {
      table.row({work, timing.clock == Clock::gpu ? "events" : "host",
                 timing.cache == Cache::hot ? "hot" : "cold", plan.stream ? "own" : "default",
                 timing.gated ? "yes" : "no", number(timing.batch, 0),
                 number(double(timing.seconds.size()), 0), number(timing.median() * 1e6, 3),
                 number(timing.relative_error() * 100, 2), number(timing.spread() * 100, 1)});
    }
    table.print();
    Caveats caveats;
    for (const auto& [work, plan, timing] : rows_) {
      const std::string gate = timing.gated ? "" : ", no gate";
      const std::string clock = timing.clock == Clock::gpu ? gate : ", host's clock";
      caveats.add(work + clock, timing.caveats);
    }
    caveats.print();
  }

  void write(Json& json) const {
    using namespace headroom::timing;
    json.begin('[');
    for (const auto& [work, plan, timing] : rows_) {
      json.begin('{');
      json.pair("work", work);
      json.pair("clock", timing.clock == Clock::gpu ? "gpu" : "cpu");
      json.pair("cache", timing.cache == Cache::hot ? "hot" : "cold");
      json.pair("stream", plan.stream ? "own" : "default");
      json.pair("gated", timing.gated);
      json.pair("batch", timing.batch);
      json.pair("target", plan.target);
      json.pair("least", plan.min_samples);
      json.pair("most", plan.max_samples);
      json.pair("most_seconds", plan.max_seconds);
      json.pair("stop", timing.stop == Stop::converged ? "converged"
                        : timing.stop == Stop::count   ? "count"
                                                       : "time");
      json.pair("resolution", timing.resolution);
      if (timing.empty) json.pair("empty", *timing.empty);
      json.pair("median", timing.median());
      json.finite("relative_error", timing.relative_error());
      json.pair("microseconds", microseconds(timing.seconds));
      json.key("clocks");
      json.begin('[');
      for (const Clocks& seen : timing.clocks) write(json, seen);
      json.end();
      json.key("caveats");
      json.begin('[');
      for (const Caveat& caveat : timing.caveats) json.value(text(caveat));
      json.end();
      json.end();
    }
    json.end();
  }

 private:
  static std::vector<double> microseconds(std::vector<double> seconds) {
    for (double& value : seconds) value *= 1e6;
    return seconds;
  }

  static void write(Json& json, const headroom::timing::Clocks& seen) {
    const auto known = [&](const char* name, const auto& value) {
      if (value) json.pair(name, size_t(*value));
    };
    json.begin('{');
    json.pair("sample", seen.sample);
    known("sm_mhz", seen.sm_mhz);
    known("memory_mhz", seen.memory_mhz);
    known("most_sm_mhz", seen.max_sm_mhz);
    known("celsius", seen.celsius);
    known("reasons", seen.reasons);
    known("processes", seen.processes);
    json.end();
  }

  std::vector<Row> rows_;
};

}  // namespace study
