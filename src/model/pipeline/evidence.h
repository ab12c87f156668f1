// What the traced warps show of each obstacle, by instruction: which one costs most, and how many it is of.
//
//   Evidence(trace).conflicts  ->  {total 1984, worst instruction 41 with 1984}
#pragma once
#include <cstdint>
#include <vector>

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
  Cost again;                       // global accesses to where the warp was before
  Cost constants;                   // addresses beyond the first of a load
  Cost split;           // … to sectors of which another instruction takes another part
  Cost narrow, global;  // accesses of less than four bytes a lane; all of them
  // Basic blocks that one thread enters for its block of several warps, as after `if (threadIdx.x == 0)`: nobody
  // took another side, so its lane is none of those that divergence leaves alone.
  std::vector<bool> of_one_thread;
  double executions_with_excess = 0;  // of global accesses to more sectors than their lanes ask for
  double scattered = 0;               // … of them, those without a stride, as by random indices
  Loops loops;
  bool strides_over_grid = false;  // a loop goes over the work by gridDim.x
  std::vector<Call> calls;
  explicit Evidence(const Trace&);
};

}  // namespace headroom
