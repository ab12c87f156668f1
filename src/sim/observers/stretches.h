// Of which stretches of what the warps of a block do a trace is kept: how each begins, and behind it parts, each an eighth further on than
// the one before it; where little is kept, fewer that are longer.
//
//   limit 16000   ->   instructions 0 … 15999, 18000 … 18499, 20250 … 20749, 22781 … 23280, …
//   limit 1600    ->   instructions 0 … 1599, 2400 … 2599, 3600 … 3799, …
//
// Of blocks whose warps meet at barriers there are no parts: they would have to begin and end between the same two of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::sim {

class Stretches {
 public:
  Stretches(size_t warps, uint64_t limit);

  enum class Goes : uint8_t { on, out, in };  // in: a part begins
  Goes enter(size_t warp, uint64_t before);   // … a basic block, after so many instructions
  bool is_open(size_t warp) const { return warps_[warp].turns % 2 == 0; }
  void end_parts() { ends_ = true; }  // those that are open are the last

 private:
  struct Progress {
    uint64_t began = 0, next = 0;  // instructions: its part, and its end or the next one's begin
    uint32_t turns = 0;
  };

  uint64_t limit_, part_;  // instructions
  uint64_t apart_;         // a part begins by an `apart_`th of what is before it further on
  std::vector<Progress> warps_;
  bool ends_ = false;
};

}  // namespace headroom::sim
