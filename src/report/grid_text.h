// A grid on a terminal: aligned columns under one or two lines of titles, no line wider than the
// style's columns. Where it is too wide, columns give way in this order: names are shortened in the
// middle, words go on in the next line, and what still does not fit stands in a second grid below,
// which says again what its rows are about.
//
//     kernel        n  grid × block
//     sort<…, 256>  2  256 × 256
//
//     kernel        occupancy  largest floor
//     sort<…, 256>  100 %      shared memory
#pragma once
#include <string>

#include "report/document.h"
#include "report/style.h"

namespace headroom {

std::string grid_text(const Grid&, const Style&);

}  // namespace headroom
