// What a row of a table is about: named cells, in the order in which they are shown.
//
//   {"variant": "8 float4", "occupancy, %": 8.33}
//
// Tables print their numbers rounded; two cells are the same where they are within 1 %.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

struct Cell {
  std::string text;  // as it is shown
  std::optional<double> number;
};

bool same(const Cell&, const Cell&);

using Key = std::vector<std::pair<std::string, Cell>>;

const Cell* find(const Key&, std::string_view name);  // nullptr: no such cell
std::optional<double> number_of(const Key&, std::string_view name);
// Whether `row` has every cell of `wanted`.
bool has_all(const Key& row, const Key& wanted);
// The cells named, in that order; nothing when one is missing.
std::optional<Key> chosen(const Key& row, const std::vector<std::string>& names);

std::string text_of(const Key&);  // "8 float4, 8.33"
// {"variant": "8 float4", "block": 64}
nlohmann::ordered_json json_of(const Key&);
// From an object whose members are texts, numbers or booleans; others are left out.
Key key_of(const nlohmann::ordered_json&);

}  // namespace headroom
