// Rows of forms.h as patterns: which sequences of modifiers a row accepts. All of it runs at
// compile time too.
//
//   Pattern{"add{.rnd}{.ftz}{.sat}.f32 d, a, b"}   items: .rnd? .ftz? .sat? .f32; 3 operands
//   accepts: .rn .ftz .f32       rejects: .ftz .rn .f32
//
// A pattern is a chain of items, some of which may be skipped; matching keeps the set of places in
// the chain that the modifiers read so far can have led to, as bits.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>

#include "ptx/forms.h"
#include "ptx/forms_sets.h"

namespace headroom::ptx {

inline constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// glob = (character | "*")*      where * stands for a number
constexpr bool same_modifier(std::string_view pattern, std::string_view text) {
  size_t at = 0;
  for (char c : pattern) {
    if (c != '*') {
      if (at == text.size() || text[at++] != c) return false;
    } else if (at < text.size() && text[at] == '*') {
      ++at;
    } else {
      if (at == text.size() || !is_digit(text[at])) return false;
      while (at < text.size() && is_digit(text[at])) ++at;
    }
  }
  return at == text.size();
}

// Takes the next member off a list ".rn .rz".
constexpr std::string_view take_member(std::string_view& members) {
  size_t end = members.find(' ');
  std::string_view member = members.substr(0, end);
  members.remove_prefix(end == std::string_view::npos ? members.size() : end + 1);
  return member;
}

// The members of a set, or a modifier itself.
constexpr std::string_view members_of(std::string_view name) {
  for (const Set& set : sets)
    if (set.name == name) return set.members;
  return name;
}

struct Item {
  std::string_view name;     // as the row writes it: ".rnd"
  std::string_view members;  // ".rn .rz .rm .rp"
  int skip_to = 0;  // the item after the optional group that starts here; 0 if none starts here

  constexpr bool accepts(std::string_view modifier) const {
    for (std::string_view rest = members; !rest.empty();)
      if (same_modifier(take_member(rest), modifier)) return true;
    return false;
  }
  constexpr bool meets(const Item& other) const {
    for (std::string_view rest = members; !rest.empty();) {
      std::string_view member = take_member(rest);
      for (std::string_view theirs = other.members; !theirs.empty();) {
        std::string_view their = take_member(theirs);
        if (same_modifier(member, their) || same_modifier(their, member)) return true;
      }
    }
    return false;
  }
};

struct Pattern {
  static constexpr int capacity = 24;
  std::string_view opcode, operands;
  std::array<Item, capacity> items{};
  int size = 0;
  int min_operands = 0, max_operands = 0;

  constexpr Pattern() = default;
  // row = opcode (modifier | "{" modifier+ "}")* (" " operands)?
  constexpr explicit Pattern(std::string_view row) {
    size_t space = row.find(' ');
    std::string_view head = row.substr(0, space);
    operands = space == std::string_view::npos ? "" : row.substr(space + 1);
    size_t at = head.find_first_of(".{");
    opcode = head.substr(0, at);
    int group = -1;
    while (at < head.size()) {
      if (head[at] == '{') {
        group = size;
        ++at;
      } else if (head[at] == '}') {
        items[group].skip_to = size;
        ++at;
      } else {
        size_t end = head.find_first_of(".{}", at + 1);
        if (end == std::string_view::npos) end = head.size();
        items[size++] = {head.substr(at, end - at), members_of(head.substr(at, end - at))};
        at = end;
      }
    }
    count_operands();
  }

  // The places reachable from these without reading a modifier.
  constexpr uint32_t closed(uint32_t places) const {
    for (int i = 0; i < size; ++i)
      if ((places >> i & 1) && items[i].skip_to) places |= 1u << items[i].skip_to;
    return places;
  }

  template <class Modifiers>
  constexpr bool matches(const Modifiers& modifiers) const {
    uint32_t places = closed(1);
    for (const auto& modifier : modifiers) {
      uint32_t next = 0;
      for (int i = 0; i < size; ++i)
        if ((places >> i & 1) && items[i].accepts(modifier)) next |= 1u << (i + 1);
      places = closed(next);
      if (!places) return false;
    }
    return places >> size & 1;
  }

  constexpr bool takes(int count) const { return min_operands <= count && count <= max_operands; }

  // Is there a spelling with a number of operands that both accept?
  constexpr bool overlaps(const Pattern& other) const {
    if (opcode != other.opcode || max_operands < other.min_operands ||
        other.max_operands < min_operands)
      return false;
    std::array<uint32_t, capacity + 1> reached{};  // by place here: the places there
    reached[0] = other.closed(1);
    for (int i = 0; i <= size; ++i) {
      if (!reached[i]) continue;
      if (i == size) return reached[i] >> other.size & 1;
      if (items[i].skip_to) reached[items[i].skip_to] |= reached[i];
      uint32_t next = 0;
      for (int j = 0; j < other.size; ++j)
        if ((reached[i] >> j & 1) && items[i].meets(other.items[j])) next |= 1u << (j + 1);
      reached[i + 1] |= other.closed(next);
    }
    return false;
  }

 private:
  // operands = operand ("," operand | "{" "," operand … "}")*      where an operand may be {!}a,
  // p{|q}, [a], (a, b)
  constexpr void count_operands() {
    if (operands.empty()) return;
    int depth = 0, optional = 0;
    bool in_option = false;
    min_operands = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      char c = operands[i];
      if (c == '{' && i + 1 < operands.size() && operands[i + 1] == ',' && depth == 0 &&
          !in_option) {
        in_option = true;
      } else if (c == '[' || c == '(' || c == '{') {
        ++depth;
      } else if (c == '}' && depth == 0) {
        in_option = false;
      } else if (c == ']' || c == ')' || c == '}') {
        --depth;
      } else if (c == ',' && depth == 0) {
        ++(in_option ? optional : min_operands);
      }
    }
    max_operands = min_operands + optional;
  }
};

// No spelling is accepted by two of the rows.
constexpr bool unambiguous(std::span<const Form> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    Pattern pattern(rows[i].text);
    for (size_t j = i + 1; j < rows.size(); ++j) {
      std::string_view text = rows[j].text;
      if (text.substr(0, text.find_first_of(".{ ")) == pattern.opcode &&
          pattern.overlaps(Pattern(text)))
        return false;
    }
  }
  return true;
}

// How many of the rows accept a spelling such as "add.rn.ftz.f32".
constexpr int owners(std::span<const Form> rows, std::string_view spelling) {
  size_t at = spelling.find('.');
  std::string_view opcode = spelling.substr(0, at);
  std::array<std::string_view, Pattern::capacity> modifiers{};
  size_t count = 0;
  while (at < spelling.size()) {
    size_t end = spelling.find('.', at + 1);
    if (end == std::string_view::npos) end = spelling.size();
    modifiers[count++] = spelling.substr(at, end - at);
    at = end;
  }
  int found = 0;
  for (const Form& row : rows) {
    if (row.text.substr(0, row.text.find_first_of(".{ ")) != opcode) continue;
    found += Pattern(row.text).matches(std::span(modifiers.data(), count));
  }
  return found;
}

}  // namespace headroom::ptx
