// Occupancy: how many blocks fit on an SM, and what stops the next one. One pure function; the
// result carries its arithmetic.
//
//   occupancy(h200, {.threads = 256, .registers = 64})
//     4 blocks, 32 of 64 warps, limited by registers: floor(65536 / ceil(64 · 32, 256), 4) / 8 = 4
//
// Sources: cuda_occupancy.h of CUDA 13 for compute capability 3.0 and later, the data of NVIDIA's
// occupancy calculator before.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "kernel/kernel.h"
#include "machine/machine.h"
#include "record/launch.h"

namespace headroom {

struct BlockShape {
  int threads = 0;               // per block
  std::optional<int> registers;  // per thread; absent: unknown, left out with a caveat
  uint64_t static_shared = 0;    // bytes per block
  uint64_t dynamic_shared = 0;
  std::optional<double> carveout;  // KiB of shared memory preferred; absent: the largest
  std::optional<int> max_threads = std::nullopt;  // of a block, by __launch_bounds__
  bool static_shared_unknown = false;             // left out, with a caveat
};

struct OccupancyLimit {
  std::string resource;       // "threads", "warps", "blocks", "registers", "shared memory"
  std::optional<int> blocks;  // allowed by this resource; absent: does not apply or is unknown
  std::string arithmetic;     // "warps 48 / ceil(37·32, 256) …": what one would write by hand
  // For a limiter: the least change of this resource alone that would admit one more block by it
  // ("registers ≤ 32"), and what the whole SM would then hold. Empty: no such change exists.
  std::string relief;
  int relief_blocks = 0;
  double relief_fraction = 0;
};

struct Occupancy {
  int blocks = 0;  // per SM
  int warps = 0, max_warps = 0;
  double fraction = 0;  // warps / max_warps
  std::vector<OccupancyLimit> limits;
  std::vector<std::string> limiters;  // every resource whose limit equals `blocks`
  std::vector<Caveat> caveats;
  // Not empty: why no block can run ("1100 threads per block, the machine allows 1024").
  std::string impossible;
};

Occupancy occupancy(const Machine&, const BlockShape&);

// Of a launch, with what the machine's compiler gives its kernel: the one rule by which the stand-in
// sets resident blocks and event times, and reports say how full an SM is. The carve-out is what the
// program prefers.
void set_static_shared(BlockShape&, const Resources&);
BlockShape block_of(const Machine&, const LaunchShape&, const Resources&);
Occupancy occupancy_of(const Machine&, const LaunchShape&, const Resources&);

// The smallest carve-out of an SM with room for so many bytes of shared memory; all there is where none has.
uint64_t carveout_for(const Machine&, uint64_t bytes);

// The block size with the most resident threads, the largest of equals: what
// cudaOccupancyMaxPotentialBlockSize answers. `shape.threads` and `shape.dynamic_shared` are not
// read: the one is sought, the other is what `shared_for_threads` says (null: none). A block limit
// of 0 is no limit.
struct PotentialBlock {
  int threads = 0;   // 0: the kernel cannot run
  int min_grid = 0;  // blocks that fill the machine
};
PotentialBlock max_potential_block(const Machine&, BlockShape shape,
                                   const std::function<uint64_t(int)>& shared_for_threads,
                                   int block_limit);

}  // namespace headroom
