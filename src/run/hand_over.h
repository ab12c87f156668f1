// Our process becomes another executable of headroom's, which lies beside ours.
//
//   hand_over("headroom-lab", {"reproduce", "--list"})     …/bin/headroom-lab reproduce --list
#pragma once
#include <string>
#include <vector>

namespace headroom {

// Throws Error with code 127 when it is not there, 126 when it cannot be executed.
[[noreturn]] void hand_over(const std::string& program, std::vector<std::string> arguments);

}  // namespace headroom
