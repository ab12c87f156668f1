#include "model/roofline.h"

#include <fmt/format.h>

namespace headroom {
namespace {

struct RoofRow {
  const char* title;
  Fact Machine::*per_clock;  // of an SM
  double operations;         // of each: a multiply-add is two, of a pair of values four
};

constexpr RoofRow compute_roofs[] = {
    {"FP32", &Machine::fp32_per_clock, 2},
    {"FP64", &Machine::fp64_per_clock, 2},
    {"FP16", &Machine::fp16_per_clock, 4},
    {"tensor FP16", &Machine::tensor_f16_per_clock, 2},
};

}  // namespace

std::vector<Roof> roofs(const Machine& machine) {
  std::vector<Roof> result;
  if (const Fact& dram = machine.dram_bandwidth; dram.value_or(0) > 0)
    result.push_back({"DRAM", fmt::format("{:g} GB/s", *dram), *dram * 1e9, true});
  if (!machine.sm_count || !machine.sm_clock) return result;
  for (const RoofRow& row : compute_roofs) {
    const Fact& fact = machine.*row.per_clock;
    if (fact.value_or(0) <= 0) continue;
    const double rate = *machine.sm_count * *fact * row.operations * *machine.sm_clock * 1e6;
    result.push_back({row.title,
                      fmt::format("{:g} SMs · {:g} a clock · {:g} · {:g} MHz", *machine.sm_count,
                                  *fact, row.operations, *machine.sm_clock),
                      rate, false});
  }
  return result;
}

std::optional<RooflinePoint> roofline_point(const ExplainedLaunch& launch) {
  const Counters& c = launch.record.counters;
  const double operations = double(c.fp32_operations) + double(c.fp64_operations) +
                            double(c.fp16_operations) + double(c.tensor_operations);
  const bool is_predicted = launch.record.prediction.has_value();
  const double seconds = is_predicted ? launch.record.prediction->seconds : launch.bounds->seconds;
  const double bytes = launch.bounds->unique_bytes;
  if (operations <= 0 || bytes <= 0 || !(seconds > 0)) return std::nullopt;
  return RooflinePoint{operations / bytes, operations / seconds, is_predicted};
}

}  // namespace headroom
