// What the code of an operation is, by the spelling of its row (lanes/*_rows.cpp), for those that hot loops
// are made of. The rows say what it has to compute, bit by bit; tests/unit/sim_compiled.cpp holds both
// side by side.
//
//   meanings()[Lift<&add<uint32_t>>::full]     vpaddd, twice
#pragma once
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/compiled/vectors.h"
#include "sim/program.h"

namespace headroom::sim::compiled {

using Emit = void (*)(Vectors&, const Operation&);

struct Meaning {
  std::string_view spelling;
  int operands;
  Emit emit;
};
const std::vector<Meaning>& meanings();  // all of these:
std::span<const Meaning> integers();
std::span<const Meaning> shifts();
std::span<const Meaning> wides();  // of 8 bytes a lane
std::span<const Meaning> floats();
std::span<const Meaning> functions();
std::span<const Meaning> doubles();
std::span<const Meaning> halves();
std::span<const Meaning> predicates();
// Of an operation as it is bound: by what runs its row for a whole warp, or, where it is guarded or uniform,
// for some lanes. Null: it is not known.
Emit emitter_of(const Operation&);
bool is_uniform(const Operation&);

}  // namespace headroom::sim::compiled
