#include "lab/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom {

bool same(const Cell& a, const Cell& b) {
  if (!a.number || !b.number) return a.text == b.text;
  constexpr double as_printed = 0.01;
  const double larger = std::max(std::abs(*a.number), std::abs(*b.number));
  return std::abs(*a.number - *b.number) <= as_printed * larger;
}

const Cell* find(const Key& key, std::string_view name) {
  for (const auto& [cell_name, cell] : key)
    if (cell_name == name) return &cell;
  return nullptr;
}

std::optional<double> number_of(const Key& key, std::string_view name) {
  const Cell* cell = find(key, name);
  return cell ? cell->number : std::nullopt;
}

bool has_all(const Key& row, const Key& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& each) {
    const Cell* cell = find(row, each.first);
    return cell && same(*cell, each.second);
  });
}

std::optional<Key> chosen(const Key& row, const std::vector<std::string>& names) {
  Key result;
  for (const std::string& name : names) {
    const Cell* cell = find(row, name);
    if (!cell) return std::nullopt;
    result.emplace_back(name, *cell);
  }
  return result;
}

std::string text_of(const Key& key) {
  std::string result;
  for (const auto& [name, cell] : key) result += (result.empty() ? "" : ", ") + cell.text;
  return result;
}

nlohmann::ordered_json json_of(const Key& key) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, cell] : key) {
    if (!cell.number)
      object[name] = cell.text;
    else if (std::abs(*cell.number) < 1e15 && std::trunc(*cell.number) == *cell.number)
      object[name] = int64_t(*cell.number);
    else
      object[name] = *cell.number;
  }
  return object;
}

Key key_of(const nlohmann::ordered_json& object) {
  Key key;
  for (const auto& [name, value] : object.items()) {
    if (value.is_number()) {
      const double number = value.get<double>();
      key.emplace_back(name, Cell{fmt::format("{:.10g}", number), number});
    } else if (value.is_string()) {
      key.emplace_back(name, Cell{value.get<std::string>(), std::nullopt});
    } else if (value.is_boolean()) {
      key.emplace_back(name, Cell{value.get<bool>() ? "yes" : "no", std::nullopt});
    }
  }
  return key;
}

}  // namespace headroom
