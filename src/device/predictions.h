// Predicted times of launches, each played once: a program may launch a kernel a hundred thousand times.
//
//   options.trace = predictions.sample(session, record, program, resident);    before it runs: what to trace
//   predictions.predict(session, record, program, resident, trace, listing);   … and after
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

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
  // Sets the prediction of a completed launch, or a caveat that says why it has none. A launch that is
  // played stands in the journal before.
  void predict(Session&, LaunchRecord&, const sim::Program&, const Occupancy&,
               const std::optional<Trace>&, const MachineListing&, const FoundInL2&);

 private:
  struct Played {  // a launch, and what its time depends on
    Counters counters{};
    uint64_t met = 0;  // by its accesses
    double in_l2 = 0, near = 0;
    Predicted predicted;
  };
  struct Shape {
    std::vector<Played>
        played;  // no two of them the same; the last: that the last launch took its time from
    int alike =
        0;  // launches in a row that took theirs from one before, which could be told without a trace
    // The one that is the same, as far as is known: what accesses met is not of a launch that was not traced.
    std::vector<Played>::iterator same(const Counters&, std::optional<uint64_t> met,
                                       const FoundInL2&);
    const Played& nearest(const Counters&) const;
  };
  std::map<std::pair<const sim::Program*, LaunchShape>, Shape> shapes_;
  std::map<const sim::Program*, int> times_;
};

}  // namespace headroom::device
