// What was measured, on a terminal: one row a kernel and shape; beside the floors where its
// launches were counted; one row a kind of copy.
//
//   headroom: ./sgemm: NVIDIA H200, 30 launches of 3 kernels measured; exit code 0
//
//     kernel        n  grid × block  regs  occupancy  median µs  total µs  share  spread
//     naive_kernel  10  8·8 × 32·32    32  100 %           48.2       483   61 %   1.2 %
#pragma once
#include <string>

#include "model/measured_explanation.h"
#include "report/style.h"

namespace headroom {

std::string gpu_text(const MeasuredExplanation&, const Style&);

// Each launch of the kernels of `groups` by itself, or a line that nothing matched `pattern`.
std::string gpu_launches_text(const MeasuredExplanation&,
                              const std::vector<const MeasuredGroup*>& groups,
                              const std::string& pattern, const Style&);

}  // namespace headroom
