#include "device/predictions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/thread_pool.h"
#include "device/session.h"
#include "model/pipeline/alike.h"

namespace headroom::device {
namespace {

// Launches that differ in what they did, of one shape and of one kernel: later ones are taken from the
// last of these. So is one after as many that were alike.
constexpr int most_of_shape = 16, most_of_kernel = 256, most_alike = 4;

// The same work a little longer or shorter.
Predicted scaled(Predicted predicted, double by) {
  if (!predicted.prediction) return predicted;
  Prediction& prediction = *predicted.prediction;
  for (double* time : {&prediction.seconds, &prediction.low_seconds, &prediction.high_seconds})
    *time = prediction.start_seconds + (*time - prediction.start_seconds) * by;
  prediction.sm_cycles *= by;
  prediction.dram_bytes *= by;
  // Both have times of the earlier launch in their words.
  prediction.latency_bounds.clear();
  prediction.apart.reset();
  for (Advice& each : prediction.advice) {
    if (each.id != "launch") each.gain_seconds *= by;  // starting it takes as long
    for (Advice& then : each.then) then.gain_seconds *= by;
  }
  for (StallCycles& each : predicted.stalls)
    for (double& cycles : each) cycles = std::round(cycles * by);
  std::ranges::stable_sort(prediction.advice, std::greater{}, &Advice::gain_seconds);
  prediction.basis = "an earlier launch of this shape, by the number of instructions";
  return predicted;
}

void give(LaunchRecord& record, const Predicted& predicted) {
  record.prediction = predicted.prediction;
  record.caveats.insert(record.caveats.end(), predicted.caveats.begin(), predicted.caveats.end());
  if (!record.source || predicted.stalls.size() != record.source->counts.size()) return;
  SourceCounts source = *record.source;
  source.stalls = predicted.stalls;
  record.source = std::make_shared<SourceCounts>(std::move(source));
}

}  // namespace

TraceSample Predictions::sample(const Session& session, const LaunchRecord& record,
                                const sim::Program& program, const Occupancy& resident) const {
  if (!session.options.model) return {};
  const auto before = played_.find({&program, record.shape});
  if (before != played_.end() &&
      (before->second.times >= most_of_shape || before->second.alike >= most_alike))
    return {};
  const auto of_kernel = times_.find(&program);
  if (of_kernel != times_.end() && of_kernel->second >= most_of_kernel) return {};
  return sample_of(session.machine, record.shape, resident);
}

void Predictions::predict(const Session& session, LaunchRecord& record, const sim::Program& program,
                          const Occupancy& resident, const std::optional<Trace>& trace,
                          const MachineListing& listing, const FoundInL2& in_l2) {
  if (!record.completed()) return;
  Played& before = played_[{&program, record.shape}];
  const double near = in_l2.near.value_or(before.near);
  const uint64_t met = trace ? headroom::access_hash(*trace) : before.met;
  if (before.times > 0 && before.counters == record.counters && before.met == met &&
      before.in_l2 == in_l2.share && before.near == near) {
    ++before.alike;
    return give(record, before.predicted);
  }
  before.alike = 0;
  if (!trace) {
    const double instructions = double(before.counters.warp_instructions);
    if (instructions > 0)
      give(record,
           scaled(before.predicted, double(record.counters.warp_instructions) / instructions));
    return;
  }
  before = {before.times + 1,
            0,
            record.counters,
            met,
            in_l2.share,
            near,
            headroom::predict({session.machine, record, resident, *trace, &listing,
                               record.floor_seconds, session.options.times_alone, in_l2.share, near,
                               host_threads(unsigned(session.options.threads))})};
  ++times_[&program];
  give(record, before.predicted);
}

}  // namespace headroom::device
