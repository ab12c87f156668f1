#include "model/gpu_machine.h"

#include <fmt/format.h>

#include <cmath>

#include "machine/names.h"

namespace headroom {
namespace {

std::string shown(const GpuDevice& device) {
  return fmt::format("{} (compute capability {}.{}, {} SMs)", device.name, device.compute_major,
                     device.compute_minor, device.multiprocessors);
}

std::vector<std::string> machines_of(int cc) {
  std::vector<std::string> names = machine_names();
  std::erase_if(names, [&](const std::string& name) { return load_machine(name).cc() != cc; });
  return names;
}

bool agrees(const Machine& machine, const GpuDevice& device) {
  return machine.cc() == device.cc() && int(*machine.sm_count) == device.multiprocessors;
}

// "NVIDIA A100-SXM4-80GB" is named like the A100 of 40 GB, whose memory is slower by a quarter.
bool has_other_memory(const Machine& machine, const GpuDevice& device) {
  constexpr double giga = 1e9, tolerance = 0.05;
  if (!machine.dram_bandwidth || device.memory_bandwidth <= 0) return false;
  const double known = *machine.dram_bandwidth * giga;
  return std::abs(device.memory_bandwidth - known) > tolerance * known;
}

constexpr const char* give_facts =
    "give its facts with --machine FILE, made from 'headroom machine show h200 --json'";

// The rules of a compute capability with the numbers of the device; what takes time is unknown.
Machine limits_of(Machine machine, const GpuDevice& device) {
  const auto set = [&](Fact& fact, double value) {
    if (value > 0) fact = {value, fact.unit, "the device itself", "measured", ""};
  };
  constexpr double kibi = 1024, warp_size = 32;
  machine.name = "device";
  machine.title = device.name;
  machine.about.clear();
  set(machine.sm_count, device.multiprocessors);
  set(machine.max_warps_per_sm, device.warps_per_sm);
  set(machine.max_threads_per_sm, device.warps_per_sm * warp_size);
  set(machine.max_blocks_per_sm, device.blocks_per_sm);
  set(machine.max_threads_per_block, device.threads_per_block);
  set(machine.registers_per_sm, device.registers_per_sm);
  set(machine.registers_per_block, device.registers_per_block);
  set(machine.shared_per_sm, double(device.shared_per_sm) / kibi);
  for (Fact Machine::*rate :
       {&Machine::sm_clock, &Machine::issue_per_clock, &Machine::fp32_per_clock,
        &Machine::fp64_per_clock, &Machine::fp16_per_clock, &Machine::special_per_clock,
        &Machine::integer_per_clock, &Machine::load_store_units, &Machine::shared_bytes_per_clock,
        &Machine::l1_bytes_per_clock, &Machine::l2_bandwidth, &Machine::dram_bandwidth,
        &Machine::dram_bandwidth_measured, &Machine::memory_clock, &Machine::memory_bus_width})
    (machine.*rate).value.reset();
  return machine;
}

}  // namespace

GpuMachine machine_of(const GpuDevice& device, const std::optional<Machine>& given) {
  GpuMachine result;
  if (given) {
    result.machine = given;
    result.known = true;
    if (!agrees(*given, device))
      result.caveats.push_back({fmt::format("--machine {} is not the GPU that ran", given->name),
                                "that is a " + shown(device),
                                "occupancy and floors are those of --machine: leave it out"});
    return result;
  }
  const std::vector<std::string> alike = machines_of(device.cc());
  if (const auto name = machine_of_gpu(device.name, alike)) {
    result.machine = load_machine(*name);
    result.known = true;
    if (!agrees(*result.machine, device))
      result.caveats.push_back(
          {fmt::format("the GPU has {} SMs, the machine {} {}", device.multiprocessors, *name,
                       int(*result.machine->sm_count)),
           "another form of the same chip", give_facts});
    if (has_other_memory(*result.machine, device))
      result.caveats.push_back(
          {fmt::format("the GPU's memory moves {:.0f} GB/s, that of the machine {} {:.0f}",
                       device.memory_bandwidth / 1e9, *name, *result.machine->dram_bandwidth),
           "another form of the same GPU: floors of dram are not its own", give_facts});
    return result;
  }
  if (!alike.empty()) result.machine = limits_of(load_machine(alike.front()), device);
  result.caveats.push_back({fmt::format("no machine is known for the GPU {}", shown(device)),
                            alike.empty()
                                ? "occupancy and floors are unknown"
                                : "occupancy is from its own attributes, floors are unknown",
                            give_facts});
  return result;
}

}  // namespace headroom
