// The tables of the reproduction lab as grids of text, which every form of output draws.
//
//   chains        published  predicted  predicted     measured
//                               gtx480       h200  NVIDIA H200
//        1              576        576        512          256
//
// "≤" stands before what is no point but a ceiling, "!" behind what the source itself contradicts.
#pragma once
#include <string>
#include <vector>

#include "lab/lab.h"
#include "report/table.h"

namespace headroom {

struct Grid {
  std::string name, title, origin;  // "latency.saturation"; …; "[volkov] p15-23, GeForce GTX 480"
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;
};

Grid grid_of(const LabTable&, const std::string& machine);

// Where the measured figures are from: one line a study and GPU.
std::vector<std::string> provenance(const Lab&);
// "What: cause; advice".
std::string sentence(const Caveat&);

}  // namespace headroom
