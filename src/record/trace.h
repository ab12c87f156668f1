// What the warps of a few blocks of a launch executed, in order: what the time model plays again.
//
//   TracedWarp{entered {{0, 32}, {1, 32}, {1, 32}}, accesses {{entry 1, instruction 17, global_load, sectors 4}}}
//
// Of machine code, whose control words say when an instruction may issue; or of the code that PTX would
// likely become (sim/likely/), where registers say it. A trace stays in the process that made it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sass/module.h"

namespace headroom {

// Blocks first, first + step, …, `count` of them, each warp for its first `instructions` and for parts of what it does behind them. And apart
// from these, for what they do unlike them, 0, others_step, …, `others` of them: of every `deep`th as much, of the rest `others_instructions`.
struct TraceSample {
  uint64_t first = 0, step = 1, count = 0;
  uint64_t instructions = 0;
  uint64_t others = 0, others_step = 1, deep = 1, others_instructions = 0;
  bool meets_grid = false;  // its blocks may wait for all others: a cooperative launch
  bool operator==(const TraceSample&) const = default;
};

enum class AccessKind : uint8_t {
  global_load,
  global_store,
  global_atomic,
  local_load,
  local_store,
  shared_load,
  shared_store,
  shared_atomic,
  texture,
  constant_load,  // by a register; `wavefronts` different addresses
  bulk,           // an asynchronous copy that one thread began
  bulk_store,     // … to global memory
  barrier,        // the warp arrived; `wavefronts` is its number
  arrival,  // at an mbarrier of the block, number `first_sector`, in its phase `sectors`; or a copy's end
  phase,  // the warp waits for that phase to end
  grid,   // … for the other blocks of a cooperative launch
};

inline bool is_shared(AccessKind kind) {
  return kind == AccessKind::shared_load || kind == AccessKind::shared_store ||
         kind == AccessKind::shared_atomic;
}

struct TracedAccess {
  uint32_t entry;        // index into TracedWarp::entered
  uint32_t instruction;  // index into Trace::code
  AccessKind kind;
  uint8_t bytes;                   // a lane
  uint8_t offset;                  // of the first lane's address in its sector
  uint8_t lanes;                   // that take part
  uint8_t same_address;            // atomics: lanes at the busiest address
  uint16_t wavefronts, conflicts;  // of shared memory; of global loads too, by the banks of L1
  uint16_t passes;  // global atomics: lanes at the busiest address of each sector, summed
  uint32_t first_sector, sectors;  // in TracedBlock::sectors: global and local memory
};

// Of as many lanes side by side, from where the first one is.
inline uint32_t fewest_sectors(const TracedAccess& access) {
  const uint32_t bytes = access.offset + uint32_t(access.lanes) * access.bytes;
  return std::min(access.sectors, std::max(1u, (bytes + 31) / 32));
}

struct Entry {
  uint32_t basic_block : 26;  // index into Trace::basic_blocks
  uint32_t lanes : 6;         // 1 … 32
};

// Of a warp that goes on for long, what it executed from there on after a gap.
struct TracedPart {
  uint32_t entry = 0;   // its first one in TracedWarp::entered
  uint64_t at = 0;      // instructions of the warp before it
  uint64_t traced = 0;  // … of its own
};

struct TracedWarp {
  std::vector<Entry> entered;
  std::vector<TracedAccess> accesses;
  uint64_t traced = 0;            // instructions of `entered`
  uint64_t executed = 0;          // all, those after the trace's end too
  uint64_t waited = 0;            // in rounds that only waited, which are left out of all this
  std::vector<TracedPart> parts;  // of `entered`, behind how it began

  // As if the trace had ended with its begin.
  void drop_parts() {
    if (parts.empty()) return;
    entered.resize(parts.front().entry);
    for (const TracedPart& part : parts) traced -= part.traced;
    parts.clear();
    while (!accesses.empty() && accesses.back().entry >= entered.size()) accesses.pop_back();
  }
};

struct TracedBlock {
  uint64_t linear = 0;  // in the grid
  std::vector<TracedWarp> warps;
  std::vector<uint64_t> sectors;  // address / 32; of local memory beyond all addresses
  std::vector<std::vector<uint32_t>> arrivals;  // traced, by mbarrier and phase
};

struct TracedInstruction {
  const sass::Instruction* instruction = nullptr;
  uint16_t pipes = 0;   // a bit a Pipe (record/pipe.h)
  uint8_t times = 1;    // machine instructions that it stands for; 0: another name of a value
  uint8_t on_unit = 1;  // … of them on its own unit
};

struct TracedBasicBlock {
  uint32_t first = 0, last = 0;  // instructions, the last one too
};

// As many blocks of the grid in a row that executed the same.
struct AlikeBlocks {
  uint64_t first = 0, count = 1;
  uint64_t instructions = 0, longest_warp = 0;  // of a block; of its longest warp
  bool is_before(const AlikeBlocks& next) const {
    return first + count == next.first && instructions == next.instructions &&
           longest_warp == next.longest_warp;
  }
};

// A process has 48 bits of addresses, 43 of sectors. From bit 48 on stands which time a block is played (model/pipeline/again.h), and
// from bit 60 on lies local memory.
inline constexpr int bits_of_sectors = 48;
inline constexpr uint64_t local_sectors = 1ull << 60;

// Where device memory lies; what is neither there nor local is memory of the host.
struct DeviceSectors {
  uint64_t begin = 0, end = local_sectors;
  bool leaves_to_host(uint64_t sector) const {
    const uint64_t at = sector & ((1ull << bits_of_sectors) - 1);
    return sector < local_sectors && (at < begin || at >= end);
  }
  // A place of its own for each four in a row, whole lines further on, for each sector of the device.
  uint64_t four_times(uint64_t sector) const {
    const uint64_t at = sector & ((1ull << bits_of_sectors) - 1);
    return sector - at + begin + (at - begin) % ((end - begin) / 4) * 4;
  }
};

struct Trace {
  std::vector<std::shared_ptr<const sass::Function>> sections;  // that `code` points into
  std::vector<TracedInstruction> code;
  std::vector<TracedBasicBlock> basic_blocks;
  std::vector<TracedBlock> blocks;  // in the order of the sample
  std::vector<TracedBlock> others;  // of the sample's apart, the first of the grid first
  bool likely = false;              // `code` is what PTX would likely become: no control words
  bool spins = false;               // its warps went round loops that wait for others
  // All blocks that are resident got on together, as on a GPU: when the launch began, to its end.
  bool began_together = false, together = false;
  bool meets_grid = false;  // as in the sample
  bool drawn = false;  // its block drew the work from a counter, and was cut to its share of it
  bool found = false;  // … found what others would have done meanwhile undone, and was cut likewise
  DeviceSectors device;
  uint64_t longest_warp = 0;      // instructions of the one with most; of all blocks of the launch
  std::vector<AlikeBlocks> work;  // of all blocks, in the grid's order; empty: not known

  // How often its warps went round those loops tells how often they do on a GPU.
  bool tells_waiting() const { return !spins || together; }
  // The same code, executed by these alone.
  Trace of(std::vector<TracedBlock> these) const {
    Trace made;
    made.sections = sections;
    made.code = code;
    made.basic_blocks = basic_blocks;
    made.blocks = std::move(these);
    made.likely = likely;
    made.spins = spins;
    made.began_together = began_together;
    made.together = together;
    made.device = device;
    return made;
  }
  // … by all blocks of the launch, for which these are played.
  Trace played_by(std::vector<TracedBlock> these) const {
    Trace made = of(std::move(these));
    made.others = others;
    made.meets_grid = meets_grid;
    made.longest_warp = longest_warp;
    made.work = work;
    return made;
  }
};

}  // namespace headroom
