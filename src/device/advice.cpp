#include "device/advice.h"

#include "base/saturate.h"

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

Allocation* managed_memory(Session& session, const void* pointer, uint64_t bytes) {
  Allocation* found = session.allocations.holding(uint64_t(pointer));
  if (!found || (found->place != Place::managed && found->place != Place::variable) || !bytes ||
      !is_within(uint64_t(pointer), bytes, found->begin, found->begin + found->bytes))
    return nullptr;
  if (!found->advice) found->advice = std::make_shared<MemoryAdvice>(found->begin);
  return found;
}

Status prefetch(Session& session, const void* pointer, uint64_t bytes, Location where) {
  Allocation* found = managed_memory(session, pointer, bytes);
  if (!found) return Status::invalid_value;
  each(*found->advice, uint64_t(pointer), bytes, found->begin + found->bytes,
       [&](Said& said) { said.prefetched = where; });
  return Status::ok;
}

}  // namespace headroom::device
