#include "sim/partial_copy.h"

#include <bit>
#include <cstring>

#include "sim/observer.h"
#include "sim/spaces.h"

namespace headroom::sim {

void clear_copy(Warp& warp, const Operation& operation) {
  for (uint32_t left = warp.mask; left; left &= left - 1)
    std::memset(
        warp.base + operation.operand[0] + uint64_t(std::countr_zero(left)) * operation.extra, 0,
        operation.extra);
}

// An access of its own beside that of the lanes that bring all their bytes, of one request: where
// both share a sector, it is counted twice.
void copy_partly(Warp& warp, const Operation& operation) {
  const uint32_t* size = reinterpret_cast<const uint32_t*>(warp.base + operation.operand[1]);
  const uint64_t* address =
      reinterpret_cast<const uint64_t*>(warp.base + operation.operand[address_operand]);
  uint64_t source[lanes] = {};
  uint32_t bytes_of[lanes] = {}, partly = 0;
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
    source[lane] = from;
    bytes_of[lane] = size[lane];
    partly |= 1u << lane;
  }
  observe(warp, operation,
          {Place::global, Use::load, partly, uint8_t(operation.extra), false, bytes_of, whole},
          source);
}

}  // namespace headroom::sim
