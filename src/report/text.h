// A document on a terminal. No line is wider than the style's columns: sentences break at spaces,
// grids as grid_text.h says, and a word that is wider alone loses its middle.
//
//   headroom: ./saxpy: NVIDIA H200, 2 launches of 1 kernel; exit code 0
//
//     kernel  n  grid × block  floor, µs
//     saxpy   2  256 × 256         0.062
#pragma once
#include <string>

#include "report/document.h"
#include "report/style.h"

namespace headroom {

std::string draw_text(const Document&, const Style&);

}  // namespace headroom
