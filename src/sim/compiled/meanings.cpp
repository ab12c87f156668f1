#include "sim/compiled/meanings.h"

#include "sim/engine.h"

namespace headroom::sim::compiled {

const std::vector<Meaning>& meanings() {
  static const auto& all = *new std::vector<Meaning>([] {  // programs may end after everything else
    std::vector<Meaning> joined;
    for (const auto& some : {integers(), shifts(), wides(), floats(), predicates()})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }());
  return all;
}

const std::unordered_map<Handler, Emit>& emitters() {
  static const auto& known = *new std::unordered_map<Handler, Emit>([] {
    RowTable rows;
    engine().add_rows(rows);
    std::unordered_map<Handler, Emit> made;
    for (const Meaning& meaning : meanings())
      if (const Row* row = rows.find(meaning.spelling, meaning.operands))
        made.emplace(row->full, meaning.emit);
    return made;
  }());
  return known;
}

}  // namespace headroom::sim::compiled
