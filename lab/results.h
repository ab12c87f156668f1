// What was measured on a GPU: one file a study and GPU (results/<gpu>/<study>.json), of one schema.
//
//   {"schema": "headroom-results/1", "study": "copy", "gpu": "NVIDIA H200", "machine": "h200",
//    "driver": "580.159.04", "toolkit": "13.0.88", "date": "2026-11-22", "command": ["copy --bytes
//    …"], "clocks": [{"what": "sm_mhz", "least": 1980, "median": 1980, "most": 1980}], "rows":
//    [{"variant": "8 float4", "occupancy, %": 6.2, "GB/s": 3394, "spread, %": 0.2}]}
//
//   figures(by, results, {"variant", "occupancy, %"}, h200)   the figures of a table, by key
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/published.h"
#include "machine/machine.h"
#include "run/gpu_watch.h"

namespace headroom {

struct Results {
  std::string study, title, gpu, machine, driver, toolkit, date, flags, method;
  std::vector<std::string> commands;
  std::vector<ClockRange> clocks;
  std::vector<Key> rows;
  std::string from;  // the file, or "measured now"
};

inline constexpr const char* results_schema = "headroom-results/1";

// Throws Error: no such file of ours, or what is missing in it.
Results parse_results(const std::string& json, const std::string& where);
std::string results_json(const Results&);
// The same with what a program wrote itself: its rows, or an object that has them beside others. A row a
// line.
std::string results_json(const Results&, const nlohmann::ordered_json& written);

std::vector<Results> embedded_measurements();

struct Figure {
  Key key;
  double value = 0;
  std::optional<double> spread;  // %, of the row it is from
};
// The rows of `results` that `by` wants, as figures with the key of a table; `machine` is that of
// the GPU measured and may be absent.
std::vector<Figure> figures(const MeasureBy& by, const Results& results,
                            const std::vector<std::string>& key, const Machine* machine);

}  // namespace headroom
