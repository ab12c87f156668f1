// What a report says, apart from how it looks: headings, paragraphs, lists, grids and code, in
// order. text.h draws it on a terminal, markdown.h and html.h as a page.
//
//   Document document{"headroom run"};
//   document.add(Heading{1, "headroom: ./saxpy: 2 launches"});
//   document.add(Grid{.columns = {{"kernel", Align::left, Give::name}, {"floor\nµs"}}, .rows = {{"saxpy", "6.99"}}});
//   document.add(List{{"saxpy: largest lower bound DRAM"}});
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

enum class Tone : unsigned char { plain, strong, faint, alarm };

struct Heading {
  int level = 1;  // 1: of the whole
  std::string title;
  std::string beside;  // said with less weight
};

struct Paragraph {
  std::string text;
  Tone tone = Tone::plain;
  size_t indent = 2, hang = 2;  // on a terminal: before its first line, before the others
  bool apart = false;           // on a terminal: a blank line before it, whatever it follows
};

struct List {
  std::vector<std::string> items;
  Tone tone = Tone::plain;
};

struct Code {
  std::vector<std::string> lines;
};

enum class Align : unsigned char { left, right };

// What a column may do where its grid is too wide.
enum class Give : unsigned char {
  nothing,
  name,   // be shortened in the middle, so that names that differ stay different
  words,  // go on in the next line
};

struct Column {
  std::string title;  // "\n" splits it over lines; the last stands on the rows
  Align align = Align::right;
  Give give = Give::nothing;
  size_t gap = 2;   // spaces before the column
  size_t hang = 2;  // of words that go on in the next line
  int drop = 0;     // left out where the grid is too wide on a terminal: 1 first; 0: never
};

struct Grid {
  std::string lead = {};  // a sentence over it
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::string> notes = {};  // sentences under it
  size_t names = 1;                     // columns that say what a row is about
  size_t indent = 2;                    // on a terminal
};

using Block = std::variant<Heading, Paragraph, List, Code, Grid>;

struct Document {
  std::string title;  // of a page, in the list of a browser
  std::vector<Block> blocks = {};

  void add(Block block) { blocks.push_back(std::move(block)); }
  void add(Document more) {
    for (Block& block : more.blocks) blocks.push_back(std::move(block));
  }
};

}  // namespace headroom
