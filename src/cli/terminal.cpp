#include "cli/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/printable.h"

namespace headroom {

namespace {

constexpr size_t least_columns = 60, most_columns = 1000;

// COLUMNS, as shells export it for what a pipe or a pager shows.
std::optional<size_t> columns_given() {
  const char* text = getenv("COLUMNS");
  if (!text) return std::nullopt;
  const std::string_view word = text;
  size_t columns = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), columns);
  if (error != std::errc{} || end != word.data() + word.size() || columns == 0) return std::nullopt;
  return std::clamp(columns, least_columns, most_columns);
}

}  // namespace

Style terminal_style(int file) {
  Style style;
  if (const auto given = columns_given()) style.columns = *given;
  if (!isatty(file)) return style;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::max<size_t>(size.ws_col, least_columns);
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
