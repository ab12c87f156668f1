// Where the bodies are at first: made here by name and seed, or read from a file (snapshots/).
//
//   Start start = start_of("plummer", 1000, nbody::Masses::random, seed);
//   require_finite(bodies);              // throws Failure: body 17: its place is not a number
#pragma once
#include <cmath>
#include <string>

#include "studies/barnes_hut/barnes_hut.h"
#include "studies/nbody/plummer.h"

namespace barnes_hut {

inline Bodies start_of(const std::string& name, int n, nbody::Masses masses, uint64_t seed) {
  (void)name;
  return nbody::plummer(n, masses, seed);
}

}  // namespace barnes_hut
