// Managed memory that a launch is the first to touch: on a GPU it comes by page faults, unless it was prefetched.
//
//   pages.first_touched(session, {{0, 2048}, {1, 5}})   ->   65696: bytes of two pages that no launch before has touched
//
// What the host touches between launches, which it has back then, is not seen.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "record/page_count.h"

namespace headroom::device {

struct Session;

class ManagedPages {
 public:
  // Pages, by the sectors of them that a launch touches, counted from the memory's base on. From then on they have been touched.
  uint64_t first_touched(const Session&, const std::vector<PageCount>&);
  void allocated(const Session&, uint64_t address, uint64_t bytes);

 private:
  std::unordered_set<uint64_t> touched_;
};

}  // namespace headroom::device
