#include "report/markdown.h"

#include <cctype>
#include <string_view>

namespace headroom {
namespace {

bool in_word(const std::string& text, size_t i) {
  return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
}

// "_" is markup at the ends of a word, "](" in the middle of a link: operator[](int).
bool is_markup(const std::string& text, size_t i) {
  if (text[i] == '_') return !in_word(text, i - 1) || !in_word(text, i + 1);
  return text[i] == '(' && i > 0 && text[i - 1] == ']';
}

// Line ends become spaces.
std::string markdown_escaped(const std::string& text, std::string_view marks) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (marks.find(text[i]) != marks.npos || is_markup(text, i)) result += '\\';
    result += text[i] == '\n' ? ' ' : text[i];
  }
  return result;
}

std::string markdown_sentence(const std::string& text) { return markdown_escaped(text, "*<"); }
std::string markdown_cell(const std::string& text) { return markdown_escaped(text, "|*<"); }

std::string markdown_items(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += "- " + markdown_sentence(text) + "\n";
  return result;
}

std::string markdown_table(const Grid& grid) {
  std::string titles = "|", rule = "|", rows;
  for (const Column& column : grid.columns) {
    titles += " " + markdown_cell(column.title) + " |";
    rule += column.align == Align::left ? "---|" : "---:|";
  }
  for (const auto& row : grid.rows) {
    rows += "|";
    for (const std::string& each : row) rows += " " + markdown_cell(each) + " |";
    rows += "\n";
  }
  return titles + "\n" + rule + "\n" + rows;
}

struct DrawMarkdown {
  std::string operator()(const Heading& heading) const {
    const std::string title =
        std::string(size_t(heading.level), '#') + " " + markdown_sentence(heading.title) + "\n";
    return title + (heading.beside.empty() ? "" : "\n" + markdown_sentence(heading.beside) + "\n");
  }
  std::string operator()(const Paragraph& paragraph) const {
    const bool loud = paragraph.tone == Tone::strong || paragraph.tone == Tone::alarm;
    return (loud ? "**" : "") + markdown_sentence(paragraph.text) + (loud ? "**" : "") + "\n";
  }
  std::string operator()(const List& list) const { return markdown_items(list.items); }
  std::string operator()(const Code& code) const {
    std::string lines = "```text\n";
    for (const std::string& line : code.lines) lines += line + "\n";
    return lines + "```\n";
  }
  std::string operator()(const Grid& grid) const {
    std::string result;
    const auto part = [&](const std::string& text) {
      result += (result.empty() ? "" : "\n") + text;
    };
    if (!grid.lead.empty()) part(markdown_sentence(grid.lead) + "\n");
    if (!grid.columns.empty()) part(markdown_table(grid));
    if (!grid.notes.empty()) part(markdown_items(grid.notes));
    return result;
  }
};

}  // namespace

std::string draw_markdown(const Document& document) {
  std::string result;
  for (const Block& block : document.blocks) {
    const std::string drawn = std::visit(DrawMarkdown{}, block);
    if (!drawn.empty()) result += (result.empty() ? "" : "\n") + drawn;
  }
  return result;
}

}  // namespace headroom
