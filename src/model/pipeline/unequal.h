// How long a launch keeps its busiest SM where blocks execute unlike numbers of instructions. Blocks begin in the grid's
// order, each on the SM that has room first, and share it with those that are there.
//
//   busiest_sm({{.first = 0, .count = 131, …10}, {.first = 131, .count = 1, …5000}}, 132, shared)   cycles
//
// A block alone on an SM goes on as its longest warp does; many share what the SM can do, by their instructions.
#pragma once
#include <optional>
#include <vector>

#include "record/trace.h"

namespace headroom {

// What blocks do on an SM, of one of `instructions` and a longest warp of `longest_warp`.
struct SharedSm {
  double instructions = 1, longest_warp = 1;
  double alone = 1;  // cycles that it takes on an SM of its own
  double pace = 1;   // of what a longer one goes on with, by that
  double each = 1;   // … that it takes of an SM that is full
  // The same of a much longer one, where it is known: what begins a block is no measure of the rest.
  double long_instructions = 0, long_each = 0;
  int resident = 1;    // blocks at once
  double start = 0;    // cycles from one block's start to the next one's
  double follows = 0;  // … from a block's end to the start of the one in its place
};

// Of many blocks of many SMs it is found by a part of both.
double busiest_sm(const std::vector<AlikeBlocks>&, double sms, const SharedSm&);

AlikeBlocks mean_of(const std::vector<AlikeBlocks>&);  // as many of mean work

// Whether blocks of a launch are further than this from those of `instructions`.
bool are_unlike(const std::vector<AlikeBlocks>&, double instructions);

// Of all that were traced, by its longest warp; or one of nearly as long warps that was traced further.
const TracedBlock& longest_block(const Trace&);
uint64_t longest_of(const TracedBlock&);   // instructions of its longest warp
uint64_t traced_of(const TracedBlock&);    // … that were traced, of the one with most of these
uint64_t executed_of(const TracedBlock&);  // … of all its warps

// Where an SM has one block, the longest that was traced in place of the sample's. Absent: that is the longest.
std::optional<Trace> by_the_longest(const Trace&);

}  // namespace headroom
