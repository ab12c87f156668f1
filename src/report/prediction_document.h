// The time model's answer as a report shows it: what a kernel is bound by or waits for, how long it
// takes, and what to do next.
//
//   naive_kernel: 48.1 µs predicted, 34.5 of them bound by L1/TEX
//     −31.2 µs  uncoalesced global accesses …: let neighbouring lanes …  (naive.cu:12)
#pragma once
#include "model/explanation.h"
#include "report/document.h"

namespace headroom {

// For the heaviest kernels that have a prediction: what to do first.
List next_steps(const Explanation&);

// What is said in place of advice.
std::string nothing_to_gain(const Machine&, const ExplainedLaunch&);
// Advice where --kernel, which it may point to, is before the reader.
std::string in_full(std::string said);

// One kernel that has a prediction: time, stalls and all advice.
Document prediction_document(const Explanation&, const KernelGroup&);

}  // namespace headroom
