#include "report/text.h"

#include "report/format.h"
#include "report/grid_text.h"

namespace headroom {
namespace {

std::string toned(const std::string& text, Tone tone, const Style& style) {
  switch (tone) {
    case Tone::strong: return style.bold(text);
    case Tone::faint: return style.dim(text);
    case Tone::alarm: return style.red(text);
    case Tone::plain: break;
  }
  return text;
}

std::string wrapped(const std::string& text, const Style& style, size_t indent, size_t hang) {
  return text::wrap(std::string(indent, ' ') + text, style.columns, hang);
}

template <class Kind>
bool is(const Block* block) {
  return block && std::holds_alternative<Kind>(*block);
}

struct DrawText {
  const Style& style;

  std::string operator()(const Heading& heading) const {
    const std::string title =
        style.bold(text::wrap(heading.title, style.columns, heading.level == 1 ? 2 : 4));
    if (heading.beside.empty()) return title + "\n";
    const bool fits =
        text::display_width(heading.title) + 2 + text::display_width(heading.beside) <=
        style.columns;
    return title +
           (fits ? "  " + style.dim(heading.beside)
                 : "\n" + style.dim(wrapped(heading.beside, style, 2, 2))) +
           "\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    return toned(wrapped(paragraph.text, style, paragraph.indent, paragraph.hang), paragraph.tone,
                 style) +
           "\n";
  }
  std::string operator()(const List& list) const {
    std::string lines;
    for (const std::string& item : list.items) {
      if (!lines.empty()) lines += "\n";
      lines += wrapped(item, style, 2, 4);
    }
    return toned(lines, list.tone, style) + "\n";
  }
  std::string operator()(const Code& code) const {
    std::string lines;
    for (const std::string& line : code.lines) lines += wrapped(line, style, 4, 6) + "\n";
    return lines;
  }
  std::string operator()(const Grid& grid) const {
    std::string result;
    if (!grid.lead.empty()) result += wrapped(grid.lead, style, 2, 2) + "\n";
    if (!grid.lead.empty() && !grid.columns.empty()) result += "\n";
    result += grid_text(grid, style);
    for (const std::string& note : grid.notes) result += wrapped(note, style, 2, 4) + "\n";
    return result;
  }
};

// What goes on with what stands before it, and what begins anew.
bool is_apart(const Block* before, const Block& block) {
  if (!before) return false;
  if (is<Heading>(&block)) return true;
  if (const auto* paragraph = std::get_if<Paragraph>(&block); paragraph && paragraph->apart)
    return true;
  if (const auto* heading = std::get_if<Heading>(before))
    return heading->level == 1 && is<Grid>(&block);
  const bool goes_on = is<Paragraph>(before) || is<Code>(before);
  return !(goes_on && (is<Paragraph>(&block) || is<Code>(&block)));
}

}  // namespace

std::string draw_text(const Document& document, const Style& style) {
  std::string result;
  const Block* before = nullptr;
  for (const Block& block : document.blocks) {
    if (const auto* list = std::get_if<List>(&block); list && list->items.empty()) continue;
    if (is_apart(before, block)) result += "\n";
    result += std::visit(DrawText{style}, block);
    before = &block;
  }
  return result;
}

}  // namespace headroom
