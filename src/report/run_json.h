// The report as JSON, for programs. Keys are promises: they are added, never renamed, within one
// schema id.
//
//   {"schema": "headroom-run/2",
//    "program": {"command": ["./saxpy"], "exit_code": 0, "signal": null},
//    "machine": {…}, "launches": [{"kernel": …, "counters": {…}, "occupancy": {…}, "floors": […]}],
//    "totals": {…}}
//
// A launch that is as an earlier one, but for what it alone can be, has its place in the list instead
// of all the rest; so that of a kernel launched ten thousand times each further launch takes a line:
//
//   {"index": 7, "process": 4711, "executor_seconds": 7.1e-05, "same_as": 0}
//
// Version 1 had every launch whole; both are read.
//
// With --source a launch has its instructions too, counts of 0 left out:
//
//   "source": [{"file": "/home/me/saxpy.cu", "line": 6,
//               "instructions": [{"address": 208, "text": "LDG.E R2, …", "executed": 2048, …,
//                                 "access": {"space": "global", "use": "load", "lanes": 4294967295, …}}]}]
#pragma once
#include <string>

#include "model/explanation.h"

namespace headroom {

inline constexpr const char *run_schema = "headroom-run/2", *whole_run_schema = "headroom-run/1";

std::string run_json(const Explanation&);

}  // namespace headroom
