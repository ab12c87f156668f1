// Runs a tool next to a program that must not notice: headroom's stand-in lives in the user's
// process.
//
//   run_child("/usr/local/cuda/bin/ptxas", {"-v", "-o", "/dev/null", "/dev/stdin"}, text)
//     -->  ChildOutput{0, "ptxas info…"}
//
// No shell, no temporary file, no SIGCHLD (the program may handle or ignore it, or wait for any
// child), no file descriptor of the program's in the tool, no LD_PRELOAD.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct ChildOutput {
  int exit_code = 0;  // 128 + number when a signal ended it
  std::string text;   // what it wrote to stdout and stderr, in that order of time
};

// Nothing when the tool could not be started. A tool that takes longer than `limit` seconds ends
// by SIGALRM; 0 sets no limit.
std::optional<ChildOutput> run_child(const std::string& path,
                                     const std::vector<std::string>& arguments,
                                     const std::string& input, unsigned limit = 0);

}  // namespace headroom
