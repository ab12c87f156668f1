// What `headroom reproduce` works on: tables by name, a GPU if there is one, and the measurements
// that stand beside the sources' figures.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "lab/published.h"
#include "lab/results.h"
#include "run/gpu_watch.h"

namespace headroom {

// "copy" is all tables of a study, "copy.bandwidth" one; none named: all. Throws Error.
std::vector<PublishedStudy> choose_tables(const std::vector<std::string>& names);

// Of studies that were named: that no source has a table of one.
std::vector<Caveat> without_tables(const std::vector<PublishedStudy>&,
                                   const std::vector<std::string>& names);

// `wanted` is a number, "none", or empty: the first one, if any. Throws Error.
std::optional<Gpu> choose_gpu(const std::string& wanted);

// Those compiled in, or those of `folder` in their place.
std::vector<Results> earlier_results(const std::string& folder);
std::vector<Results> read_results(const std::vector<std::string>& paths);

// What was measured now stands in place of what was measured before on such a GPU; what others
// measured stands beside both.
std::vector<Results> all_results(std::vector<Results> earlier, const std::vector<Results>& now,
                                 const std::vector<Results>& merged);

// FOLDER/<study>.json of each.
void save_results(const std::vector<Results>&, const std::string& folder);

}  // namespace headroom
