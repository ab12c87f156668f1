// What the chains must end with, computed on the host with one rounding a step, and what the spans
// of the warps say.
//
//   verify(variant, threads, steps, before, after, operands, seed)   true: every value checked is
//   right, bit for bit, and no value was left unwritten
//   cycles_of(spans)   from the first warp's start to the last warp's end
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "studies/common/random.h"
#include "studies/latency/latency.h"

namespace latency {

// Host steps a row may cost: with fewer chains than that all are recomputed, else a random sample.
constexpr int64_t host_steps = 2'000'000;

inline bool verify(const Variant& variant, int steps, const std::vector<float>& before,
                   const std::vector<float>& after, const std::vector<float>& operands,
                   uint64_t seed) {
  for (const float value : after) {
    if (std::isnan(value)) return false;
  }
  const int64_t count = int64_t(before.size());
  const int64_t checked = std::min(count, std::max<int64_t>(8, host_steps / steps));
  for (int64_t i = 0; i < checked; ++i) {
    const size_t chain = checked == count ? i : study::random_bits(seed, i) % count;
    float a = before[chain];
    for (int s = 0; s < steps; ++s) a = variant.on_host(a, operands[0], operands[1]);
    if (a != after[chain]) return false;
  }
  return true;
}

inline double cycles_of(const std::vector<Span>& spans) {
  long long first = spans[0].start, last = spans[0].stop;
  for (const Span& span : spans) {
    first = std::min(first, span.start);
    last = std::max(last, span.stop);
  }
  return double(last - first);
}

}  // namespace latency
