// A roofline: the rates that a machine's units allow at each arithmetic intensity, and where the
// kernels of a run lie below them.
//
//   roofs(h200)            {"DRAM", 4815 GB/s, of memory}, {"FP32", 66.9 TFLOP/s}, …
//   roofline_point(launch) {intensity 0.125 FLOP/B, 410 GFLOP/s by the predicted time}
//
// Intensity is of the distinct bytes that a launch touches: what DRAM has to move at least.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/explanation.h"

namespace headroom {

struct Roof {
  std::string title, arithmetic;
  double rate = 0;         // FLOP/s, or of memory B/s
  bool of_memory = false;  // slanted: the rate grows with the intensity
};

// Those whose facts are known.
std::vector<Roof> roofs(const Machine&);

struct RooflinePoint {
  double intensity = 0;    // FLOP/B
  double rate = 0;         // FLOP/s
  bool predicted = false;  // by the predicted time; else by the largest floor, which is quicker
};

// Absent where nothing of floating point or no byte was counted, or no time is known.
std::optional<RooflinePoint> roofline_point(const ExplainedLaunch&);

}  // namespace headroom
