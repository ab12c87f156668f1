// From an address a lane holds to bytes of the host, for instructions that are no plain access:
// system calls, asynchronous copies, barriers in memory. (Loads, stores and atomics go through
// lanes/access.h, a warp at a time.)
//
//   resolve_generic(warp, lane, 0x1'0000'0040, 4, "load", instruction)
//                                                       word 16 of the block's shared memory
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/program.h"

namespace headroom::sim {

// Throw Fault where the bytes are not all legal; `use` is the word for messages ("load", "store").
std::byte* resolve_shared(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                          uint32_t instruction);
std::byte* resolve_global(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                          uint32_t instruction);
std::byte* resolve_generic(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                           uint32_t instruction);

}  // namespace headroom::sim
