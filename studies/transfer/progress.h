// What a long run says of itself on a terminal, and its end by Ctrl-C or SIGTERM: the transfer under way is
// finished, and what was found so far is shown and written. A second Ctrl-C ends it at once.
#pragma once
#include <string>

namespace transfer {

void watch_for_interrupt();
bool interrupted();
void progress(
    const std::string& what);  // one line on stderr, overwritten by the next; not into files
void progress_done();

}  // namespace transfer
