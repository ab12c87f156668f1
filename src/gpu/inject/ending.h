// Keeps what was recorded when the process does not leave by exit.
//
// A thread of ours asks CUPTI every half second for what is complete. Signals that would end the
// process wake it first; then they end the process as they would have. Only those whose disposition
// is the default are watched: a program that handles a signal knows better.
#pragma once

namespace headroom::inject {

void watch_endings();

// The process leaves by exit: writes the rest, after which our thread leaves CUPTI alone, as it is
// about to be taken down.
void end_in_order();

}  // namespace headroom::inject
