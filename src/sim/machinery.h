// What a launch lends to its warps: memory, limits, arguments, what is remembered of accesses, and
// where output goes. Every host thread that runs blocks of it has one of its own.
#pragma once
#include <string>
#include <vector>

#include "record/finding.h"
#include "record/trace.h"
#include "sim/access_sums.h"
#include "sim/observer.h"
#include "sim/printf.h"
#include "sim/program.h"
#include "sim/turn_length.h"

namespace headroom {
struct Launch;  // record/launch.h
}

namespace headroom::sim {

namespace check {
class Checker;
}

struct Stray {  // an access that a GPU lets pass, but is wrong all the same
  uint64_t block;
  uint32_t instruction;
  Finding finding;
};

struct Machinery {
  const Program* program = nullptr;
  const Body* body = nullptr;
  const Operation* operations = nullptr;  // of the program, bound to the observer
  uint64_t ran = 0, look = 0;  // basic blocks since they were renewed; until they shall be
  AnyObserver observer;
  GuardedLanes guarded;
  AccessSums accesses;
  check::Checker* checker = nullptr;  // of what is in no order (check/)
  Memory* memory = nullptr;
  Limits limits;
  const Launch* launch = nullptr;
  // Padded, so that a wide read of the last parameter stays inside.
  std::vector<std::byte> arguments;
  uint64_t shared_bytes = 0;    // static + dynamic, of a block
  bool lockstep = false;        // warps as before Volta
  TurnLength turn;              // of its warps: how far they go
  uint64_t grid_workspace = 0;  // where a cooperative grid's barrier lies; 0: not cooperative
  Memory::Time time;            // what %clock and %globaltimer show, at the end of the last turn
  TraceSample sample;           // of blocks to trace
  unsigned host_threads = 1;    // that run blocks of this launch
  PrintfBuffer printed;
  std::vector<Memory::Block> recent;    // by site: the allocation it last hit
  std::vector<AccessPattern> patterns;  // by site: how its lanes lay last time
  std::vector<uint64_t> strayed;        // by instruction: the first block whose stray is noted
  std::vector<Stray> strays;
};

// A warp that goes round and round asks for them now and then.
inline constexpr uint64_t blocks_between_looks = 1024;
// As the program has them now.
void renew_operations(Machinery&);
// So many basic blocks more have been entered.
inline void note_ran(Machinery& machinery, uint64_t basic_blocks) {
  machinery.ran += basic_blocks;
  if (machinery.ran >= machinery.look) renew_operations(machinery);
}

}  // namespace headroom::sim
