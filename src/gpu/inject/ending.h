// Keeps what was recorded when the process does not leave by exit.
//
// A thread of ours asks CUPTI every half second for what is complete. Signals that would end the
// process wake it first; then they end the process as they would have. Only those whose disposition
// is the default are watched: a program that handles a signal knows better.
#pragma once

namespace headroom::inject {

void watch_endings();

}  // namespace headroom::inject
