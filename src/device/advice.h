// What a program said of managed memory: kept, told again, and without effect, since the memory lives
// everywhere here. It holds for ranges, which need not be whole allocations.
//
//   MemoryAdvice advice(begin);
//   each(advice, begin + 4096, 4096, end, [](Said& said) { said.read_mostly = true; });
//   advice.ranges      begin: nothing, begin + 4096: read mostly, begin + 8192: nothing
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "device/session.h"

namespace headroom::device {

struct Location {
  enum class Kind { nowhere, device, host };
  Kind kind = Kind::nowhere;
  int id = 0;  // of a device
  friend bool operator==(const Location&, const Location&) = default;
};

// What was said of one range.
struct Said {
  bool read_mostly = false;
  Location preferred, prefetched;
  std::set<int> accessed_by;  // devices, as the API numbers them and the host
};

// By begin; each reaches to the next, the last to the end of the allocation.
struct MemoryAdvice {
  std::map<uint64_t, Said> ranges;
  explicit MemoryAdvice(uint64_t begin) { ranges[begin] = {}; }
};

// The range that begins there, cut off the one that reached over it.
std::map<uint64_t, Said>::iterator cut(MemoryAdvice&, uint64_t at);

// Visits what was said of these bytes of an allocation that ends at `end`.
template <class Visit>
void each(MemoryAdvice& advice, uint64_t begin, uint64_t bytes, uint64_t end, Visit visit) {
  auto first = cut(advice, begin);
  auto last = begin + bytes == end ? advice.ranges.end() : cut(advice, begin + bytes);
  for (; first != last; ++first) visit(first->second);
}

// What holds for all of these bytes; where it differs, nothing does.
Said common(MemoryAdvice&, uint64_t begin, uint64_t bytes, uint64_t end);

// The allocation that has all of these bytes; null: none, or none of managed memory.
Allocation* managed_memory(Session&, const void* pointer, uint64_t bytes);
Status prefetch(Session&, const void* pointer, uint64_t bytes, Location);

}  // namespace headroom::device
