// rung    whole_lines
// idea    a warp begins at a line of 128 bytes, not at its share's first element: gathers and expansions store whole sectors
// expect  fewer sectors stored by gathers and expansions, as the study's test counts; a move's stores go elsewhere
// next    by_region: a sector that is written in part has to be read, and the pieces of one come far apart
//
// Where a share begins is where its elements and intervals come out even, so 32 neighbours store five sectors, two of
// them in part. If the first line of a share is its own only from some lane on, all others are whole.
#include "studies/interval_move/tiles.h"

namespace {

using namespace interval_move;

#ifdef TUNED_NT  // scripts/measure/tune.py
using Tuning = headroom::LaunchBox<headroom::Row<80, TUNED_NT, TUNED_VT, TUNED_OCC>>;
#else
using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 16, 8>>;
#endif

void launch(const Request& r) { launch_tiles<Tuning, Start::at_line>(r, AsGiven{}, r.workspace); }

}  // namespace

const interval_move::Rung interval_move::whole_lines = {"whole_lines", launch, edges_of};
