#include "run/hand_over.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "run/standard_streams.h"

namespace headroom {

void hand_over(const std::string& program, std::vector<std::string> arguments) {
  const std::string path =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / program).string();
  const std::string command = arguments.empty() ? program : arguments[0];
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  if (pipe_signal_is_usual()) signal(SIGPIPE, SIG_DFL);  // it asks whether it was ignored
  execv(path.c_str(), words.data());
  const int reason = errno;
  if (reason == ENOENT)
    throw Error{command, fmt::format("{} is not here, which this command is in", path),
                fmt::format("keep {} beside headroom, or build all targets", program), 127};
  throw Error{command, fmt::format("{} cannot be executed: {}", path, strerror(reason)), "", 126};
}

}  // namespace headroom
