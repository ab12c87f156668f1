// What the traced warps show of each obstacle, by instruction: which one costs most, and how many it is of.
//
//   Evidence(trace).conflicts  ->  {total 1984, worst instruction 41 with 1984}
#pragma once
#include <cstdint>
#include <vector>

#include "model/pipeline/excess_pattern.h"
#include "model/pipeline/loops.h"
#include "model/pipeline/out_of_line.h"
#include "record/trace.h"

namespace headroom {

struct Cost {
  double total = 0;
  std::vector<double> by_instruction;

  void add(uint32_t instruction, double cost) {
    total += cost;
    by_instruction[instruction] += cost;
  }
  uint32_t worst() const;  // the instruction with the most
};

struct Evidence {
  Cost conflicts, wavefronts;    // shared memory: passes beyond what the width needs; all of them
  Cost excess_sectors, sectors;  // global memory: beyond what the lanes ask for; all of them
  Cost local, global_atomics, shared_atomics, lost_lanes, executed;
  Cost shared_loads, global_loads;  // executions
  Cost diverging;                   // branches behind which fewer lanes go on
  Cost fewer_rounds;         // at a loop's branch back: lanes that have left it while others go on
  Cost again;                // global accesses to where the warp was before
  Cost constants;            // addresses beyond the first of a load
  Cost narrow, global;       // accesses of less than four bytes a lane; all of them
  Cost uniform;              // global loads of one address for all lanes …
  double uniform_bytes = 0;  // … and so many they go over, by what was traced of them
  double atomic_lanes = 0,
         meeting_lanes = 0;  // of a global atomic in the mean: all; at its busiest address
  // Basic blocks that one thread enters for its block of several warps, as after `if (threadIdx.x == 0)`: nobody
  // took another side, so its lane is none of those that divergence leaves alone.
  std::vector<bool> of_one_thread;
  ExcessPattern excess;
  double load_rounds = 0;  // of the load that a warp executes most often, in the mean of the warps
  Loops loops;
  bool strides_over_grid = false;  // a loop goes over the work by gridDim.x
  double shared_rounds =
      0;  // of a loop that most of the time goes into and whose rounds more threads can share
  std::vector<Call> calls;
  explicit Evidence(const Trace&);
};

}  // namespace headroom
