// What stands around the numbers: the program's line, findings before them and caveats after.
#pragma once
#include <string>
#include <vector>

#include "report/run_report.h"
#include "report/style.h"

namespace headroom {

// "headroom: ./saxpy: NVIDIA H200 SXM, 1 launch of 1 kernel; exit code 0"
std::string program_line(const RunReport&, const Style&);

// Faults of the program, the same fault of many launches once.
std::string findings_text(const std::vector<Finding>&, const Style&);

std::string caveats_text(const std::vector<Caveat>&, const Style&);

}  // namespace headroom
