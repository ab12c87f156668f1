#include "device/advice.h"

namespace headroom::device {

std::map<uint64_t, Said>::iterator cut(MemoryAdvice& advice, uint64_t at) {
  auto found = advice.ranges.find(at);
  if (found != advice.ranges.end()) return found;
  auto after = advice.ranges.upper_bound(at);
  return advice.ranges.emplace_hint(after, at, std::prev(after)->second);
}

Said common(MemoryAdvice& advice, uint64_t begin, uint64_t bytes, uint64_t end) {
  Said all;
  bool first = true;
  each(advice, begin, bytes, end, [&](const Said& one) {
    if (first) all = one;
    first = false;
    all.read_mostly = all.read_mostly && one.read_mostly;
    if (all.preferred != one.preferred) all.preferred = {};
    if (all.prefetched != one.prefetched) all.prefetched = {};
    std::erase_if(all.accessed_by, [&](int device) { return !one.accessed_by.count(device); });
  });
  return all;
}

}  // namespace headroom::device
