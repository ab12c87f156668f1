// A machine is a list of facts: value, unit, where the value is from. Unknown is absent, never 0.
//
//   machines/h200.json   "sm_count": {"value": 132, "unit": "SMs", "from": "…", "status": "…"}
//   load_machine("h200").sm_count.value == 132
//
// Derived values (threads / 32, peak FLOP/s) are functions, never stored. The files are compiled
// into the program (it stays relocatable); a path to a file of that form works wherever a name
// does.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct Fact {
  std::optional<double> value;
  std::string unit;    // "MHz", "KiB", "B/clk/SM" …
  std::string from;    // document section or measured file
  std::string status;  // measured, verified, secondary, unverified, unknown
  std::string note;
  explicit operator bool() const { return value.has_value(); }
  double operator*() const { return *value; }  // only after the check above
  double value_or(double other) const { return value.value_or(other); }
};

struct Machine {
  std::string name;   // "h200": what --machine takes
  std::string title;  // "NVIDIA H200 SXM (GH100)"
  std::string about;  // a paragraph on what is particular about it; may be empty
  // limits of an SM and of a block
  Fact compute_capability, sm_count, max_threads_per_sm, max_warps_per_sm, max_blocks_per_sm,
      max_threads_per_block, registers_per_sm, registers_per_block, max_registers_per_thread,
      register_allocation_unit, warp_allocation_granularity, shared_per_sm, shared_per_block,
      shared_per_block_default, shared_allocation_unit, shared_reserved_per_block, shared_banks;
  std::vector<double> shared_carveouts;   // KiB
  std::string register_allocation_scope;  // "block" (cc 1.x) or "warp"
  std::string issue_rule;
  // Where the three above are from; they are no numbers, so these facts have no value.
  std::map<std::string, Fact> sources;
  // rates
  Fact sm_clock, warp_schedulers, issue_per_clock, instructions_per_issue, fp32_per_clock,
      fp64_per_clock, fp16_per_clock, tensor_f16_per_clock, warpgroup_f16_per_clock,
      special_per_clock, integer_per_clock, load_store_units, shared_bytes_per_clock,
      l1_bytes_per_clock, l2_bandwidth, dram_bandwidth, dram_bandwidth_measured, memory_clock,
      memory_bus_width, host_bandwidth;
  // sizes
  Fact l1_size, l2_size, memory_size;
  // latencies, cycles
  Fact alu_latency, imad_wide_latency, fp64_latency, mma_f16_latency, special_latency,
      shared_latency, l1_latency, l2_latency, dram_latency;
  Fact launch_overhead;  // ns

  int cc_major() const { return int(*compute_capability + 0.001); }
  int cc_minor() const { return int((*compute_capability + 0.001) * 10) % 10; }
  int cc() const { return cc_major() * 10 + cc_minor(); }  // 90
};

// One row per fact: JSON key, member, unit, meaning. JSON, `machine show` and docs come from it.
struct MachineField {
  std::string_view name, meaning;
  Fact Machine::*fact;
  std::string_view unit;  // the only one a file may give
  bool required = false;  // occupancy cannot be computed without it
};
std::span<const MachineField> machine_fields();

// By name ("h200") or path ("my.json"). Throws Error: no such machine, or what is wrong in the
// file.
Machine load_machine(const std::string& name_or_path);
// Its file as it stands.
std::string machine_file(const std::string& name_or_path);
std::vector<std::string> machine_names();
// From the text of a machine file; `where` is for messages.
Machine parse_machine(const std::string& json, const std::string& where);

}  // namespace headroom
