// Occupancy: how many blocks fit on an SM, and what stops the next one. One pure function; the result carries
// its arithmetic.
//
//   occupancy(h200, {threads 256, registers 64, shared 0})  ->  4 blocks, 32 of 64 warps, limited by registers
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"

namespace headroom {

struct BlockShape {
  int threads = 0;                    // per block
  std::optional<int> registers;       // per thread; absent: unknown, and that limit is left out, with a caveat
  uint64_t static_shared = 0;         // bytes per block
  uint64_t dynamic_shared = 0;
  std::optional<double> carveout;     // KiB of shared memory preferred; absent: the driver's choice (the largest)
};

struct OccupancyLimit {
  std::string resource;    // "threads", "blocks", "warps", "registers", "shared memory"
  std::optional<int> blocks;  // allowed by this resource; absent: does not apply or is unknown
  std::string arithmetic;  // "65536 / (ceil(37·32, 256) · 32) = 1" : what one would write by hand
  // The least change of this resource alone that would admit one more block ("registers ≤ 32"), and the occupancy then.
  std::string relief;
  int relief_blocks = 0;
};

struct Occupancy {
  int blocks = 0;             // per SM
  int warps = 0, max_warps = 0;
  double fraction = 0;        // warps / max_warps
  std::vector<OccupancyLimit> limits;
  std::vector<std::string> limiters;   // every resource whose limit equals `blocks`
  std::vector<Caveat> caveats;
  std::string impossible;     // not empty: why no block can run ("1 100 threads per block, the machine allows 1 024")
};

Occupancy occupancy(const Machine&, const BlockShape&);

}  // namespace headroom
