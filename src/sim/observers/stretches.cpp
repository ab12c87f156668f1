#include "sim/observers/stretches.h"

#include <algorithm>

namespace headroom::sim {
namespace {

// Assumed; so is how long parts are, and how far apart, by results/h200/model_unseen_3.json.
constexpr uint64_t much = 8000;  // instructions

}  // namespace

Stretches::Stretches(size_t warps, uint64_t limit)
    : limit_(limit),
      part_(limit / (limit < much ? 8 : 32)),
      apart_(limit < much ? 2 : 8),
      warps_(warps, {0, limit}) {}

Stretches::Goes Stretches::enter(size_t number, uint64_t before) {
  Progress& warp = warps_[number];
  const bool open = is_open(number);
  if (before < warp.next || (!open && ends_)) return open ? Goes::on : Goes::out;
  ++warp.turns;
  if (open) {
    const uint64_t from = std::max(limit_, warp.began);
    warp.next = from + from / apart_;
    return Goes::out;
  }
  warp.began = before;
  warp.next = before + part_;
  return Goes::in;
}

}  // namespace headroom::sim
