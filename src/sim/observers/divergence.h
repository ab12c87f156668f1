// Branches that sent the lanes of a warp both ways.
#pragma once
#include "record/counters.h"
#include "sim/observer.h"

namespace headroom::sim {

struct Divergence : Ignore {
  using Ignore::on;
  Counters counters{};

  // Lanes also part where an instruction's guard leads round it: that is no branch of the program.
  [[gnu::always_inline]] void on(const Diverged& event) {
    counters.divergent_branches += event.basic_block.profile.branches > 0;
  }
};

}  // namespace headroom::sim
