#include "model/hiding.h"

namespace headroom {

std::optional<double> needed_operations(const Machine& machine) {
  if (!machine.alu_latency || !machine.fp32_per_clock) return std::nullopt;
  return needed_parallelism(*machine.alu_latency, *machine.fp32_per_clock);
}

std::optional<double> needed_warps(const Machine& machine, double chains) {
  auto operations = needed_operations(machine);
  if (!operations) return std::nullopt;
  constexpr double lanes = 32;
  return threads_for(*operations, chains) / lanes;
}

std::optional<double> needed_bytes(const Machine& machine) {
  if (!machine.dram_latency || !machine.dram_bandwidth || !machine.sm_clock) return std::nullopt;
  double seconds = *machine.dram_latency / (*machine.sm_clock * 1e6);
  return needed_parallelism(seconds, *machine.dram_bandwidth * 1e9);
}

}  // namespace headroom
