// How many work items of each kernel depend on none that is left to do, round by round: the
// parallelism that the six kernels' algorithms have, whatever runs them.
//
//   for (const Rounds& rounds : parallelism(bodies))
//     rounds.kernel, rounds.items         "build tree", {8, 8, 61, 457, …}
//
// A round does all that can be done at its beginning:
//
//   bounding box  boxes are joined by pairs, a body being a box: n / 2, n / 4, …, 1 joints
//   build tree    every body that is not in the tree stands before a place for a child, as deep as
//                 there are cells; of those before one place one goes in, the first in the order
//                 of the bodies, and parts from the body it finds there by new cells
//   summarise     cells whose children are all summarised: a round for each height
//   sort          cells whose parent has given them their place: a round for each level
//   force         all bodies, in one round
//   advance       likewise
//
// A body a leaf, as in the source. Bodies that the finest level does not part form a list, which all
// of them join at once.
//
// Source of the figure: M. Burtscher, "CUDA Optimization Tutorial", slides, part II.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

struct Rounds {
  std::string kernel;
  std::vector<int64_t> items;  // of the first round, of the second, …
};

// Of at least one body.
std::vector<Rounds> parallelism(const Bodies& bodies);

}  // namespace barnes_hut
