// The solver of six kernels without one of its ten optimisations, for the table of what each is worth.
//
//   for (const auto& [name, meaning, without] : six_kernels_without) … without.single_precision(…)
//
//   no volatile   the walk reads a node once, …    the method six_kernels without that
#pragma once
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

struct Optimisation {
  const char* name;
  const char* meaning;
  Method without;
};

// In the order of the source.
extern const std::vector<Optimisation> six_kernels_without;

}  // namespace barnes_hut
