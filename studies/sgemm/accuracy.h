// How far products lie from float64, by input and size: what a rung that sums in another way must be
// asked, since random numbers near 1 forgive almost everything.
//
//   rung         input                  m   n     k  error  mean error  other kinds  verified
//   naive        [-1, 1)               64  64  8192   4.39        0.28            0      PASS
//   tensor_bf16  elements by 2^+-20    64  64  8192   …
//
// error: the largest |C - C64| in units of 2^-24 sum |a b| (at least the smallest float), over all
// elements that a plain single-precision sum finds finite. other kinds: how many elements are finite,
// infinite or no number where that sum is not so.
#pragma once
#include <string>
#include <vector>

#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/shapes.h"

namespace sgemm {

// Prints the table, and writes it to `json` if that is a name. Returns the exit code.
int accuracy(const std::vector<const Rung*>& rungs, const std::vector<Shape>& shapes, uint64_t seed,
             const std::string& title, const std::string& json);

}  // namespace sgemm
