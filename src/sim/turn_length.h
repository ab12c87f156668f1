// How far a warp goes in its turn, until others have theirs.
//
//   blocks that wait for one another   one access to memory that is far, or 16 basic blocks without any, or a 64th of the way so far; and one
//                                      round of waiting: all resident ones get on together, as on a GPU, and wait for about as many rounds
//   all others                         2^20 basic blocks, and 64 rounds of waiting
#pragma once
#include <cstdint>

namespace headroom::sim {

// What loops may use up before a group of lanes gives way: a back edge costs 1, that of a loop that waits for others more.
inline constexpr uint32_t patience = 1u << 20;
inline constexpr uint32_t most_rounds = 64;  // of waiting, in a turn
// … and where blocks wait for one another, in basic blocks: one that reads global memory.
inline constexpr uint64_t cost_of_far = 16;

struct TurnLength {
  bool together = false;  // with all blocks that have begun
  uint64_t basic_blocks = 1 << 20;
  uint32_t rounds = most_rounds;  // of a loop that waits
  uint32_t spin_cost = patience / most_rounds;
  uint32_t of_block = 16;  // turns in a row of one where some warps only wait
};
inline constexpr uint64_t slice_basic_blocks = TurnLength{}.basic_blocks;

// From turn to turn of a launch.
class TurnLengths {
 public:
  explicit TurnLengths(bool blocks_wait);
  const TurnLength& now() const { return now_; }
  void begin(uint64_t warps);
  // A block's, of so many warps; all that have begun have entered so many basic blocks together.
  void had_turn(uint64_t warps, uint64_t entered);

  bool began_together() const { return began_together_; }

 private:
  const bool began_together_;
  TurnLength now_;
  uint64_t begun_ = 0, turns_ = 0;  // warps; of warps
};

}  // namespace headroom::sim
