#include "model/pipeline/parts.h"

#include <algorithm>

#include "model/pipeline/sm.h"

namespace headroom {
namespace {

// Assumed.
constexpr double first_skipped = 0.5, skipped = 0.3;  // of a part's entries

}  // namespace

// A gap goes at the pace of what is before it for half of it, and of what is behind it for the other.
PlayedParts::PlayedParts(const TracedWarp& warp, double begin) {
  TracedPart part{.traced = warp.traced};
  for (const TracedPart& later : warp.parts) part.traced -= later.traced;
  double gap_before = 0;
  for (size_t i = 0; i <= warp.parts.size(); ++i) {
    const bool last = i == warp.parts.size();
    const uint64_t end = part.at + part.traced, next = last ? warp.executed : warp.parts[i].at;
    const double gap = next > end ? double(next - end) : 0;
    const uint32_t begins = part.entry,
                   ends = last ? uint32_t(warp.entered.size()) : warp.parts[i].entry,
                   mark = begins + uint32_t((i ? skipped : first_skipped) * (ends - begins));
    Part& made = parts_.emplace_back(Part{.mark = mark, .end = ends, .begin = begin});
    made.traced = double(part.traced);
    made.rest = gap_before / 2 + (last ? gap : gap / 2);
    if (ends > begins) made.counted = double(ends - mark) / double(ends - begins);
    gap_before = gap;
    if (!last) part = warp.parts[i];
  }
}

bool PlayedParts::pass(uint32_t entry, double now) {
  const size_t before = at_;
  for (; at_ < parts_.size(); ++at_) {
    Part& part = parts_[at_];
    if (at_ != before) part.begin = now;
    if (entry >= part.mark && part.marked == 0) part.marked = now;
    if (entry < part.end) break;
    part.ended = now;
  }
  return at_ != before && at_ < parts_.size();
}

double PlayedParts::cycles() const {
  double sum = 0;
  for (const Part& part : parts_) sum += std::max(0.0, part.ended - part.begin);
  return sum;
}

double PlayedParts::whole() const {
  double sum = cycles();
  for (const Part& part : parts_)
    if (part.ended > part.marked && part.traced > 0)
      sum += part.rest * (part.ended - part.marked) / (part.traced * part.counted);
  return sum;
}

namespace {

// Of warps that began each part together: until the last of them ended it.
double whole_together(const std::vector<PlayedParts>& warps) {
  size_t parts = 0;
  for (const PlayedParts& warp : warps) parts = std::max(parts, warp.parts().size());
  double sum = 0;
  for (size_t i = 0; i < parts; ++i) {
    PlayedParts::Part all{.counted = 0};
    bool first = true;
    for (const PlayedParts& warp : warps) {
      if (i >= warp.parts().size()) continue;
      const PlayedParts::Part& part = warp.parts()[i];
      all.begin = first ? part.begin : std::min(all.begin, part.begin);
      first = false;
      all.marked = std::max(all.marked, part.marked);
      all.ended = std::max(all.ended, part.ended);
      all.traced += part.traced * part.counted;
      all.rest += part.rest;
    }
    sum += std::max(0.0, all.ended - all.begin);
    if (all.ended > all.marked && all.traced > 0)
      sum += all.rest * (all.ended - all.marked) / all.traced;
  }
  return sum;
}

}  // namespace

double whole_of_parts(const SmRun& run, size_t resident) {
  if (run.ends.size() <= resident) return whole_together(run.parts) / run.cycles;
  // Blocks take each other's places, and each its share of the SM.
  double all = 0, played = 0;
  for (const PlayedParts& warp : run.parts) {
    all += warp.whole();
    played += warp.cycles();
  }
  return played > 0 ? all / played : 1;
}

}  // namespace headroom
