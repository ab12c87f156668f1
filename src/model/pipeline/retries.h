// How long compare-and-swap in a loop takes where many threads try at one place: who comes second tries again, on the emulator hardly
// anybody does.
//
//   ATOMG.E.CAS R6, [R8], R4, R6;  ISETP.NE P0, R6, R4;  MOV R4, R6;  @P0 BRA
//   33 792 threads that add one each: 149 M tries, 216 M cycles (measured: results/h200/retries.json)
#pragma once
#include "record/trace.h"

namespace headroom {

struct Contenders {
  double requests = 0;  // of the launch, of global atomics
  double warps = 0;     // resident on all SMs
  double trip = 0;      // cycles until a lone thread knows what its swap found
};

// Of the busiest place. alone: if none were tried again; threads of a launch that takes longer hardly meet there.
struct Retries {
  uint32_t swap = 0;     // instruction
  uint64_t sector = 0;   // of the place
  double lanes = 0;      // that try at once
  bool is_best = false;  // who finds a better value leaves: few hold, on the emulator maybe more
  double cycles = 0, alone = 0;
};
Retries retries_of(const Trace&, const Contenders&);

}  // namespace headroom
