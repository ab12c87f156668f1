// Findings, and advice as notes, for code hosts: SARIF 2.1.0 (OASIS). Files below `root` are named from there on, so that a
// host shows a finding at its line.
//
//   {"version": "2.1.0", "runs": [{"tool": …, "results": [{"ruleId": "race_shared", "level": "error", …}]}]}
#pragma once
#include <string>

#include "report/check_document.h"

namespace headroom {

std::string sarif(const CheckReport&, const std::string& root, const std::string& version);
std::string sarif(const Explanation&, const std::string& root, const std::string& version);

}  // namespace headroom
