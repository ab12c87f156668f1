// What a kernel takes and may ask for, on the session's machine.
//
//   footprint_of(session, kernel).max_dynamic_shared == 48 KiB less its static
#pragma once
#include <cstdint>

#include "device/registry.h"
#include "device/session.h"
#include "model/occupancy.h"

namespace headroom::device {

struct Footprint {
  Resources resources;
  uint64_t static_shared = 0;        // bytes per block
  uint64_t max_dynamic_shared = 0;   // bytes allowed now
  int bound_threads = 0;             // __launch_bounds__; 0: none
  uint64_t local = 0, constant = 0;  // bytes
};

// The dynamic shared memory a kernel may ask for without opting in: 48 KiB less its static.
inline constexpr uint64_t shared_without_opt_in = 48 * 1024;

Footprint footprint_of(Session&, Kernel&);
int most_threads(const Session&, const Footprint&);  // per block, by bounds and registers
BlockShape shape_of(const Footprint&, int threads, uint64_t dynamic_shared);
uint64_t shared_per_block_opt_in(const Machine&);  // bytes

// What a program prefers of a kernel. invalid_value: more than a block may have; not a percentage.
Status set_dynamic_shared(Session&, Kernel&, int bytes);
Status set_carveout(Kernel&, int percent);  // -1: the driver's choice

}  // namespace headroom::device
