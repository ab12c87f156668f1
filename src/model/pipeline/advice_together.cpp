// Obstacles hide each other: what is in the way behind the first advice. Conflicts of banks cost nothing while the launch
// waits for memory, and much once its accesses are coalesced.
//
//   uncoalesced 12 µs, bank_conflicts 0.3 µs, both 21 µs  ->  uncoalesced: then bank_conflicts 9 µs
#include <algorithm>

#include "model/pipeline/asking.h"

namespace headroom {
namespace {

constexpr double much_more = 1.5;    // times what it gains alone; assumed
constexpr double more_share = 0.05;  // of the time, beyond that; assumed

std::vector<bool> either(std::vector<bool> these, const std::vector<bool>& those) {
  these.resize(std::max(these.size(), those.size()));
  for (size_t i = 0; i < those.size(); ++i)
    if (those[i]) these[i] = true;
  return these;
}

Question both(const Question& a, const Question& b) {
  return {.relief = a.relief.with(b.relief),
          .left_out = either(a.left_out, b.left_out),
          .kept = either(a.kept, b.kept)};
}

}  // namespace

void Asking::together() {
  if (advice_.empty()) return;
  Advice& first = advice_.front();
  const auto of_first =
      std::ranges::find(asked_, first.id, [](const Asked& each) { return each.ask.id; });
  if (of_first == asked_.end()) return;
  const auto beyond_first = [&](const Question& question) {
    return std::min(gain_of(question), time_.seconds - least_seconds_) - first.gain_seconds;
  };
  Question all;
  for (const Asked& each : asked_) all = both(all, each.ask.question);
  const double least = std::max(least_told(), more_share * time_.seconds);
  if (beyond_first(all) < least) return;
  std::vector<const Asked*> others;
  for (const Asked& other : asked_)
    if (other.ask.id != first.id && !(mixes_rounds_ && other.ask.id == "dependences"))
      others.push_back(&other);
  const auto with_first = [&](const Asked& other) {
    return beyond_first(both(of_first->ask.question, other.ask.question));
  };
  answers_.prepare([&] {
    for (const Asked* other : others) with_first(*other);
  });
  for (const Asked* other : others) {
    const double alone = std::max(0.0, other->gain), gain = with_first(*other);
    if (gain < much_more * alone || gain < alone + least) continue;
    if (first.then.empty() || gain > first.then.front().gain_seconds)
      first.then = {made_of(other->ask, gain)};
  }
}

}  // namespace headroom
