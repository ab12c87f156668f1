// What was measured: one row a kernel and shape; beside the floors where its
// launches were counted; one row a kind of copy.
//
//   headroom: ./sgemm: NVIDIA H200, 30 launches of 3 kernels measured; exit code 0
//
//     kernel        n  grid × block  regs  occupancy  median µs  total µs  share  spread
//     naive_kernel  10  8·8 × 32·32    32  100 %           48.2       483   61 %   1.2 %
#pragma once
#include <string>

#include "model/measured_explanation.h"
#include "report/document.h"

namespace headroom {

Document gpu_document(const MeasuredExplanation&);

// Each launch of the kernels of `groups` by itself, or a line that nothing matched `pattern`.
Document gpu_launches_document(const MeasuredExplanation&,
                               const std::vector<const MeasuredGroup*>& groups,
                               const std::string& pattern);

}  // namespace headroom
