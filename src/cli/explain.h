// Records meet the model: every launch with its occupancy and floors on a machine.
#pragma once
#include <vector>

#include "report/run_report.h"

namespace headroom {

std::vector<ExplainedLaunch> explain_launches(const Machine&, const std::vector<Record>&);

}  // namespace headroom
