// The figures of a run that Nsight Compute profiled, from its comma-separated values: of `ncu --csv --page raw`, a column a metric,
// or of `ncu --csv` (--page details, with --metrics or with its sections), a line a metric. What stands around the table is passed over.
//
//   ==PROF== Connected to process 7
//   "ID","Process ID","Process Name",…,"Kernel Name","Block Size","Grid Size","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
//   "","","",…,"","","","sector"
//   "0","7","app",…,"naive(Problem)","(32, 32, 1)","(8, 8, 1)","17,301,504"
//
//     ->  RunFigures{profiled, {"app"}, kernels {naive: global_load_sectors 17301504}}
#pragma once
#include <string>

#include "model/figures.h"

namespace headroom {

// Whether a file's text has such a table.
bool is_profile(const std::string& text);
// Throws Error{path, …}.
RunFigures profile_figures(const std::string& text, const std::string& path);

}  // namespace headroom
