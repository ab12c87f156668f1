// The errors of rungs by size, forward and inverse.
//
//   return accuracy(rungs, sizes, bytes, seed, device, capability, json);      // the exit code
//
//   rung        n  forward  inverse  verified
//   intrinsic  1024     …
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "studies/fft/fft.h"

namespace fft {

int accuracy(const std::vector<const Rung*>& rungs, const std::vector<int>& sizes, size_t bytes,
             uint64_t seed, const std::string& device, int capability, const std::string& json);

}  // namespace fft
