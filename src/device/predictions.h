// Predicted times of launches, each played once: a program may launch a kernel a hundred thousand times.
//
//   options.trace = predictions.sample(session, record, resident);   before it runs: what to trace
//   predictions.predict(session, record, resident, trace, listing);  … and after
#pragma once
#include <map>
#include <optional>

#include "model/pipeline/predict.h"

namespace headroom::device {

struct Session;

class Predictions {
 public:
  // Which blocks to trace; none where the time is taken from launches before.
  TraceSample sample(const Session&, const LaunchRecord&, const Occupancy&) const;
  // Sets the prediction of a completed launch, or a caveat that says why it has none.
  void predict(const Session&, LaunchRecord&, const Occupancy&, const std::optional<Trace>&,
               const MachineListing&);

 private:
  struct Played {  // launches of one shape
    int times = 0;
    Counters counters{};  // of the last one
    double in_l2 = 0;
    Prediction prediction;
  };
  std::map<LaunchShape, Played> played_;
};

}  // namespace headroom::device
