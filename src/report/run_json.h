// The report as JSON, for programs. Keys are promises: they are added, never renamed, within one
// schema id.
//
//   {"schema": "headroom-run/1",
//    "program": {"command": ["./saxpy"], "exit_code": 0, "signal": null},
//    "machine": {…}, "launches": [{"kernel": …, "counters": {…}, "occupancy": {…}, "floors": […]}],
//    "totals": {…}}
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

inline constexpr const char* run_schema = "headroom-run/1";

std::string run_json(const Explanation&);

}  // namespace headroom
