// Loops that the traced warps went round, by where their code branches back.
//
//   0x470 FFMA … 0x600 @P0 BRA 0x470   ->  Loop{0x470, 0x600}, as indices into Trace::code
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "record/trace.h"

namespace headroom {

struct Loop {
  uint32_t first = 0, last = 0;  // instructions, the branch back is the last
  bool has(uint32_t instruction) const { return first <= instruction && instruction <= last; }
};

struct Way {
  double times = 0,
         straight_on = 0;  // executions of a basic block; those that the next one follows
};

struct Loops {
  std::vector<Way> ways;  // of each basic block
  std::vector<Loop> all;  // in the order of their ends; of several beginnings the nearest
  explicit Loops(const Trace&);
  std::vector<Loop> innermost() const;
};

// Branches and exits with which warps went round a loop, or left it.
std::set<uint32_t> ends_of_loops(const Trace&, const Loops&);

}  // namespace headroom
