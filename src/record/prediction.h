// What the time model says of a launch: how long it takes, what its warps wait for, and what would
// make it faster.
//
//   Prediction{time 212 µs, low 170, high 265, 1.7 instructions per cycle, stalls {long_scoreboard 14.1, …}}
//   Advice{"bank_conflicts", gain 87 µs, "pad the rows of the tile …", "transpose.cu", 17}
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "record/stall.h"

namespace headroom {

struct Advice {
  std::string id;           // "uncoalesced"
  double gain_seconds = 0;  // of a launch
  std::string what;         // the obstacle, with its numbers
  std::string next;         // a change that removes it
  std::string file;         // of the line that costs most; empty: not known, or of no line
  unsigned line = 0;
  // Once this is done: what then gains more than it does alone, as the one hides the other. None or one.
  std::vector<Advice> then = {};
  friend bool operator==(const Advice&, const Advice&) = default;
};

// A source line, and its share of the time that warps spend.
struct StalledLine {
  std::string file;
  unsigned line = 0;
  double share = 0;
  Stall most = Stall::wait;  // what they do there most of that time
  friend bool operator==(const StalledLine&, const StalledLine&) = default;
};

// What comes one after the other in a launch, which more in flight does not make faster.
struct LatencyBound {
  std::string id;      // "critical_path"
  double seconds = 0;  // the start of the launch with it
  std::string what;    // in words, with its numbers
  friend bool operator==(const LatencyBound&, const LatencyBound&) = default;
};

// What arithmetic and memory would take by themselves, and how much of the shorter one the other hides.
struct Apart {
  double without_arithmetic = 0, without_memory = 0;  // seconds
  double overlap = 0;                                 // 0: one after the other, 1: wholly
  friend bool operator==(const Apart&, const Apart&) = default;
};

struct Prediction {
  double seconds = 0, low_seconds = 0, high_seconds = 0;
  double start_seconds = 0;  // of them, until the first block runs and after the last
  double sm_cycles = 0;      // of the busiest SM
  double ipc = 0;            // warp instructions issued a cycle on an SM, while it has blocks
  // Cycles a warp spends so for each instruction that it issues, by Stall.
  StallCycles stall_cycles{};
  // Bytes of global loads on their way to an SM, on average; and how many must be for the share of DRAM's
  // bandwidth that it has, by Little's law. 0: not known.
  double bytes_in_flight = 0, needed_bytes = 0;
  double dram_share =
      0;  // of the time between begin and end DRAM is busy with what an SM asks of it
  double dram_bytes =
      0;  // that DRAM moves, read and written; what lies in sectors alone takes it longer
  double host_share = 0;  // of the time so long the link to the host is busy …
  double host_bytes = 0;  // … with that much of the host's memory, read and written
  // Warps resident on an SM; and how many would fill its issue slots if each waited only for itself, by Little's
  // law: a warp played alone issues once in so many cycles. 0: not known.
  int warps = 0;
  double cycles_alone = 0, needed_warps = 0;
  std::optional<Apart> apart;      // of launches that have both
  std::vector<StalledLine> lines;  // where warps spend most, the first few; none without -lineinfo
  std::vector<LatencyBound> latency_bounds;  // the largest first
  std::string basis;           // what was played: "16 of 4096 blocks, 210 000 warp instructions"
  std::vector<Advice> advice;  // the largest gain first
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

}  // namespace headroom
