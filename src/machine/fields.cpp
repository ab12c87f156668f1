// The list of facts that a machine has: one row each. A fact that stands in no row could be neither
// read nor shown, so the size of Machine is checked against the number of rows.
#include <iterator>

#include "machine/machine.h"

namespace headroom {
namespace {

constexpr bool required = true;

constexpr MachineField fields[] = {
    {"compute_capability", "version of the instruction set and its limits",
     &Machine::compute_capability, "version", required},
    {"sm_count", "streaming multiprocessors (SMs)", &Machine::sm_count, "SMs", required},
    {"max_threads_per_sm", "resident threads of an SM", &Machine::max_threads_per_sm, "threads",
     required},
    {"max_warps_per_sm", "resident warps of an SM", &Machine::max_warps_per_sm, "warps", required},
    {"max_blocks_per_sm", "resident blocks of an SM", &Machine::max_blocks_per_sm, "blocks",
     required},
    {"max_threads_per_block", "threads of a block", &Machine::max_threads_per_block, "threads",
     required},
    {"registers_per_sm", "32-bit registers of an SM", &Machine::registers_per_sm, "registers",
     required},
    {"registers_per_block", "registers a block may take, where fewer than an SM has",
     &Machine::registers_per_block, "registers"},
    {"max_registers_per_thread", "registers a thread may take", &Machine::max_registers_per_thread,
     "registers", required},
    {"register_allocation_unit", "registers are handed out in multiples of",
     &Machine::register_allocation_unit, "registers", required},
    {"warp_allocation_granularity", "warps are rounded up to multiples of, for registers",
     &Machine::warp_allocation_granularity, "warps", required},
    {"shared_per_sm", "shared memory of an SM, largest carve-out", &Machine::shared_per_sm, "KiB",
     required},
    {"shared_per_block", "shared memory a block may take, with opt-in", &Machine::shared_per_block,
     "KiB", required},
    {"shared_per_block_default", "shared memory a block may take, without opt-in",
     &Machine::shared_per_block_default, "KiB"},
    {"shared_allocation_unit", "shared memory is handed out in multiples of",
     &Machine::shared_allocation_unit, "B", required},
    {"shared_reserved_per_block", "shared memory the driver takes for each block",
     &Machine::shared_reserved_per_block, "B", required},
    {"shared_banks", "banks of shared memory", &Machine::shared_banks, "banks"},
    {"sm_clock", "highest clock of the SMs (shader clock before Kepler)", &Machine::sm_clock, "MHz",
     required},
    {"warp_schedulers", "warp schedulers of an SM", &Machine::warp_schedulers, "schedulers/SM"},
    {"issue_per_clock", "warp instructions an SM can issue, by the issue rule",
     &Machine::issue_per_clock, "warp instructions/clk/SM"},
    {"instructions_per_issue",
     "independent instructions of one warp that a scheduler issues at once",
     &Machine::instructions_per_issue, "instructions"},
    {"fp32_per_clock", "FP32 multiply-adds", &Machine::fp32_per_clock, "FMA/clk/SM"},
    {"fp64_per_clock", "FP64 multiply-adds", &Machine::fp64_per_clock, "FMA/clk/SM"},
    {"fp16_per_clock", "FP16 instructions of a thread, two values each", &Machine::fp16_per_clock,
     "half2 FMA/clk/SM"},
    {"tensor_f16_per_clock", "FP16 multiply-adds of products of matrices (mma), summed up in FP32",
     &Machine::tensor_f16_per_clock, "FMA/clk/SM"},
    {"warpgroup_f16_per_clock", "… of products of four warps (wgmma)",
     &Machine::warpgroup_f16_per_clock, "FMA/clk/SM"},
    {"integer_per_clock", "32-bit additions on the integer pipe", &Machine::integer_per_clock,
     "additions/clk/SM"},
    {"special_per_clock", "special functions: rsqrt, sin, exp2 …", &Machine::special_per_clock,
     "operations/clk/SM"},
    {"load_store_units", "lanes of memory instructions taken each clock",
     &Machine::load_store_units, "lanes/SM"},
    {"shared_bytes_per_clock", "bandwidth of shared memory", &Machine::shared_bytes_per_clock,
     "B/clk/SM"},
    {"l1_bytes_per_clock", "bandwidth of L1", &Machine::l1_bytes_per_clock, "B/clk/SM"},
    {"l2_bandwidth", "bandwidth of L2, all SMs, best measured", &Machine::l2_bandwidth, "GB/s"},
    {"dram_bandwidth", "bandwidth of DRAM at its pins", &Machine::dram_bandwidth, "GB/s"},
    {"dram_bandwidth_measured", "bandwidth of DRAM, best measured",
     &Machine::dram_bandwidth_measured, "GB/s"},
    {"host_bandwidth", "the link to the host, each way, at its pins", &Machine::host_bandwidth,
     "GB/s"},
    {"memory_clock", "memory clock, as drivers give it: half the data rate", &Machine::memory_clock,
     "MHz"},
    {"memory_bus_width", "width of the memory bus", &Machine::memory_bus_width, "bit"},
    {"l1_size", "L1 of an SM, shared memory included where they share", &Machine::l1_size, "KiB"},
    {"l2_size", "L2", &Machine::l2_size, "KiB"},
    {"memory_size", "device memory", &Machine::memory_size, "MiB"},
    {"alu_latency", "dependent FP32 or integer instruction", &Machine::alu_latency, "cycles"},
    {"imad_wide_latency", "dependent 64-bit integer multiply-add", &Machine::imad_wide_latency,
     "cycles"},
    {"fp64_latency", "dependent FP64 instruction", &Machine::fp64_latency, "cycles"},
    {"mma_f16_latency", "dependent FP16 matrix instruction", &Machine::mma_f16_latency, "cycles"},
    {"special_latency", "dependent special function", &Machine::special_latency, "cycles"},
    {"shared_latency", "load from shared memory", &Machine::shared_latency, "cycles"},
    {"l1_latency", "load that hits L1", &Machine::l1_latency, "cycles"},
    {"l2_latency", "load that hits L2", &Machine::l2_latency, "cycles"},
    {"dram_latency", "load from DRAM", &Machine::dram_latency, "cycles"},
    {"launch_overhead", "until a launch's first block runs, and from the last one's end to its own",
     &Machine::launch_overhead, "ns"},
};

// name, title, about; register_allocation_scope, issue_rule; carve-outs; sources: what is no Fact.
static_assert(sizeof(Machine) == std::size(fields) * sizeof(Fact) + 5 * sizeof(std::string) +
                                     sizeof(std::vector<double>) +
                                     sizeof(std::map<std::string, Fact>),
              "a fact of Machine has no row in fields");

}  // namespace

std::span<const MachineField> machine_fields() { return fields; }

}  // namespace headroom
