// What was measured as JSON, with every launch and copy; keys are promises as in run_json.h.
//
//   {"schema": "headroom-timing/1", "program": {…}, "gpu": {"name": "NVIDIA H200", …},
//    "kernels": […], "transfers": […], "caveats": […],
//    "launches": [{"kernel": …, "seconds": 1.2e-05, "floor_seconds": 8.3e-06, …}], "copies": […]}
#pragma once
#include <string>

#include "model/measured_explanation.h"

namespace headroom {

std::string gpu_json(const MeasuredExplanation&);

}  // namespace headroom
