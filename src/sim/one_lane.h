// An operation that a warp does once, whoever of its lanes run: the lowest of them does it.
#pragma once
#include "sim/program.h"
#include "sim/warp.h"

namespace headroom::sim {

template <Handler Do>
void in_one_lane(Warp& warp, const Operation& operation) {
  const uint32_t all = warp.mask;
  warp.mask = all & (0 - all);
  Do(warp, operation);
  warp.mask = all;
}

}  // namespace headroom::sim
