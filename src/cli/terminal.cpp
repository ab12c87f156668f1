#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

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

}  // namespace headroom
