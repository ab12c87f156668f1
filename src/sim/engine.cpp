#include "sim/engine.h"

#include <cstdlib>
#include <cstring>
#include <set>

namespace headroom::sim {

void RowTable::add(std::string_view spelling, const Row& row, std::string_view type,
                   std::string_view type2) {
  const size_t open = spelling.find('{');
  if (open != std::string_view::npos) {
    const size_t close = spelling.find('}', open);
    const std::string before(spelling.substr(0, open)),
        option(spelling.substr(open + 1, close - open - 1)), after(spelling.substr(close + 1));
    add(before + after, row, type, type2);
    add(before + option + after, row, type, type2);
    return;
  }
  std::string key(spelling);
  for (const std::string_view suffix : {type, type2}) {
    if (!suffix.empty()) (key += '.') += suffix;
  }
  rows_.insert_or_assign(key + "/" + std::to_string(row.count), row);
}

const Row* RowTable::find(std::string_view spelling, int operands) const {
  const auto found = rows_.find(std::string(spelling) + "/" + std::to_string(operands));
  return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::string> RowTable::spellings() const {
  std::set<std::string> names;
  for (const auto& [key, row] : rows_) names.insert(key.substr(0, key.find('/')));
  return {names.begin(), names.end()};
}

const Engine& engine() {
  static const Engine& chosen = []() -> const Engine& {
    const char* wish = std::getenv("HEADROOM_ISA");
    auto allowed = [&](const char* name) { return !wish || std::strcmp(wish, name) == 0; };
    if (allowed("avx512") && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      return avx512::the_engine;
    }
    if ((allowed("avx2") || (wish && std::strcmp(wish, "avx512") == 0)) &&
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      return avx2::the_engine;
    }
    return portable::the_engine;
  }();
  return chosen;
}

}  // namespace headroom::sim
