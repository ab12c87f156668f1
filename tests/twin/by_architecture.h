// Results of one run an architecture, kept together in one file:
//
//   {"ptxas": "13.0.88", "architectures": {"sm_75": {…}, "sm_80": {…}}}
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::golden {

int architecture_of(const std::string& text);  // "80" --> 80, "" --> 90
void keep_result(const std::string& path, int architecture, const nlohmann::json&);

}  // namespace headroom::golden
