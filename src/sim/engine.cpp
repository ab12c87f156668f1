#include "sim/engine.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/host.h"
#include "sim/machinery.h"

namespace headroom::sim {

void renew_operations(Machinery& machinery) {
  const auto [first, look] = machinery.program->bound.to(
      *machinery.body, *machinery.program,
      {std::exchange(machinery.ran, 0), machinery.accesses.entries, machinery.host_threads});
  machinery.operations = first;
  machinery.look = look;
}

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

namespace {

// Best first. A build for development may have been made for one set only.
std::vector<const Engine*> candidates() {
  std::vector<const Engine*> all;
#ifdef HEADROOM_HAS_avx512
  all.push_back(&avx512::the_engine);
#endif
#ifdef HEADROOM_HAS_avx2
  all.push_back(&avx2::the_engine);
#endif
#ifdef HEADROOM_HAS_portable
  all.push_back(&portable::the_engine);
#endif
  return all;
}

}  // namespace

const Engine& engine() {
  static const Engine& chosen = []() -> const Engine& {
    const char* wish = std::getenv("HEADROOM_ISA");
    const std::vector<const Engine*> all = candidates();
    bool allowed = !wish || std::ranges::find(all, wish, &Engine::name) == all.end();
    for (const Engine* candidate : all) {
      allowed |= wish && candidate->name == wish;  // the one wished for, or the next lesser
      if (allowed && host_runs(candidate->name)) return *candidate;
    }
    return *all.back();
  }();
  return chosen;
}

}  // namespace headroom::sim
