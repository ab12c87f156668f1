// How wide standard error is and whether it takes colour: only where a person looks, and not with
// NO_COLOR. A pipe is as wide as COLUMNS says, or else 100.
#pragma once
#include "report/style.h"

namespace headroom {

Style terminal_style(int file);

// A report as it may be written: names in it may hold escape sequences, which are spelled out.
std::string shown(const std::string& report, const Style&);

// A program that a signal ended may have left a line of ours that says how far a kernel is, with
// the cursor at its beginning; and the terminal an echo of Ctrl-C. Our text begins on a clean line.
void leave_progress_line(int signal);

}  // namespace headroom
