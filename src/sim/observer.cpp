#include "sim/observer.h"

#include <algorithm>

#include "sim/machinery.h"

namespace headroom::sim {

void observe(const Warp& warp, const Operation& operation, const LaneAccess& access,
             const uint64_t* address) {
  const AnyObserver& observer = warp.block->machinery->observer;
  if (!observer || !access.mask) return;
  const uint64_t first = address[std::countr_zero(access.mask)];
  AccessPattern pattern;
  pattern.mask = access.mask;
  pattern.phase = uint32_t(first & 31);
  pattern.bytes = access.bytes;
  for (int i = 0; i < lanes; ++i) {
    pattern.delta[i] = access.mask >> i & 1 ? address[i] - first : 0;
    pattern.low = std::min(pattern.low, int64_t(pattern.delta[i]));
    pattern.high = std::max(pattern.high, int64_t(pattern.delta[i]));
  }
  if (access.matrix_rows)
    analyse_matrix_rows(pattern);
  else if (access.space == Place::shared)
    analyse_shared(pattern);
  else if (access.space == Place::global)
    analyse_global(pattern);
  observer.on(Access{warp, operation, access.space, access.use, pattern, first, access.lane_bytes,
                     access.rest, access.peer});
}

void observe(const Copied& copied) {
  const AnyObserver& observer = copied.warp.block->machinery->observer;
  if (observer) observer.on(copied);
}

void observe(const Synchronised& synchronised) {
  const AnyObserver& observer = synchronised.warp.block->machinery->observer;
  if (observer) observer.on(synchronised);
}

}  // namespace headroom::sim
