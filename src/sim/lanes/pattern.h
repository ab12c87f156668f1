// How the lanes of an access lie, and what a profiler counts of it.
#pragma once
#include "sim/access_pattern.h"
#include "sim/program.h"

namespace headroom::sim::HEADROOM_ISA {

// How the lanes lie, into a pattern: lanes that do not run have the address of the first that does.
// False where an address is no multiple of the width.
bool take_pattern(uint32_t mask, uint8_t bytes_of_lane, const uint64_t* address, AccessPattern&);
// The rest of it, by its place.
void analyse(AccessPattern&);

}  // namespace headroom::sim::HEADROOM_ISA
