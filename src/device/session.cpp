#include "device/session.h"

#include "sim/simulate.h"

namespace headroom::device {
namespace {

// An allocation needs some size even of a machine whose memory size nobody knows.
constexpr double unknown_memory_gib = 16;

uint64_t memory_bytes(const Machine& machine) {
  uint64_t bytes =
      machine.memory_size ? bytes_of(machine.memory_size) : uint64_t(unknown_memory_gib * 0x1p30);
  return bytes & ~uint64_t(0x1fffff);
}

}  // namespace

uint64_t bytes_of(const Fact& fact) {
  double unit = fact.unit == "GiB"   ? 0x1p30
                : fact.unit == "MiB" ? 0x1p20
                : fact.unit == "KiB" ? 0x1p10
                : fact.unit == "GB"  ? 1e9
                : fact.unit == "MB"  ? 1e6
                                     : 1;
  return uint64_t(*fact * unit);
}

Session::Session(Options read)
    : options(std::move(read)),
      machine(load_machine(options.machine)),
      memory(memory_bytes(machine) * options.devices),
      journal(options.record, machine.name),
      checker(options.check.races || options.check.uninitialised
                  ? sim::check::make_checker(options.check.races, options.check.uninitialised,
                                             options.check.bounds)
                  : nullptr) {
  timeline.is_kept = options.check.races;
  if (options.actions) journal.write_actions();
  allocations.keeps_sites = options.check.leaks;
}

uint64_t Session::memory_of_device() const { return memory.capacity() / options.devices; }

Registry& registry() {
  static auto* only = new Registry;
  return *only;
}

int& current_device() {
  thread_local int device = 0;
  return device;
}

bool& runtime_is_used() {
  thread_local bool is_used = false;
  return is_used;
}

}  // namespace headroom::device
