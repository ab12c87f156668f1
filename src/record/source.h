// How often each machine instruction of a kernel ran and what it did to memory: of launches that
// were counted so (`headroom run --source`).
//
//   MachineListing{{"/home/me/saxpy.cu"}, {{0xd0, "LDG.E R2, desc[UR4][R2.64]", 0, 6}, …}}
//   InstructionCounts{executed 2048, threads 65536, threads_on 65536, requests 2048, sectors 8192}
//   SourceCounts{listing, counts, examples, stalls {…, {long_scoreboard 52210, wait 2048}, …}}
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/stall.h"

namespace headroom {

inline constexpr uint32_t no_source_file = ~0u;

struct MachineInstruction {
  uint64_t address = 0;  // from the beginning of the kernel
  std::string text;
  uint32_t file = no_source_file;  // index into MachineListing::files; none without -lineinfo
  uint32_t line = 0;
};

struct MachineListing {  // a kernel's, by address
  std::vector<std::string> files;
  std::vector<MachineInstruction> instructions;
};

struct InstructionCounts {
  uint64_t executed, threads, threads_on, divergent;
  uint64_t requests, sectors;                       // of global and local memory
  uint64_t shared_requests, wavefronts, conflicts;  // of shared memory
  friend bool operator==(const InstructionCounts&, const InstructionCounts&) = default;
};

struct InstructionCountField {
  std::string_view name;  // JSON key
  std::string_view meaning;
  uint64_t InstructionCounts::*value;
};
std::span<const InstructionCountField> instruction_count_fields();

void add(InstructionCounts& sum, const InstructionCounts& more);

// One access of a warp as it was: of each instruction of global or shared memory the one that cost most.
//
//   AccessExample{5, global load, 4 bytes a lane, lanes 0xffffffff, offset {0, 128, 256, …}, sectors 32}
struct AccessExample {
  uint32_t instruction = 0;  // index into MachineListing::instructions
  bool shared = false;       // else of global memory
  std::string_view use;      // load, store, atomic
  uint8_t bytes = 0;         // a lane
  uint32_t mask = 0;         // lanes that take part
  // Of the first of them: global memory modulo 128, all that its sectors depend on; shared memory
  // from the beginning of the block's.
  uint64_t first = 0;
  std::array<int64_t, 32> offset{};  // of each lane's address, from that one
  // Sectors of global memory; wavefronts of shared memory, of atomics not known and 0.
  uint32_t sectors = 0, wavefronts = 0, conflicts = 0;
  uint64_t block = 0;  // in the grid
  uint32_t warp = 0;   // in the block
  uint32_t cost() const { return shared ? wavefronts : sectors; }
  friend bool operator==(const AccessExample&, const AccessExample&) = default;
};

struct SourceCounts {
  std::shared_ptr<const MachineListing> listing;
  std::vector<InstructionCounts> counts;  // of each of its instructions
  std::vector<AccessExample> examples;    // by instruction
  // Cycles that all warps of the launch spend at each, whole ones, as the time model plays it; empty: it has no
  // predicted time.
  std::vector<StallCycles> stalls = {};
};
// Null where the instruction has none.
const AccessExample* example_of(const SourceCounts&, size_t instruction);

}  // namespace headroom
