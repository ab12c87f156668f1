#include "report/distinct.h"

#include <map>
#include <tuple>

namespace headroom {

namespace {

using Side = std::pair<std::string, std::string>;  // source, and the instruction where that is all
using Cause = std::tuple<std::string, std::string, Side, Side>;

// Lines say where a race is, calls of the program have none; several instructions of a line are one place.
Side side_of(const Finding& finding, const std::string& source, const std::string& instruction) {
  if (source.empty()) return {"", finding.other ? finding.other->use : finding.what};
  if (finding.kernel.empty() && !finding.other) return {source, finding.what};
  return {source, finding.other ? "" : instruction};
}

Cause cause_of(const Finding& finding) {
  Side mine = side_of(finding, finding.source, finding.instruction), other;
  if (finding.other) {
    other = side_of(finding, finding.other->source, finding.other->instruction);
    if (other < mine) std::swap(mine, other);
  }
  return {finding.kind, finding.kernel, mine, other};
}

}  // namespace

std::vector<DistinctFinding> distinct(const std::vector<Finding>& findings) {
  std::vector<DistinctFinding> result;
  std::map<Cause, size_t> known;
  for (const Finding& finding : findings) {
    const auto [at, is_new] = known.try_emplace(cause_of(finding), result.size());
    if (is_new) result.push_back({finding, 0, 0});
    result[at->second].times += finding.times;
    ++result[at->second].launches;
  }
  return result;
}

const char* class_of(const Finding& finding) {
  const auto begins = [&](const char* word) { return finding.kind.starts_with(word); };
  if (begins("race_")) return "race";
  if (begins("barrier_") || begins("mbarrier_") || begins("misaligned_mbarrier") ||
      finding.kind == "illegal_barrier" || finding.kind == "illegal_mask")
    return "barrier";
  if (begins("illegal_") || begins("misaligned_") || begins("out_of_bounds_")) return "bounds";
  if (begins("uninitialised")) return "uninitialised";
  if (finding.kind == "api_error") return "api";
  if (finding.kind == "leak") return "leak";
  return "fault";
}

const std::vector<std::string>& finding_classes() {
  static const std::vector<std::string> all{"race",  "uninitialised", "bounds", "barrier",
                                            "fault", "api",           "leak"};
  return all;
}

}  // namespace headroom
