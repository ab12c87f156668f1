// What an SM may issue: how often a scheduler does, how many instructions of a warp at once, and who
// shares the lanes of a unit.
//
//   H200      {interval 1, at_once 1}      a scheduler and its own lanes of each kind
//   GTX 460   {interval 2, at_once 2}      3 groups of 16 lanes for FP32, which two schedulers share
//   G80       {interval 4, at_once 1}      8 lanes take a warp for four cycles
#pragma once
#include <array>

#include "model/pipeline/timing.h"

namespace headroom {

struct IssueRule {
  double interval = 1;  // cycles from one issue of a scheduler to the next
  int at_once = 1;      // independent instructions of one warp
  // Groups of lanes of the SM that any scheduler's warps may take; 0: each scheduler has its own.
  std::array<int, units> groups{};
};
IssueRule issue_rule(const Machine&);
double schedulers_of(const Machine&);  // of an SM; 4 where it is unknown

// Cycles that a warp's 32 lanes take of a unit; of products of matrices: matrix_product.h.
uint8_t cycles_on(Unit, const Machine&);

}  // namespace headroom
