// Floors: the least time each hardware resource needs for what a launch did. The largest is the
// limiter; nothing here is a prediction, and no floor may exceed what a correct measurement gives.
//
//   dram cold   805 MB / 4815 GB/s = 167 µs                                              <- limiter
//   issue       (1.1 M − 0.2 M moves) warp instructions / (132 SMs · …) = 0.86 µs        (estimate)
//
// Machine code has other instructions than PTX, often fewer: a floor that counts them is an
// estimate and may lie above a measured time; so is one that counts accesses where ptxas joined or
// dropped some (kernel/accesses.h). It is named when it is the largest, and beside it the largest
// that does not rest on an estimate.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "model/occupancy.h"
#include "model/resource.h"
#include "record/record.h"

namespace headroom {

struct Floor {
  Resource resource;
  double seconds = 0;
  Basis basis = Basis::exact;
  std::string equation;  // with its numbers, in words a reader can check
  // False: holds only under a condition that is not known to be met, which the equation names;
  // shown beside the others, never the limiter.
  bool certain = true;
};

struct Bounds {
  std::vector<Floor> floors;      // the certain ones, largest first, then the conditional ones
  std::vector<Resource> unknown;  // left out because a fact is absent
  int limiter = -1;               // index into floors, of all certain ones; -1: nothing known
  double seconds = 0;             // the limiter's
  // The same among those that are exact too: what a launch takes at least.
  int certain_limiter = -1;
  double certain_seconds = 0;
  // DRAM: cold reads and writes every unique byte once; hot is what is left when L2 keeps what it
  // can from before and until after. Where the footprint fits L2 the hot one is the floor, else the
  // cold.
  bool fits_l2 = false;
  double useful_bytes = 0;          // what threads asked for, global
  double moved_bytes = 0;           // sectors of all global, local and atomic accesses
  double unique_bytes = 0;          // distinct sectors read, and distinct sectors written
  double footprint_bytes = 0;       // distinct sectors
  double arithmetic_intensity = 0;  // FLOP per unique byte
  double machine_balance = 0;  // FLOP per byte at which compute and DRAM floors meet; 0: unknown
  bool memory_side = false;    // intensity below balance
  std::vector<Caveat> caveats;
};

Bounds bound(const Machine&, const LaunchRecord&, const Occupancy&);

// The binding floor rests on numbers of PTX instructions.
inline bool estimated(const Bounds& bounds) {
  return bounds.limiter >= 0 && bounds.floors[bounds.limiter].basis == Basis::estimate;
}

}  // namespace headroom
