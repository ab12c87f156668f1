// A run as a table for programs: one row a launch, as RFC 4180 has it; what is not known is empty.
// Columns are promises as the keys of run_json.h: docs/csv.md lists them with their units.
//
//   process,index,kernel,grid_x,…,predicted_ns,warp_instructions,…
//   4711,0,"saxpy(int, float, float*, float*)",4096,…,6990,98304,…
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/explanation.h"
#include "model/measured_explanation.h"

namespace headroom {

std::string run_csv(const Explanation&);          // counted on the executor
std::string gpu_csv(const MeasuredExplanation&);  // measured on a GPU

struct CsvColumn {
  std::string_view name, unit, meaning;
};
std::vector<CsvColumn> run_csv_columns(), gpu_csv_columns();

}  // namespace headroom
