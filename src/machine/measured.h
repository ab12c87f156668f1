// What probes said of one GPU: machines/measured/*.json, compiled in as the machines' facts are.
//
//   h200.json: {"probes": {"latency": {"values": [{"value": "ffma", "unit": "cycles", "median": 4, …}]}}}
//   load_measured("h200")->find("latency", "ffma")->median == 4
//
// Unknown is absent: a probe that did not run, or whose checks failed, has no values.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"

namespace headroom {

struct MeasuredValue {
  std::string name, unit;
  std::string instruction;           // what was timed: "FFMA"
  std::map<std::string, double> at;  // the point of a curve: {"KiB": 64}
  double median = 0, least = 0, most = 0, samples = 0;
};

struct Clock {
  double median = 0, least = 0, most = 0;  // MHz
};

// What one probe left behind.
struct ProbeResult {
  std::string name;  // "latency"
  std::string date;  // when it ended, UTC
  double seconds = 0;
  unsigned seed = 0;
  std::vector<MeasuredValue> values;
  double checked = 0;               // inputs that were verified
  std::vector<std::string> failed;  // checks that were not passed
  std::vector<Caveat> caveats;
  std::optional<Clock> sm_clock, memory_clock;  // while it ran
  bool ended = false;                           // it said all it had to say
  std::string error;                            // why it did not
};

struct Measured {
  std::string machine;  // "h200"
  std::string gpu, driver, toolkit;
  std::vector<ProbeResult> probes;
  const ProbeResult* find(std::string_view probe) const;
  // The value without a point, or nothing.
  const MeasuredValue* find(std::string_view probe, std::string_view value) const;
};

// A probe's lines of output, as machines/probes/probe.cuh describes them. A line that is none of
// those ends in `error`.
ProbeResult read_probe(const std::string& name, const std::string& lines);

Measured parse_measured(const std::string& json, const std::string& where);
std::string measured_json(const Measured&);

// What is shipped for this machine, if anything is.
std::optional<Measured> load_measured(const std::string& machine);

// The same thing as a fact of the machine, measured, where a probe measures it.
const MeasuredValue* measured_of(const Measured&, const MachineField&);

}  // namespace headroom
