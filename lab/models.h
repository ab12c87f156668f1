// What the model says of a row of the sources: by name, a function of a machine and the row's key.
//
//   predict({"operations in flight"}, gtx480, {})   576
//
// Little's law, facts and occupancy are arithmetic on a machine file; the time model predicts what the study would
// measure. Each model says so in a sentence.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lab/published.h"
#include "lab/results.h"
#include "machine/machine.h"

namespace headroom {

// What a study printed where its events counted predicted times; null: it was not run.
using RowsOf = std::function<const Results*(const std::string& machine, const PredictBy&)>;

// Absent: a fact is unknown, the key lacks what the model needs, or the row lies outside it. `names`: the
// cells that a row of its table is told by.
std::optional<double> predict(const PredictBy&, const Machine&, const Key&,
                              const std::vector<std::string>& names, const RowsOf&);

// What such a prediction rests on, in a sentence; empty: there is no such model.
std::string_view basis_of(const std::string& model);

}  // namespace headroom
