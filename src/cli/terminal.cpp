#include "cli/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/printable.h"

namespace headroom {

Style terminal_style(int file) {
  Style style;
  if (!isatty(file)) return style;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::max<size_t>(size.ws_col, 60);
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  style.colour = !(no_colour && *no_colour) && !(terminal && std::string_view(terminal) == "dumb");
  return style;
}

std::string shown(const std::string& report, const Style& style) {
  return printable(report, style.colour ? Colours::kept : Colours::none);
}

void leave_progress_line(int signal) {
  if (!signal || !isatty(STDERR_FILENO)) return;
  const bool echoed = signal == SIGINT || signal == SIGQUIT;
  fputs(echoed ? "\033[K\n" : "\033[K", stderr);
}

}  // namespace headroom
