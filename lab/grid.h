// The tables of the reproduction lab as grids, which every form of output draws.
//
//   chains        published  predicted  predicted     measured
//                               gtx480       h200  NVIDIA H200
//        1              576        576        512          256
//
// "≤" stands before what was published as a bound, "!" behind what the source itself contradicts.
#pragma once
#include <string>
#include <vector>

#include "lab/lab.h"
#include "report/document.h"

namespace headroom {

// Columns, rows and notes.
Grid grid_of(const LabTable&, const std::string& machine);

std::string title_of(const PublishedTable&);   // "Latency against threads, cycles"
std::string origin_of(const PublishedTable&);  // "[volkov] p15-23, GeForce GTX 480"

// Where the measured figures are from: one line a study and GPU.
std::vector<std::string> provenance(const Lab&);
// "What: cause; advice".
std::string sentence(const Caveat&);

}  // namespace headroom
