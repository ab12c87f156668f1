// What one launch did, counted. One list of fields; table, JSON, docs and compare come from it.
//
// Counted on what ran: PTX, or the machine code that a GPU runs (Engine). Of PTX, `exact` says the number is
// what a profiler's counter of the same name gives wherever machine code keeps the access, as the compiler below
// PTX may remove, merge or widen accesses, and adds and drops instructions; `estimate` says it is not comparable
// one to one. Of machine code every number is exact.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace headroom {

struct Counters {
  // instructions, of PTX or of machine code
  uint64_t warp_instructions, thread_instructions, fp32_instructions, fp64_instructions,
      fp16_instructions, integer_instructions, special_instructions, conversion_instructions,
      control_instructions, memory_instructions, move_instructions, tensor_instructions,
      other_instructions;
  uint64_t pipe_alu, pipe_fma, pipe_fp64, pipe_fp16, pipe_tensor, pipe_xu, pipe_lsu, pipe_tex,
      pipe_uniform, pipe_adu, pipe_cbu;  // of machine code alone
  uint64_t register_reads_even, register_reads_odd, register_reads_reused,
      register_bank_conflicts;                                 // of machine code alone
  uint64_t fp32_operations, fp64_operations, fp16_operations;  // thread level, an FMA is two
  uint64_t tensor_operations;                                  // of products of matrices
  // control flow
  uint64_t branches, divergent_branches, barriers;
  // memory
  uint64_t global_load_requests, global_load_sectors, global_store_requests, global_store_sectors;
  uint64_t local_load_requests, local_load_sectors, local_store_requests, local_store_sectors;
  uint64_t atomic_requests, atomic_sectors;
  uint64_t bulk_load_sectors, bulk_store_sectors;  // of cp.async.bulk, tensor copies among them
  uint64_t shared_load_instructions, shared_load_wavefronts, shared_load_conflicts;
  uint64_t shared_store_instructions, shared_store_wavefronts, shared_store_conflicts;
  uint64_t shared_atomic_instructions;
  // bytes
  uint64_t global_load_bytes, global_store_bytes;  // useful: what threads asked for
  uint64_t unique_load_sectors, unique_store_sectors,
      unique_sectors;                              // distinct 32-byte sectors of the launch
  uint64_t host_load_sectors, host_store_sectors;  // of the sectors above, in memory of the host
  friend bool operator==(const Counters&, const Counters&) = default;
};

enum class Basis : uint8_t { exact, estimate };

struct CounterField {
  std::string_view name;     // JSON key and table column
  std::string_view unit;     // "instructions", "requests", "sectors", "wavefronts", "bytes"
  std::string_view meaning;  // one line
  Basis basis;
  std::string_view profiler;  // Nsight Compute's name where it is the same thing, else empty
  uint64_t Counters::*value;
  std::string_view of_machine_code =
      {};                           // Nsight Compute's name where it is so of machine code only
  bool machine_code_alone = false;  // PTX has no such thing: absent where it ran
};
std::span<const CounterField> counter_fields();

// Derived: mean active lanes per warp instruction; 0 when nothing ran.
double mean_active_lanes(const Counters&);

}  // namespace headroom
