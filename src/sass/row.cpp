#include "sass/row.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <deque>

namespace headroom::sass {
namespace {

int number(std::string_view& text) {
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  text.remove_prefix(size_t(end - text.data()));
  return value;
}

Field field_in(std::string_view& text, uint8_t width) {
  Field field{uint8_t(number(text)), width};
  if (text.starts_with(":")) {
    text.remove_prefix(1);
    field.width = uint8_t(number(text));
  }
  return field;
}

// ".STRONG.GPU" -> {".STRONG", ".GPU"}
std::vector<std::string> split_modifiers(const std::string& text) {
  std::vector<std::string> all;
  for (const char c : text) {
    if (c == '.' || all.empty()) all.emplace_back();
    all.back() += c;
  }
  return all;
}

Choice choice_in(std::string_view text, const std::string& before) {  // "78:2=|.RM|.RP"
  Choice choice;
  choice.field = field_in(text, 1);
  if (text.front() == '+') choice.bits = {choice.field.bit};
  while (text.front() == '+') {
    text.remove_prefix(1);
    choice.bits.push_back(uint8_t(number(text)));
  }
  text.remove_prefix(1);
  for (;;) {
    const size_t end = text.find('|');
    const std::string each(text.substr(0, end));
    choice.refused.push_back(each == "!");
    choice.texts.push_back(split_modifiers(each.empty() ? each : before + each));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return choice;
}

void add_shape(Choice& choice, int columns, int depth) {
  choice.texts.push_back({fmt::format(".64x{}x{}", columns, depth)});
  choice.refused.push_back(false);
}

// The shape of a warpgroup's product: 64 rows, columns by bits 53 … 57, one of the depths by the
// bits behind.
Choice group_shapes(std::string_view depths) {
  Choice choice;
  choice.field = {53, 7};
  for (;;) {
    const int depth = number(depths);
    for (int eights = 1; eights <= 32; ++eights) add_shape(choice, eights * 8, depth);
    if (depths.empty()) return choice;
    depths.remove_prefix(1);
  }
}

// Of integers: all shapes in one list, each number of columns with depth 32 and, for sparse
// matrices, 64.
Choice integer_group_shapes() {
  Choice choice;
  choice.field = {53, 6};
  for (const int columns :
       {8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256}) {
    for (const int depth : {32, 64, 0}) {
      add_shape(choice, columns, depth);
      choice.refused.back() = depth == 0;
    }
  }
  return choice;
}

Condition condition_in(std::string_view text) {  // "72:1:1"
  const Field at = field_in(text, 1);
  text.remove_prefix(1);
  return {at, uint64_t(number(text))};
}

// Takes "{…}" off the front.
std::string_view take_braces(std::string_view& text) {
  const size_t end = text.find('}');
  const std::string_view inside = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return inside;
}

Hole source_in(std::string_view text, Hole hole) {
  hole.kind = HoleKind::source;
  if (text.starts_with("u")) {
    hole.kind = HoleKind::uniform_source;
    text.remove_prefix(1);
  }
  hole.slot = text.front();
  text.remove_prefix(1);
  if (text.starts_with(".")) {
    hole.select = text[1];
    text.remove_prefix(2);
  }
  if (!text.empty()) hole.immediate = text.front();
  if (hole.immediate == 'h') hole.select = 'h';
  return hole;
}

Hole hole_in(std::string_view text) {
  Hole hole;
  while (text.front() == '-' || text.front() == '|' || text.front() == '~' || text.front() == '!') {
    hole.may_negate |= text.front() == '-' || text.front() == '|';
    hole.may_be_absolute |= text.front() == '|';
    hole.may_invert |= text.front() == '~' || text.front() == '!';
    text.remove_prefix(1);
  }
  if (text.ends_with("*")) {
    hole.optional = true;
    text.remove_suffix(1);
  }
  const char first = text.front();
  if ((first >= 'a' && first <= 'c') || first == 'w' ||
      (first == 'u' && text.size() > 1 && text[1] >= 'a'))
    return source_in(text, hole);
  text.remove_prefix(1);
  if (first == 'K') hole.slot = text.empty() ? 'R' : text.front();
  if (text.empty() || first == 'K') {
    hole.kind = first == 'D'   ? HoleKind::copy
                : first == 'L' ? HoleKind::label
                : first == 'l' ? HoleKind::short_label
                : first == 'd' ? HoleKind::displacement
                : first == 'e' ? HoleKind::byte_label
                               : HoleKind::constant;
    return hole;
  }
  static constexpr struct {
    char letter;
    HoleKind kind;
    uint8_t width;
  } kinds[] = {{'R', HoleKind::reg, 8},
               {'U', HoleKind::uniform, 6},
               {'W', HoleKind::reg, 8},
               {'N', HoleKind::reg, 8},
               {'P', HoleKind::predicate, 3},
               {'Q', HoleKind::uniform_predicate, 3},
               {'p', HoleKind::late_predicate, 3},
               {'q', HoleKind::late_predicate, 3},
               {'x', HoleKind::mask, 6},
               {'B', HoleKind::barrier, 4},
               {'S', HoleKind::special, 8},
               {'T', HoleKind::lut, 5},
               {'i', HoleKind::immediate, 32},
               {'n', HoleKind::number, 3},
               {'A', HoleKind::shared, 6},
               {'O', HoleKind::shared, 6},
               {'G', HoleKind::global, 6},
               {'V', HoleKind::uniform_address, 6}};
  for (const auto& each : kinds) {
    if (each.letter != first) continue;
    hole.kind = each.kind;
    if (first == 'q') hole.slot = 'U';
    if (first == 'W' || first == 'O' || first == 'N') hole.slot = first;
    hole.field = field_in(text, each.width);
    for (uint8_t* bit : {&hole.pair, &hole.descriptor}) {
      if (!text.starts_with(",")) break;
      text.remove_prefix(1);
      *bit = uint8_t(number(text));
    }
  }
  return hole;
}

// "SB{n44:3}", "PR", "[{U32}]", "{R24}{?76:2=…}"
Hole operand_in(std::string_view text, Row& row) {
  Hole hole;
  std::string before;
  bool filled = false;
  while (!text.empty()) {
    if (text.front() != '{') {
      before += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inside = take_braces(text);
    if (inside.front() == '=') {
      row.conditions.push_back(condition_in(inside.substr(1)));
    } else if (inside.front() == '?') {
      hole.suffixes.push_back(choice_in(inside.substr(1), ""));
    } else {
      const std::vector<Choice> kept = hole.suffixes;
      hole = hole_in(inside);
      hole.suffixes = kept;
      filled = true;
      if (before == "[")
        hole.kind = hole.slot == 'W'             ? HoleKind::wide_pointer
                    : hole.kind == HoleKind::reg ? HoleKind::register_pointer
                                                 : HoleKind::pointer;
      if (before == "gdesc[") hole.kind = HoleKind::matrix;
      if (before == "desc[") hole.kind = HoleKind::descriptor;
      if (before == "~") hole.slot = '~';
      hole.text = before;
      before.clear();
    }
  }
  if (filled && before.starts_with(".")) hole.suffixes.push_back({{}, {}, {{before}}, {false}});
  if (!filled) hole.text = before;
  return hole;
}

// Results stand at bit 16, predicates that are written at 81 and 84; textures write two registers.
bool is_written(const Form& form, const Hole& hole) {
  const bool texture = form.opcode >= 0x160 && form.opcode <= 0x16f;
  switch (hole.kind) {
    case HoleKind::reg: return hole.field.bit == 16 || (texture && hole.field.bit == 64);
    case HoleKind::uniform: return hole.field.bit == 16;
    case HoleKind::predicate:
    case HoleKind::uniform_predicate: return hole.field.bit == 81 || hole.field.bit == 84;
    default: return false;
  }
}

Row row_of(const Form& form) {
  Row row{&form, "", {}, {}, {}};
  std::string_view text = form.text;
  std::string literal;
  const auto flush = [&] {
    if (literal.empty()) return;
    if (row.opcode.empty()) {
      const size_t dot = literal.find('.');
      row.opcode = literal.substr(0, dot);
      literal = dot == literal.npos ? "" : literal.substr(dot);
    }
    if (!literal.empty() && literal != ".")
      row.modifiers.push_back({{}, {}, {split_modifiers(literal)}, {false}});
    literal.clear();
  };
  while (!text.empty() && text.front() != ' ') {
    if (text.front() != '{') {
      literal += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inside = take_braces(text);
    if (inside.front() == '=') {
      row.conditions.push_back(condition_in(inside.substr(1)));
      continue;
    }
    if (inside.front() == 'h' || inside.front() == 'j') {
      flush();
      row.modifiers.push_back(inside.front() == 'h' ? group_shapes(inside.substr(1))
                                                    : integer_group_shapes());
      continue;
    }
    const std::string before = literal.ends_with(".") ? "." : "";
    if (!before.empty()) literal.pop_back();
    flush();
    row.modifiers.push_back(choice_in(inside.substr(1), before));
  }
  flush();
  while (text.starts_with(" ")) {
    text.remove_prefix(1);
    const size_t end = text.find(", ");
    row.holes.push_back(operand_in(text.substr(0, end), row));
    row.holes.back().written = is_written(form, row.holes.back());
    text = end == text.npos ? "" : text.substr(end + 1);
  }
  return row;
}

struct Table {
  std::deque<Row> rows;
  std::array<std::vector<const Row*>, 1 << 12> by_bits;
  Table() {
    for (const auto& forms :
         {float_forms(), integer_forms(), convert_forms(), uniform_forms(), memory_forms(),
          shared_forms(), flow_forms(), matrix_forms(), texture_forms()}) {
      for (const Form& form : forms) {
        rows.push_back(row_of(form));
        for (const char* digit = form.forms; *digit; ++digit)
          by_bits[uint32_t(*digit - '0') << 9 | form.opcode].push_back(&rows.back());
      }
    }
  }
};

}  // namespace

uint64_t field(const Encoding& word, Field at) {
  const unsigned __int128 all = (unsigned __int128)word.high << 64 | word.low;
  return uint64_t(all >> at.bit) & (at.width >= 64 ? ~0ull : (1ull << at.width) - 1);
}

int64_t signed_field(const Encoding& word, Field at) {
  return int64_t(field(word, at) << (64 - at.width)) >> (64 - at.width);
}

const std::vector<const Row*>& rows_of(uint32_t bits) {
  static const Table& table = *new Table;
  return table.by_bits[bits & 0xfff];
}

}  // namespace headroom::sass
