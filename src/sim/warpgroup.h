// Four warps of a block that begin at a multiple of four: who executes wgmma and setmaxnreg
// together.
//
//   warpgroup_threads(block, 1) == 128      warps 4 to 7, none of which has left
#pragma once
#include "sim/warp.h"

namespace headroom::sim {
namespace {  // each file its own: some are compiled for instruction sets that others must not meet

// Of the warps that have not left, counting warps whole.
inline uint32_t warpgroup_threads(const BlockState& block, size_t group) {
  uint32_t threads = 0;
  for (size_t w = group * 4; w < group * 4 + 4 && w < block.warps.size(); ++w)
    threads += block.warps[w].live ? uint32_t(lanes) : 0;
  return threads;
}

}  // namespace
}  // namespace headroom::sim
