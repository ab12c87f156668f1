#include "device/predictions.h"

#include <algorithm>

#include "device/session.h"

namespace headroom::device {
namespace {

// Launches of one shape that differ in what they did: later ones are taken from the last of these.
constexpr int most_played = 16;

// The share of a program's data that L2 still holds from what wrote or read it before: all where its
// memory takes little of L2, none where it fills it (as seen on an H200; results/h200/model.json).
double share_in_l2(const Session& session) {
  constexpr double all = 0.55, none = 0.9;
  const double l2 = double(bytes_of(session.machine.l2_size));
  if (l2 <= 0) return 0;
  return std::clamp((none - double(session.memory.used()) / l2) / (none - all), 0.0, 1.0);
}

bool is_modelled(const Session& session, const LaunchRecord& record) {
  return session.options.model && record.engine == Engine::machine;
}

// The same work a little longer or shorter.
Prediction scaled(Prediction prediction, double by) {
  for (double* time : {&prediction.seconds, &prediction.low_seconds, &prediction.high_seconds,
                       &prediction.sm_cycles})
    *time *= by;
  for (Advice& each : prediction.advice) each.gain_seconds *= by;
  prediction.basis = "an earlier launch of this shape, by the number of instructions";
  return prediction;
}

}  // namespace

TraceSample Predictions::sample(const Session& session, const LaunchRecord& record,
                                const Occupancy& resident) const {
  const auto before = played_.find(record.shape);
  const bool enough = before != played_.end() && before->second.times >= most_played;
  if (!is_modelled(session, record) || enough) return {};
  return sample_of(session.machine, record.shape, resident);
}

void Predictions::predict(const Session& session, LaunchRecord& record, const Occupancy& resident,
                          const std::optional<Trace>& trace, const MachineListing& listing) {
  if (!is_modelled(session, record) || !record.completed()) return;
  Played& before = played_[record.shape];
  const double in_l2 = share_in_l2(session);
  if (before.times > 0 && before.counters == record.counters && before.in_l2 == in_l2) {
    record.prediction = before.prediction;
    return;
  }
  if (!trace) {
    const double instructions = double(before.counters.warp_instructions);
    if (before.times > 0 && instructions > 0)
      record.prediction =
          scaled(before.prediction, double(record.counters.warp_instructions) / instructions);
    return;
  }
  Predicted predicted =
      headroom::predict({session.machine, record, resident, *trace, &listing, in_l2});
  if (predicted.caveat) record.caveats.push_back(*predicted.caveat);
  if (!predicted.prediction) return;
  record.prediction = std::move(predicted.prediction);
  before = {before.times + 1, record.counters, in_l2, *record.prediction};
}

}  // namespace headroom::device
