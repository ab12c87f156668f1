// All that the page of a run draws of one kernel in one shape, as JSON.
//
//   {"about": "from ptxas …", "floors": [["L1/TEX", 3.4e-05, …], …], "waits": […], "advice": […],
//    "limits": […], "memory": […], "shared": […], "source": {…}, "caveats": […]}
#pragma once
#include <nlohmann/json.hpp>

#include "model/explanation.h"

namespace headroom {

nlohmann::ordered_json page_kernel(const Explanation&, const KernelGroup&);

}  // namespace headroom
