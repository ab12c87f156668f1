// A run as a timeline for Perfetto (ui.perfetto.dev) and chrome://tracing: the Trace Event Format, a
// row a stream, times in µs.
//
//   {"displayTimeUnit": "ns", "otherData": {"times": "predicted …", …}, "traceEvents": [
//    {"ph": "X", "cat": "kernel", "name": "saxpy", "pid": 1, "tid": 0, "ts": 0, "dur": 6.99, "args": {…}}, …]}
//
// Of a run on the executor: launches one after the other in the order of the calls, each as long as
// is predicted, or as its largest floor says, copies and fills between them as long as their bytes
// take, and a row `host` with the waits for them. Of a run on a GPU:
// launches and copies when they ran and as long as they took.
#pragma once
#include <string>

#include "model/explanation.h"
#include "model/measured_explanation.h"

namespace headroom {

std::string run_trace(const Explanation&);
std::string gpu_trace(const MeasuredExplanation&);

}  // namespace headroom
