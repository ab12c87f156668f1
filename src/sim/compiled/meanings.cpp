#include "sim/compiled/meanings.h"

#include "sim/engine.h"

namespace headroom::sim::compiled {

const std::vector<Meaning>& meanings() {
  static const std::vector<Meaning> all = [] {
    std::vector<Meaning> joined;
    for (const auto& some : {integers(), shifts(), wides(), floats(), predicates()})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }();
  return all;
}

const std::unordered_map<Handler, Emit>& emitters() {
  static const std::unordered_map<Handler, Emit> known = [] {
    RowTable rows;
    engine().add_rows(rows);
    std::unordered_map<Handler, Emit> made;
    for (const Meaning& meaning : meanings())
      if (const Row* row = rows.find(meaning.spelling, meaning.operands))
        made.emplace(row->full, meaning.emit);
    return made;
  }();
  return known;
}

}  // namespace headroom::sim::compiled
