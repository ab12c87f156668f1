// Our own standard streams, whatever we were started with: `headroom run … >&-`, `2>/dev/full`,
// `| head -1`.
#pragma once
#include <string>

namespace headroom {

// Once, first of all. A closed stream becomes one that fails in the same way, so that no file of
// ours takes its number; a reader that leaves shows as an error of write and not as our end.
void guard_standard_streams();

// Whether programs that we start are to have SIGPIPE as usual: it was not ignored when we came.
bool pipe_signal_is_usual();

// To standard error, as far as it can be written; never fails.
void complain(const std::string& text);

// Writes out what standard output still holds and returns the exit code to leave with: the one
// given, or 125 where it could not be written. A reader that left ends us as it ends any program.
int flush_output(int exit_code);

}  // namespace headroom
