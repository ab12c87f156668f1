#include "sim/compiled/meanings.h"

#include "sim/decoding.h"

namespace headroom::sim::compiled {

const std::vector<Meaning>& meanings() {
  static const auto& all = *new std::vector<Meaning>([] {  // programs may end after everything else
    std::vector<Meaning> joined;
    for (const auto& some :
         {integers(), shifts(), wides(), floats(), functions(), doubles(), halves(), predicates()})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }());
  return all;
}

namespace {

struct Known {
  std::unordered_map<Handler, Emit> full, part;
  Handler every = nullptr;
  Known() {
    every = find_row("!every", 0)->part;
    for (const Meaning& meaning : meanings())
      if (const Row* row = find_row(meaning.spelling, meaning.operands)) {
        full.emplace(row->full, meaning.emit);
        part.emplace(row->part, meaning.emit);
      }
  }
};

const Known& known() {
  static const auto& all = *new Known;  // as above
  return all;
}

}  // namespace

bool is_uniform(const Operation& operation) {
  return (operation.guard == no_operand ? operation.part : operation.inner) == known().every;
}

Emit emitter_of(const Operation& operation) {
  const bool uniform = is_uniform(operation), full = operation.guard == no_operand && !uniform;
  const auto& table = full ? known().full : known().part;
  const auto found = table.find(full ? operation.full : uniform ? operation.move : operation.inner);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace headroom::sim::compiled
