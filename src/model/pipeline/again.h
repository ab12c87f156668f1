// Traced blocks that are played again for blocks that were not traced: they do the same elsewhere in memory, but for
// constants, and for what several of those traced touch, which the others are taken to touch too; of one alone, what several of its warps do.
//
//   PlayedAgain(trace).sectors(3, 1)   of block 3, the second time
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/trace.h"

namespace headroom {

class PlayedAgain {
 public:
  explicit PlayedAgain(const Trace&);
  // turn: 1 the second time, 2 the third.
  std::vector<uint64_t> sectors(size_t block, uint64_t turn) const;

 private:
  const Trace& trace_;
  std::vector<std::vector<bool>> stays_;  // of each block's sectors
};

}  // namespace headroom
