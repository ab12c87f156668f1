// rung    edges_first
// idea    where all shares begin is found before, by a kernel of its own: no block waits for its search
// expect  barriers / 2, shared_store_instructions / 1.34 against heads
// next    whole_lines: the stores of a warp begin anywhere in a line
//
// A block of `heads` has nothing to do until its search has waited for five loads, one after the other. Here a kernel
// with a thread for every share finds all edges at a time. What was three steps between barriers, to find the last head
// before each word, every warp does for its own words, a lane a word, and hands it out by shuffles: two barriers are left.
#include "studies/interval_move/tiles.h"

namespace {

using namespace interval_move;

using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 16, 8>>;

void launch(const Request& r) { launch_tiles<Tuning, Start::anywhere>(r, AsGiven{}, r.workspace); }

}  // namespace

const interval_move::Rung interval_move::edges_first = {"edges_first", launch, edges_of};
