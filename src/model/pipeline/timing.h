// What the pipeline has to know of a machine instruction: where it goes, how long it is there, what
// it waits for and who waits for it. All but pipes and latencies stands in its control word; where there is
// none, registers say who waits for whom.
//
//   FFMA R10, R4, R10, R5      fma, 1 cycle, registers {R4, R10 of the even bank, R5 of the odd one}
//   LDG.E R2, [R2.64]          lsu, write barrier 0: who waits for barrier 0 waits for its data
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "model/pipeline/immediate_constants.h"
#include "record/stall.h"
#include "record/trace.h"
#include "sass/register_port.h"

namespace headroom {

enum class Unit : uint8_t {
  none,
  fma,
  fma_heavy,
  alu,
  fp64,
  xu,
  tensor,
  lsu,
  tex,
  uniform,
  adu,
  cbu
};
inline constexpr size_t units = size_t(Unit::cbu) + 1;

enum class Action : uint8_t {
  plain,
  memory,
  barrier,     // waits for the others of its block
  arrive,      // … does not wait
  depbar,      // waits until no more than `count` of `barrier` are pending
  async_mark,  // the asynchronous copies so far count on its write barrier
  fence,
  forget,       // what L1 has
  mbarrier,     // arrives at a barrier in shared memory, or waits for a phase of it
  bulk,         // begins a copy that the SM's copy engine does
  bulk_mark,    // the bulk stores so far count on its read barrier
  product,      // of a warpgroup, which goes on meanwhile
  product_wait  // until no more than `count` groups of products are pending
};

inline constexpr int barriers = 6;  // of control words

struct InstructionTiming {
  Unit unit = Unit::none;
  Action action = Action::plain;
  uint8_t times = 1;    // instructions that it stands for; 0: none, another name of a value
  uint16_t cycles = 1;  // of its unit, on a sub-partition
  uint8_t stall = 1, wait_mask = 0, write_barrier = 7, read_barrier = 7;
  uint16_t latency = 0;  // where it has a write barrier, or registers tell, and touches no memory
  Stall because = Stall::wait;             // of who waits for it
  Stall busy = Stall::math_pipe_throttle;  // of who waits for its unit
  bool waits = false;      // for barriers of control words, registers, copies, stores or products
  bool queues = false;     // before the load/store unit
  bool tells = false;      // others may wait for its result, or until its sources are read
  uint8_t barrier = 0;     // depbar: of the control words
  uint8_t count = 0;       // … how many may be pending; barrier, arrive: warps (0: all)
  bool read_only = false;  // by the read-only cache
  bool past_l1 = false;    // is not served by L1
  bool asynchronous = false;  // LDGSTS
  bool all_copies = false;    // waits for all of them, marked or not
  bool shared_load = false, global_load = false, global_store = false;
  bool adds = false;                 // an atomic whose result nobody asks for
  bool local = false;                // of local memory
  bool far = false;                  // accesses global or local memory
  bool floats = false;               // computes with floating-point numbers
  bool cluster = false;              // barrier: of all blocks of a cluster
  bool of_device = false;            // fence: before all other SMs
  bool commits = false;              // product: the last of its group
  uint64_t constant_line = no_line;  // of its constant, for all lanes
  bool constant_by_uniform = false;  // … which a uniform register addresses
  sass::RegisterReads reads{};       // 32-bit sources that take a register port
  uint8_t port_cycles = 1;           // … where nothing was kept before
  bool uses_port = false, keeps_registers = false;
  // Of code without control words: registers whose values it needs, and those that it gives.
  std::vector<uint16_t> needs, gives;
};

std::vector<InstructionTiming> timings(const Trace&, const Machine&);

}  // namespace headroom
