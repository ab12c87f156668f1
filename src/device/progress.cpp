#include "device/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace headroom::device {
namespace {

constexpr auto patience = std::chrono::milliseconds(500);
// The line must fit an 80-column terminal, or it cannot be overwritten.
constexpr size_t longest_name = 40;
constexpr const char* erase_line = "\r\033[K";

}  // namespace

Progress::Progress(bool wanted, const std::string& kernel)
    : kernel_(kernel.substr(0, longest_name)), on_(wanted && isatty(STDERR_FILENO)) {}

void Progress::show(uint64_t done, uint64_t blocks) {
  if (!on_ || std::chrono::steady_clock::now() - start_ < patience) return;
  // The cursor waits at the beginning: what is written when a signal ends the program erases the
  // line without knowing of it (leave_progress_line in cli/terminal.h).
  std::string line = fmt::format("{}headroom: kernel {} {} % of {} blocks\r", erase_line, kernel_,
                                 blocks ? done * 100 / blocks : 100, blocks);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::erase() {
  if (!shown_) return;
  std::fputs(erase_line, stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace headroom::device
