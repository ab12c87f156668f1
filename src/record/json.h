// The record's nouns as JSON, keys in the order of the structs. Used by the record's lines and by
// `--json`.
//
//   {"index": 0, "kernel": "saxpy(…)", "grid": [4096, 1, 1], …, "resources": {…}, "counters": {…}}
#pragma once
#include <nlohmann/json.hpp>

#include "record/record.h"
#include "record/timing.h"

namespace headroom {

nlohmann::ordered_json to_json(const Counters&, Engine);
nlohmann::ordered_json to_json(const Dim3&);
nlohmann::ordered_json to_json(const LaunchShape&);
nlohmann::ordered_json to_json(const Finding&);
nlohmann::ordered_json to_json(const Transfer&);
nlohmann::ordered_json to_json(const LaunchRecord&);
// Of its keys, those that say what was launched, and those that say what came of it, but counters.
nlohmann::ordered_json launched_json(const LaunchRecord&);
nlohmann::ordered_json outcome_json(const LaunchRecord&);
nlohmann::ordered_json to_json(const MachineListing&);
// Counts by name, each a list by instruction; a name that is not there counts nothing.
nlohmann::ordered_json to_json(const std::vector<InstructionCounts>&);
nlohmann::ordered_json to_json(const std::vector<StallCycles>&);  // … and whole cycles
nlohmann::ordered_json whole_stalls(const StallCycles&);          // without those that are 0
nlohmann::ordered_json to_json(const LaunchTiming&);
nlohmann::ordered_json to_json(const CopyTiming&);
nlohmann::ordered_json to_json(const GpuDevice&);

nlohmann::ordered_json to_json(const AccessExample&);

// Throw nlohmann::json::exception where a key is missing or of another type.
Counters counters_from(const nlohmann::ordered_json&);
Finding finding_from(const nlohmann::ordered_json&);
Transfer transfer_from(const nlohmann::ordered_json&);
LaunchRecord launch_from(const nlohmann::ordered_json&);  // without its `source`
MachineListing listing_from(const nlohmann::ordered_json&);
// Throws Error where there are not as many as instructions.
std::vector<InstructionCounts> instruction_counts_from(const nlohmann::ordered_json&,
                                                       size_t instructions);
std::vector<StallCycles> stall_cycles_from(const nlohmann::ordered_json&, size_t instructions);

// Throws Error where it is of no instruction of so many.
AccessExample example_from(const nlohmann::ordered_json&, size_t instructions);

}  // namespace headroom
