#include "sim/partial_copy.h"

#include <bit>
#include <cstring>

#include "sim/observe.h"
#include "sim/spaces.h"

namespace headroom::sim {

void clear_copy(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1)
    std::memset(
        warp.base + operation.operand[0] + uint64_t(std::countr_zero(left)) * operation.extra, 0,
        operation.extra);
}

// A request of the lanes beside those that bring all their bytes: where both share a sector, it is
// counted twice.
void copy_partly(Warp& warp, const Operation& operation) {
  const uint32_t* size = reinterpret_cast<const uint32_t*>(warp.base + operation.operand[1]);
  const uint64_t* address =
      reinterpret_cast<const uint64_t*>(warp.base + operation.operand[address_operand]);
  Count* count = static_cast<Count*>(warp.observer);
  uint64_t last = ~0ull;
  bool whole = false;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    whole |= size[lane] >= operation.extra;
    if (size[lane] == 0 || size[lane] >= operation.extra) continue;
    const uint64_t from = address[lane] + uint64_t(operation.offset);
    if (from % operation.extra) {
      throw Fault{"misaligned_global_load",
                  "cp.async from an address that is no multiple of its size",
                  716,
                  from,
                  operation.instruction,
                  lane};
    }
    const std::byte* bytes =
        resolve_global(warp, lane, from, size[lane], "load", operation.instruction);
    std::memcpy(warp.base + operation.operand[0] + uint64_t(lane) * operation.extra, bytes,
                size[lane]);
    if (!count) continue;
    count->counters.global_load_bytes += size[lane];
    const uint64_t sector = (from - count->memory_base) >> 5;
    if (sector == last) continue;
    if (last == ~0ull) count->counters.global_load_requests += 1;
    count->counters.global_load_sectors += 1;
    count->loaded.add(sector, 1);
    last = sector;
  }
  if (count && whole && last != ~0ull) count->counters.global_load_requests -= 1;
}

}  // namespace headroom::sim
