#include "sim/turn_length.h"

#include <algorithm>

namespace headroom::sim {
namespace {

constexpr TurnLength apart{};
constexpr TurnLength together{true, cost_of_far, 1, patience, 1};
// Many have begun, and wait: they look once while another works for long.
constexpr TurnLength no_longer{false, apart.basic_blocks, 1, patience, 1};
constexpr uint64_t parts_of_way = 64;  // assumed

// Beyond these it takes too long here. Threads that queue for a lock look as often as the queue is long.
constexpr uint64_t most_turns = 5 << 20, most_of_warp = 64;

}  // namespace

TurnLengths::TurnLengths(bool blocks_wait)
    : began_together_(blocks_wait), now_(blocks_wait ? together : apart) {}

void TurnLengths::begin(uint64_t warps) { begun_ += warps; }

void TurnLengths::had_turn(uint64_t warps, uint64_t entered) {
  if (!now_.together) return;
  turns_ += warps;
  if (turns_ > most_turns + most_of_warp * begun_)
    now_ = no_longer;
  else  // who waits still looks once: thousands that look more often take too long here
    now_.basic_blocks =
        std::clamp(entered / begun_ / parts_of_way, together.basic_blocks, apart.basic_blocks);
}

}  // namespace headroom::sim
