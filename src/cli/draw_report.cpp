#include "cli/draw_report.h"

#include "cli/terminal.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/text.h"

namespace headroom {

std::string draw_report(const Document& document, const std::string& path, int descriptor) {
  if (path.ends_with(".md")) return shown(draw_markdown(document), Style{});
  if (path.ends_with(".html")) return shown(draw_html(document), Style{});
  const Style style = path.empty() ? terminal_style(descriptor) : Style{};
  return shown(draw_text(document, style), style);
}

}  // namespace headroom
