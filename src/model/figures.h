// The figures of a run that two runs are compared by, each by its name: all counters, and what else
// a record says of a launch.
//
//   metric_of("global_load_sectors")  ->  Metric{"global_load_sectors", "sectors"}, its index below
//   Figures{State::ran, "machine", values {…, 4096, …}}: values[i] belongs to metrics()[i]
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/explanation.h"
#include "model/resource.h"
#include "record/launch.h"

namespace headroom {

struct Metric {
  std::string_view name, unit;
};
// Counters first, in their own order.
const std::vector<Metric>& metrics();
// Absent: none is called so.
std::optional<size_t> metric_of(std::string_view name);

// These two are of all launches of a shape together, and no launch's value.
inline constexpr std::string_view measured_metric = "measured_ns", launches_metric = "launches";

// Of one launch.
struct Figures {
  State state = State::ran;
  std::string engine;                         // "" measured
  std::vector<std::optional<double>> values;  // by metric; absent: not known
  std::vector<std::pair<Resource, double>> floors;
  friend bool operator==(const Figures&, const Figures&) = default;
};

// Of one launch, by metric.
std::vector<std::optional<double>> values_of(const ExplainedLaunch&);

// The launches of one kernel with one grid, block, cluster and shared memory, in order. Those with
// equal figures share them: a program may launch a million times.
struct ShapeFigures {
  std::string kernel;
  LaunchShape shape;  // without the mangled name, and without what is only a wish: the carve-out
  std::vector<std::shared_ptr<const Figures>> launches;
  std::vector<double> measured;  // ns
};

struct RunFigures {
  std::string file;
  bool on_gpu = false;
  std::string machine;  // that was imitated, or the GPU's name; "" not told
  std::vector<std::string> command;
  std::optional<double> of_calls;     // findings of the program's calls, not of a launch
  std::vector<ShapeFigures> kernels;  // in order of their first launch
  // By Nsight Compute: counted on a GPU, and only what was asked for.
  bool profiled = false;
  bool counted() const { return !on_gpu || profiled; }
};

}  // namespace headroom
