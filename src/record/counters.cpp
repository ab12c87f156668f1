// The one list of counters. A row: JSON key, unit, meaning, basis, Nsight Compute's name where it
// is the same thing.
//
// Exact without such a name: a fact of the execution that no profiler reports. Estimate: machine
// code has another number, for the reason its meaning gives.
#include "record/counters.h"

#include <array>

#include "record/instruction_class.h"
#include "record/pipe.h"

namespace headroom {
namespace {

constexpr auto exact = Basis::exact, estimate = Basis::estimate;
using C = Counters;

constexpr auto fields = std::to_array<CounterField>({
    // clang-format off
    {"warp_instructions", "instructions", "PTX instructions executed by warps with at least one active lane; the compiler turns one into none, one or several", estimate, "", &C::warp_instructions, "smsp__inst_executed.sum"},
    {"thread_instructions", "instructions", "the same counted per active lane whose guard holds", estimate, "", &C::thread_instructions, "smsp__thread_inst_executed.sum"},
    row_of(InstructionClass::fp32).counter,
    row_of(InstructionClass::fp64).counter,
    row_of(InstructionClass::fp16).counter,
    row_of(InstructionClass::integer).counter,
    row_of(InstructionClass::special).counter,
    row_of(InstructionClass::conversion).counter,
    row_of(InstructionClass::control).counter,
    row_of(InstructionClass::memory).counter,
    row_of(InstructionClass::move).counter,
    row_of(InstructionClass::tensor).counter,
    row_of(InstructionClass::other).counter,
    row_of(Pipe::alu).counter,
    row_of(Pipe::fma).counter,
    row_of(Pipe::fp64).counter,
    row_of(Pipe::fp16).counter,
    row_of(Pipe::tensor).counter,
    row_of(Pipe::xu).counter,
    row_of(Pipe::lsu).counter,
    row_of(Pipe::tex).counter,
    row_of(Pipe::uniform).counter,
    row_of(Pipe::adu).counter,
    row_of(Pipe::cbu).counter,
    {"register_reads_even", "registers", "registers of even numbers, one of the two banks, that warp instructions on the ALU, FMA and FP16 pipes read; without those that the reuse cache gives. A model, as are the next three: no profiler counts them", exact, "", &C::register_reads_even, {}, true},
    {"register_reads_odd", "registers", "the same of odd numbers, the other bank", exact, "", &C::register_reads_odd, {}, true},
    {"register_reads_reused", "registers", "sources that the reuse cache gives: an instruction before kept their register (.reuse), and no other warp came between", exact, "", &C::register_reads_reused, {}, true},
    {"register_bank_conflicts", "cycles", "cycles beyond one that these instructions take to read registers of one bank", exact, "", &C::register_bank_conflicts, {}, true},
    {"fp32_operations", "operations", "32-bit floating point operations of threads, an FMA counted as two; contraction and the expansion of division come after PTX", estimate, "", &C::fp32_operations},
    {"fp64_operations", "operations", "64-bit floating point operations of threads", estimate, "", &C::fp64_operations},
    {"fp16_operations", "operations", "16-bit floating point operations of threads, a packed pair counted as two", estimate, "", &C::fp16_operations},
    {"tensor_operations", "operations", "operations of products of matrices, 2·m·n·k each; of sparse ones half are on zeros that no tensor core multiplies", exact, "", &C::tensor_operations},
    {"branches", "branches", "branch instructions executed by warps; the compiler replaces short ones by predicates", estimate, "", &C::branches, "smsp__inst_executed_op_branch.sum"},
    {"divergent_branches", "branches", "of these, branches that send the lanes of a warp both ways", estimate, "", &C::divergent_branches, "smsp__sass_branch_targets_threads_divergent.sum"},
    {"barriers", "instructions", "block barriers executed by warps", estimate, "", &C::barriers},

    {"global_load_requests", "requests", "global loads executed by warps with at least one active lane, cp.async among them", exact, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &C::global_load_requests},
    {"global_load_sectors", "sectors", "distinct 32-byte sectors of each such request, summed", exact, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &C::global_load_sectors},
    {"global_store_requests", "requests", "global stores executed by warps with at least one active lane", exact, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &C::global_store_requests},
    {"global_store_sectors", "sectors", "distinct 32-byte sectors of each such request, summed", exact, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &C::global_store_sectors},
    {"local_load_requests", "requests", "local loads of warps, one for each 4 bytes of a lane; the compiler keeps many in registers and adds those of spills", estimate, "", &C::local_load_requests, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"},
    {"local_load_sectors", "sectors", "sectors of local loads, where local memory is interleaved by lane", estimate, "", &C::local_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    {"local_store_requests", "requests", "local stores of warps, one for each 4 bytes of a lane; the compiler keeps many in registers and adds those of spills", estimate, "", &C::local_store_requests, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"},
    {"local_store_sectors", "sectors", "sectors of local stores, where local memory is interleaved by lane", estimate, "", &C::local_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    {"atomic_requests", "requests", "global atomics and reductions of warps; the compiler may combine lanes first, or loop on compare-and-swap", estimate, "", &C::atomic_requests},
    {"atomic_sectors", "sectors", "distinct 32-byte sectors of each such request, summed: the least; hardware takes a sector again for every further lane at one address", estimate, "", &C::atomic_sectors},
    {"bulk_load_sectors", "sectors", "32-byte sectors that bulk copies of threads, of tensors too, read from global memory; they pass L1 by", exact, "", &C::bulk_load_sectors},
    {"bulk_store_sectors", "sectors", "32-byte sectors that bulk copies and bulk reductions write to global memory", exact, "", &C::bulk_store_sectors},
    {"shared_load_instructions", "instructions", "shared loads executed by warps", exact, "smsp__inst_executed_op_shared_ld_pred_on_any.sum", &C::shared_load_instructions},
    {"shared_load_wavefronts", "wavefronts", "passes through the 32 banks that shared loads need; hardware adds a few by arbitration", exact, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", &C::shared_load_wavefronts},
    {"shared_load_conflicts", "wavefronts", "of these, passes beyond what the width of the access needs", exact, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", &C::shared_load_conflicts},
    {"shared_store_instructions", "instructions", "shared stores executed by warps, and those of cp.async, which a profiler lists apart", exact, "smsp__inst_executed_op_shared_st_pred_on_any.sum", &C::shared_store_instructions},
    {"shared_store_wavefronts", "wavefronts", "passes through the 32 banks that shared stores need; hardware adds a few by arbitration", exact, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", &C::shared_store_wavefronts},
    {"shared_store_conflicts", "wavefronts", "of these, passes beyond what the width of the access needs", exact, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", &C::shared_store_conflicts},
    {"shared_atomic_instructions", "instructions", "shared atomics and reductions of warps; many types become compare-and-swap loops", estimate, "", &C::shared_atomic_instructions},

    {"global_load_bytes", "bytes", "bytes that threads asked for with global loads; sectors times 32 is what moved", exact, "", &C::global_load_bytes},
    {"global_store_bytes", "bytes", "bytes that threads wrote with global stores; sectors times 32 is what moved", exact, "", &C::global_store_bytes},
    {"unique_load_sectors", "sectors", "distinct 32-byte sectors of global memory that the launch loads", exact, "", &C::unique_load_sectors},
    {"unique_store_sectors", "sectors", "distinct 32-byte sectors of global memory that the launch stores", exact, "", &C::unique_store_sectors},
    {"unique_sectors", "sectors", "distinct 32-byte sectors of global memory that the launch touches: its footprint", exact, "", &C::unique_sectors},
    {"host_load_sectors", "sectors", "of the sectors that loads and atomics ask for, those in memory of the host (pinned, mapped, registered): they cross the link, and no unique sector is one of them", exact, "", &C::host_load_sectors},
    {"host_store_sectors", "sectors", "the same of stores and atomics", exact, "", &C::host_store_sectors},
    // clang-format on
});
static_assert(sizeof(Counters) == fields.size() * sizeof(uint64_t), "every counter needs its row");

}  // namespace

std::span<const CounterField> counter_fields() { return fields; }

double mean_active_lanes(const Counters& counters) {
  if (counters.warp_instructions == 0) return 0;
  return static_cast<double>(counters.thread_instructions) /
         static_cast<double>(counters.warp_instructions);
}

}  // namespace headroom
