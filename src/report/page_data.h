// What the page of a run (page.h) draws, as JSON that its script reads: numbers of the record and of
// the model, nothing computed. Rows are arrays, as there may be thousands of kernels.
//
//   {"machine": {"title": "NVIDIA H200 …", "roofs": […]}, "totals": {…},
//    "names": ["saxpy(int, …)"], "short": ["saxpy"],
//    "columns": ["name", "launches", …], "kernels": [[0, 3, …], …],
//    "curves": […], "details": [{"floors": […], "waits": […], "curves": 0, "source": {…}}, …]}
//
// Kernels stand by the time of all their launches, the longest first; `details` are of the first of
// them, as many as fit.
#pragma once
#include <string>

#include "model/explanation.h"

namespace headroom {

// Of a text of at most about so many bytes; more where the rows alone are longer.
std::string page_data(const Explanation&, size_t most_bytes);

}  // namespace headroom
