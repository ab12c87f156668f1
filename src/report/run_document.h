// The report of a run on the executor: one row per kernel, or the whole story of some.
//
//   headroom: ./sgemm: NVIDIA H200 SXM, 3 launches of 3 kernels; exit code 0
//
//     kernel       n  grid × block regs  occupancy       sectors    bank  floor   sum  bound by
//                                                    / request  confl.     µs    µs
//     sgemm_naive  1  32·32 × 32·32  40  50 % registers   16.5/4.0       –   12.4  12.4  load/store
#pragma once
#include <string>
#include <vector>

#include "model/explanation.h"
#include "report/document.h"

namespace headroom {

// Findings, the line on the program, the table, what binds, legend and caveats.
Document run_document(const Explanation&);

// Everything known about one kernel in one shape.
// With `equations`: how its figures come about.
Document kernel_document(const Explanation&, const KernelGroup&, bool equations = false);

// The findings and kernel_document of each group named, or a line that nothing matched.
Document kernels_document(const Explanation&, const std::vector<const KernelGroup*>&,
                          const std::string& pattern, bool equations = false);

}  // namespace headroom
