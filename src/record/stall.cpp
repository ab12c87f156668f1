#include "record/stall.h"

#include "record/counters.h"

namespace headroom {

const StallRow& in_words(Stall stall, const Counters& counters) {
  static constexpr StallRow without_shared{
      Stall::short_scoreboard, "short_scoreboard", "MIO latency",
      "waits for a special function, a conversion or the like"};
  const bool reads_shared = counters.shared_load_instructions + counters.shared_atomic_instructions;
  return stall == Stall::short_scoreboard && !reads_shared ? without_shared : row_of(stall);
}

}  // namespace headroom
