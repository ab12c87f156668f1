#include "model/pipeline/representative.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/pipeline/unequal.h"

namespace headroom {
namespace {

constexpr double most_apart = 1.1;  // the sample's mean block and the launch's; assumed

double apart(double instructions, double from) {
  return std::abs(std::log((instructions + 1) / (from + 1)));
}

template <class Blocks>
double mean_executed(const Blocks& blocks) {
  double sum = 0;
  for (const TracedBlock& block : blocks) sum += double(executed_of(block));
  return sum / double(blocks.size());
}

// Of the grid's blocks in the order of their work, the middle one of each of so many equal parts.
std::vector<double> middles(std::vector<AlikeBlocks> work, size_t parts) {
  std::ranges::sort(work, {}, &AlikeBlocks::instructions);
  uint64_t all = 0;
  for (const AlikeBlocks& blocks : work) all += blocks.count;
  std::vector<double> result;
  double before = 0;
  for (const AlikeBlocks& blocks : work) {
    before += double(blocks.count);
    while (result.size() < parts &&
           (double(result.size()) + 0.5) * double(all) / double(parts) <= before)
      result.push_back(double(blocks.instructions));
  }
  return result;
}

}  // namespace

std::optional<Trace> representative(const Trace& trace) {
  const size_t wanted = trace.blocks.size();
  if (wanted < 2 || trace.others.empty() || trace.work.empty() || !trace.tells_waiting())
    return std::nullopt;
  const double mean = double(mean_of(trace.work).instructions),
               of_sample = apart(mean_executed(trace.blocks), mean);
  if (of_sample <= std::log(most_apart)) return std::nullopt;

  std::vector<const TracedBlock*> left;
  for (const auto* blocks : {&trace.blocks, &trace.others})
    for (const TracedBlock& block : *blocks) left.push_back(&block);
  std::vector<TracedBlock> chosen;
  for (const double wants : middles(trace.work, wanted)) {
    const auto nearest = std::ranges::min_element(left, {}, [&](const TracedBlock* block) {
      return apart(double(executed_of(*block)), wants);
    });
    chosen.push_back(**nearest);
    left.erase(nearest);
  }
  if (apart(mean_executed(chosen), mean) >= of_sample) return std::nullopt;
  std::ranges::sort(chosen, {}, &TracedBlock::linear);
  return trace.played_by(std::move(chosen));
}

}  // namespace headroom
