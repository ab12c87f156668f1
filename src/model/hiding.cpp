#include "model/hiding.h"

#include <algorithm>
#include <iterator>

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

namespace {

std::optional<double> bytes_by(const Machine& machine, double more_seconds) {
  if (!machine.dram_latency || !machine.dram_bandwidth || !machine.sm_clock) return std::nullopt;
  const double seconds = *machine.dram_latency / (*machine.sm_clock * 1e6) + more_seconds;
  return needed_parallelism(seconds, *machine.dram_bandwidth * 1e9);
}

}  // namespace

std::optional<double> needed_bytes(const Machine& machine) { return bytes_by(machine, 0); }

std::optional<double> busy_needed_bytes(const Machine& machine) {
  return bytes_by(machine, busy_dram_seconds);
}

namespace {

constexpr double warp_lanes = 32, bytes_of_load = 4 * warp_lanes;

// Loads of a warp that DRAM brings an SM in a cycle.
std::optional<double> loads_a_cycle(const Machine& machine) {
  if (!machine.dram_bandwidth || !machine.sm_clock || !machine.sm_count) return std::nullopt;
  return *machine.dram_bandwidth * 1e9 / (*machine.sm_clock * 1e6) / *machine.sm_count /
         bytes_of_load;
}

constexpr Fact Machine::*facts_of_needed_warps[] = {
    &Machine::dram_latency, &Machine::dram_bandwidth, &Machine::sm_clock,
    &Machine::sm_count,     &Machine::alu_latency,    &Machine::fp32_per_clock};

}  // namespace

std::vector<std::string> unknown_for_needed_warps(const Machine& machine) {
  std::vector<std::string> names;
  for (const MachineField& field : machine_fields())
    if (std::ranges::find(facts_of_needed_warps, field.fact) != std::end(facts_of_needed_warps) &&
        !(machine.*field.fact))
      names.emplace_back(field.name);
  return names;
}

std::optional<NeededWarps> needed_warps_at(const Machine& machine, double intensity) {
  const auto loads = loads_a_cycle(machine);
  if (!loads || !unknown_for_needed_warps(machine).empty()) return std::nullopt;
  const double latency = *machine.dram_latency + intensity * *machine.alu_latency,
               computed = intensity > 0 ? *machine.fp32_per_clock / warp_lanes / intensity : *loads;
  const double rate = std::min(*loads, computed),
               busy = busy_dram_seconds * *machine.sm_clock * 1e6 * rate / *loads;
  return NeededWarps{intensity, needed_parallelism(latency, rate),
                     needed_parallelism(latency + busy, rate), *loads <= computed};
}

std::vector<NeededWarps> needed_warps_curve(const Machine& machine) {
  constexpr double most = 4096;
  std::vector<NeededWarps> curve;
  const auto loads = loads_a_cycle(machine);
  if (!loads || !needed_warps_at(machine, 0)) return curve;
  const double cusp = *machine.fp32_per_clock / warp_lanes / *loads;
  const auto add = [&](double intensity) { curve.push_back(*needed_warps_at(machine, intensity)); };
  add(0);
  for (double intensity = 1; intensity <= most; intensity *= 2) {
    if (curve.back().intensity < cusp && cusp < intensity) add(cusp);
    add(intensity);
  }
  return curve;
}

}  // namespace headroom
