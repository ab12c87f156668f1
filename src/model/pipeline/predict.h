// How long a launch takes, from the trace of some of its blocks: what one SM does with them
// (sm.h), carried on to all the blocks it gets, at the machine's clock, beside what starting a launch takes.
//
//   TraceSample sample = sample_of(machine, shape, occupancy);      before it runs
//   Predicted p = predict({machine, record, occupancy, trace, listing});
//   p.prediction->seconds
//
// The launch must have completed. Not predicted: kernels whose warps wait for one another through
// memory (mbarriers, asynchronous copies of one thread, products of warpgroups).
#pragma once
#include <memory>
#include <optional>

#include "model/occupancy.h"
#include "model/pipeline/sm.h"
#include "record/record.h"

namespace headroom {

// The blocks that one SM in the middle of the machine gets, as many as run on it in two turns.
TraceSample sample_of(const Machine&, const LaunchShape&, const Occupancy&);

struct PredictTask {
  const Machine& machine;
  const LaunchRecord& record;
  const Occupancy& occupancy;
  const Trace& trace;
  const MachineListing* listing = nullptr;  // for the lines of advice
  double floor_seconds = 0;                 // it takes at least that
  bool time_alone = false;                  // not its range, no advice
  double in_l2 = 0;      // share of what the launch reads that lies in L2 when it begins …
  double near = 0;       // … and of it what the same SM had in the launch before
  unsigned threads = 1;  // host threads that it may take
};

struct Predicted {
  std::optional<Prediction> prediction;
  std::vector<Caveat> caveats;  // why there is none, or how far it may be off
  // Of each instruction cycles of all warps, where it was counted by instruction.
  std::vector<StallCycles> stalls = {};
};
Predicted predict(const PredictTask&);

}  // namespace headroom
