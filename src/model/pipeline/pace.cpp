#include <algorithm>

#include "model/pipeline/sm.h"

namespace headroom {

double pace_of_rest(const SmRun& run, size_t resident) {
  constexpr double from = 0.5, until = 0.9;  // of the instructions of the blocks that begin first
  const double first = std::min(1.0, double(resident) / double(run.ends.size()));
  double longest = 0;
  for (const std::vector<double>& marks : run.marks) {
    const double all = double(marks.size()) * first;
    const auto begin = size_t(from * all), end = size_t(until * all);
    if (begin == end) continue;
    longest = std::max(longest, all * (marks[end] - marks[begin]) / double(end - begin));
  }
  return longest > 0 ? longest / (run.cycles * first) : 1;
}

}  // namespace headroom
