// Predicted times of launches, each played once: a program may launch a kernel a hundred thousand times.
//
//   options.trace = predictions.sample(session, record, program, resident);    before it runs: what to trace
//   predictions.predict(session, record, program, resident, trace, listing);   … and after
#pragma once
#include <map>
#include <optional>
#include <utility>

#include "model/pipeline/predict.h"
#include "model/recent_memory.h"

namespace headroom::sim {
struct Program;
}

namespace headroom::device {

struct Session;

class Predictions {
 public:
  // Which blocks to trace; none where the time is taken from launches before.
  TraceSample sample(const Session&, const LaunchRecord&, const sim::Program&,
                     const Occupancy&) const;
  // Sets the prediction of a completed launch, or a caveat that says why it has none.
  void predict(const Session&, LaunchRecord&, const sim::Program&, const Occupancy&,
               const std::optional<Trace>&, const MachineListing&, const FoundInL2&);

 private:
  struct Played {              // launches of one shape
    int times = 0, alike = 0;  // alike: in a row, and taken from the one before
    Counters counters{};       // of the last one
    uint64_t met = 0;          // … and what its accesses met
    double in_l2 = 0, near = 0;
    Predicted predicted;
  };
  std::map<std::pair<const sim::Program*, LaunchShape>, Played> played_;
  std::map<const sim::Program*, int> times_;
};

}  // namespace headroom::device
