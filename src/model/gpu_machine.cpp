#include "model/gpu_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headroom {
namespace {

// "NVIDIA GeForce GTX TITAN X" -> {"nvidia", "geforce", "gtx", "titan", "x"}
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  return words;
}

std::string shown(const GpuDevice& device) {
  return fmt::format("{} (compute capability {}.{}, {} SMs)", device.name, device.compute_major,
                     device.compute_minor, device.multiprocessors);
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

bool names_machine(const std::string& device, const std::string& machine) {
  const std::vector<std::string> words = words_of(device);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string two = i + 1 < words.size() ? words[i] + words[i + 1] : words[i];
    if (words[i] == machine || two == machine) return true;
    // "k40c", "k40m": the same chip in another housing
    if (words[i].size() == machine.size() + 1 && words[i].starts_with(machine) &&
        std::isalpha(static_cast<unsigned char>(words[i].back())) &&
        std::isdigit(static_cast<unsigned char>(machine.back())))
      return true;
  }
  return false;
}

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
  std::optional<Machine> alike;
  for (const std::string& name : machine_names()) {
    const Machine machine = load_machine(name);
    if (machine.cc() != device.cc()) continue;
    if (names_machine(device.name, name)) {
      result.machine = machine;
      result.known = true;
      if (!agrees(machine, device))
        result.caveats.push_back({fmt::format("the GPU has {} SMs, the machine {} {}",
                                              device.multiprocessors, name, int(*machine.sm_count)),
                                  "another form of the same chip", give_facts});
      if (has_other_memory(machine, device))
        result.caveats.push_back(
            {fmt::format("the GPU's memory moves {:.0f} GB/s, that of the machine {} {:.0f}",
                         device.memory_bandwidth / 1e9, name, *machine.dram_bandwidth),
             "another form of the same GPU: floors of dram are not its own", give_facts});
      return result;
    }
    if (!alike) alike = machine;
  }
  if (alike) result.machine = limits_of(*alike, device);
  result.caveats.push_back({fmt::format("no machine is known for the GPU {}", shown(device)),
                            alike ? "occupancy is from its own attributes, floors are unknown"
                                  : "occupancy and floors are unknown",
                            give_facts});
  return result;
}

}  // namespace headroom
