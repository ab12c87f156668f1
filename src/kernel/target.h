// What a PTX text was written for: its `.target sm_90a, debug` line.
//
//   sm_80 runs on every machine from 8.0 on; sm_90a on 9.0 alone; sm_100f on 10.x from 10.0 on.
//
// PTX manual, "PTX Module Directives: .target".
#pragma once
#include <string>
#include <string_view>

namespace headroom {

struct Target {
  int number = 0;      // 90; 0 when the text has no such line
  std::string suffix;  // "a", "f" or ""

  std::string name() const;  // "sm_90a"
  bool runs_on(int cc) const;
};

Target target_of(std::string_view ptx);

}  // namespace headroom
