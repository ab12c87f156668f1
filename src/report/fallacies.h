// What a reader of a report is about to believe though measurements refute it, and one sentence that answers it, where
// the launch's own numbers do.
//
//   25 % occupancy is enough here: at 83 % of what FMA pipe can do
//   shared memory is no second register file: it brings an SM 128 B a cycle, registers 1536 B to its FMAs; …
//
// Source: V. Volkov, Better Performance at Lower Occupancy, 2010, parts I–III.
#pragma once
#include <string>
#include <vector>

#include "model/explanation.h"
#include "report/document.h"

namespace headroom {

enum class Section { occupancy, shared };  // the section that lets it be believed

// Those of a kernel's launch that has a prediction, mostly none.
std::vector<std::string> fallacies_answered(const Explanation&, const ExplainedLaunch&, Section);

// "25 % occupancy is enough here: at 83 % of what FMA pipe can do"; "" where that is not known.
std::string occupancy_enough(const Explanation&, const ExplainedLaunch&);

// Under occupancies of which some are below 100 %, of no launch.
Paragraph occupancy_is_one_way();

// Under the curve of a machine: no number of threads is needed as such. "" where a fact is unknown.
std::string no_least_number(const Machine&);

}  // namespace headroom
