#include "device/pool.h"

#include <algorithm>

#include "base/saturate.h"

namespace headroom::device {
namespace {

constexpr uint64_t chunk = 32 << 20;  // a pool takes memory from its device in such pieces
constexpr uint64_t unit = 512;

}  // namespace

bool Pool::has_room(uint64_t bytes) const { return !most || saturated_add(used, bytes) <= most; }

void Pool::take(uint64_t bytes) {
  used += saturated_round_up(bytes, unit);
  used_high = std::max(used_high, used);
  reserved = std::max(reserved, saturated_round_up(used, chunk));
  reserved_high = std::max(reserved_high, reserved);
}

void Pool::give(uint64_t bytes) { used -= saturated_round_up(bytes, unit); }

void Pool::trim(uint64_t keep) {
  if (keep < reserved)
    reserved = std::min(reserved, saturated_round_up(std::max(used, keep), chunk));
}

}  // namespace headroom::device
