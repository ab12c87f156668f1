// What one simulate() call lends to its warps: memory, limits, arguments, and where faults and
// output go.
#pragma once
#include <string>
#include <vector>

#include "record/finding.h"
#include "sim/observe.h"
#include "sim/step.h"

namespace headroom::sim {

struct Machinery {
  const Program* program = nullptr;
  Memory* memory = nullptr;
  Limits limits;
  const Launch* launch = nullptr;
  std::vector<std::byte>
      arguments;              // padded, so that a wide read of the last parameter stays inside
  uint64_t shared_bytes = 0;  // static + dynamic, of a block
  bool lockstep = false;      // warps as before Volta
  uint64_t clock = 0;         // a count of steps: what %clock and %globaltimer show
  std::string printed;
  std::vector<Memory::Block> recent;  // by site: the allocation it last hit
  std::vector<Shape> shapes;          // by site: how its lanes lay last time
  std::vector<bool> strayed;          // by site: it left its allocation, and that has been said
  std::vector<Finding> strays;        // what a GPU lets pass, but is wrong all the same
};

}  // namespace headroom::sim
