// Every kernel of any_shape or of tensor_any_shape, by every cut along k, at shapes: the times that the numbers in
// any_choice.h and tensor_choice.h are fitted to (scripts/measure/fit_sgemm.py).
//
//   {"size": "341x222x2002", "cuBLAS, us": 18.6, "chosen": "32 x 64, 8/8", "runs": {"32 x 64, 8/8": 16.1, "32 x 64, 4/4": …}}
//
// "32 x 64, 8/4": tiles of 32 x 64, eight blocks share the k of each, in clusters of four.
#pragma once
#include <string>
#include <vector>

#include "studies/sgemm/shapes.h"

namespace sgemm {

// Writes the file row by row. Returns the exit code: 1 where a product differs from cuBLAS's.
int sweep(const std::vector<Shape>& shapes, bool tensor, uint64_t seed, const std::string& title,
          const std::string& json);

}  // namespace sgemm
