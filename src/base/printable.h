// Text that a terminal shows as it stands: names of programs, files and kernels may hold escape
// sequences, which would move the cursor, clear the screen or set its title.
//
//   printable("a\033[2Jb")               "a\\x1b[2Jb"   the control character is spelled out
//   printable(report, Colours::kept)     the same, but bold, dim and red of a report stay
#pragma once
#include <string>
#include <string_view>

namespace headroom {

enum class Colours : bool { none, kept };

// Line ends and tabs stay.
std::string printable(std::string_view text, Colours = Colours::none);

}  // namespace headroom
