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

// Launches that differ in what they did, of one shape and of one kernel: later ones are taken from
// these. So is one after as many that were alike.
constexpr size_t most_of_shape = 16;
constexpr int most_of_kernel = 256, most_alike = 4;

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

std::vector<Predictions::Played>::iterator Predictions::Shape::same(const Counters& counters,
                                                                    std::optional<uint64_t> met,
                                                                    const FoundInL2& in_l2) {
  const auto is = [&](const Played& each) {
    return each.counters == counters && (!met || each.met == *met) && each.in_l2 == in_l2.share &&
           (!in_l2.near || each.near == *in_l2.near);
  };
  const auto found = std::find_if(played.rbegin(), played.rend(), is);  // that was taken last
  return found == played.rend() ? played.end() : std::prev(found.base());
}

const Predictions::Played& Predictions::Shape::nearest(const Counters& counters) const {
  const auto apart = [&](const Played& each) {
    return std::abs(double(each.counters.warp_instructions) - double(counters.warp_instructions));
  };
  return *std::min_element(played.rbegin(), played.rend(),
                           [&](const Played& a, const Played& b) { return apart(a) < apart(b); });
}

TraceSample Predictions::sample(const Session& session, const LaunchRecord& record,
                                const sim::Program& program, const Occupancy& resident) const {
  if (!session.options.model) return {};
  const auto before = shapes_.find({&program, record.shape});
  if (before != shapes_.end() &&
      (before->second.played.size() >= most_of_shape || before->second.alike >= most_alike))
    return {};
  const auto of_kernel = times_.find(&program);
  if (of_kernel != times_.end() && of_kernel->second >= most_of_kernel) return {};
  return sample_of(session.machine, record.shape, resident);
}

void Predictions::predict(Session& session, LaunchRecord& record, const sim::Program& program,
                          const Occupancy& resident, const std::optional<Trace>& trace,
                          const MachineListing& listing, const FoundInL2& in_l2) {
  if (!record.completed()) return;
  Shape& before = shapes_[{&program, record.shape}];
  std::vector<Played>& played = before.played;
  std::optional<uint64_t> met;
  if (trace) met = headroom::access_hash(*trace);
  if (const auto same = before.same(record.counters, met, in_l2); same != played.end()) {
    const bool told = same == before.same(record.counters, std::nullopt, {in_l2.share, {}});
    before.alike = told ? before.alike + 1 : 0;
    std::rotate(same, same + 1, played.end());
    return give(record, played.back().predicted);
  }
  before.alike = 0;
  if (!trace) {
    if (played.empty()) return;
    const Played& nearest = before.nearest(record.counters);
    const double instructions = double(nearest.counters.warp_instructions);
    if (instructions > 0)
      give(record,
           scaled(nearest.predicted, double(record.counters.warp_instructions) / instructions));
    return;
  }
  session.journal.ran(record);
  const double near = in_l2.near.value_or(played.empty() ? 0 : played.back().near);
  played.push_back(
      {record.counters, *met, in_l2.share, near,
       headroom::predict({session.machine, record, resident, *trace, &listing, record.floor_seconds,
                          session.options.times_alone, in_l2.share, near,
                          host_threads(unsigned(session.options.threads))})});
  ++times_[&program];
  give(record, played.back().predicted);
}

}  // namespace headroom::device
