// Floors: the least time each hardware resource needs for what a launch did. The largest is the limiter; nothing
// here is a prediction of the time itself.
//
//   DRAM (cold)  33.6 MB / 4 800 GB/s = 6.99 us   <- limiter
//   issue slots  1.1 M warp instructions / (132 SMs x 4 x 1.98 GHz) = 1.1 us   (estimate: PTX)
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "model/occupancy.h"
#include "record/record.h"

namespace headroom {

struct Floor {
  std::string resource;   // "issue", "fp32", "fp64", "integer", "special", "load/store", "shared", "l1", "l2", "dram", …
  double seconds = 0;
  Basis basis = Basis::exact;
  std::string equation;   // with its numbers, in words a reader can check
};

struct Bounds {
  std::vector<Floor> floors;            // those whose machine facts are known, largest first
  std::vector<std::string> unknown;     // resources left out because a fact is absent
  int limiter = -1;                     // index into floors; -1: nothing known
  double seconds = 0;                   // the largest floor
  // dram cold / hot: cold counts unique bytes from DRAM once; hot is 0 bytes when the footprint fits L2
  bool fits_l2 = false;
  double useful_bytes = 0, moved_bytes = 0, unique_bytes = 0;
  double arithmetic_intensity = 0;      // FLOP per unique DRAM byte
  double machine_balance = 0;           // FLOP per byte at which compute and DRAM floors meet; 0: unknown
  bool memory_side = false;             // intensity below balance
  std::vector<Caveat> caveats;
};

Bounds bound(const Machine&, const LaunchRecord&, const Occupancy&);

}  // namespace headroom
