// Which bytes an access may touch, one rule for all of them: plain loads and stores a warp at a
// time (lanes/access.h asks here when its fast path says no), and what is no plain access: system
// calls, asynchronous and bulk copies, matrices, barriers in memory.
//
//   resolve_generic(warp, lane, 0x1'0000'0040, 4, "load", instruction)
//                                                       word 16 of the block's shared memory
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

// legal: all bytes are allocated. passes: not so, but a GPU does not notice, as what it protects are
// pages of global and units of shared memory: a finding, and the access is done. Else a fault.
enum class Verdict : uint8_t { legal, passes, faults };
Verdict judge(const Warp&, Place, uint64_t address, uint64_t bytes);

Fault illegal_access(const Warp&, Place, uint64_t address, uint64_t bytes, const char* use,
                     uint32_t instruction, int lane);
// Keeps the fault as a finding of an access that passes, once an instruction.
void note_stray(const Warp&, Place, const Fault&);
void note_neighbour(const Warp&, const Fault&);  // the same of one that no hardware looks at
// It has one, of this block or one before.
bool has_strayed(const Warp&, uint32_t instruction);

// An offset in shared memory: of this block's where it lies before the beginning, and then negative.
int64_t shared_offset_of(uint64_t address);
// Bytes before and behind a block's own that the system keeps or gives with it.
uint64_t shared_before(const Machinery&);
uint64_t shared_behind(const Machinery&);

// The space that a generic address means, and the address there. One little before a window means
// the window's space.
inline constexpr uint64_t window_margin = 1024;
struct SpaceAddress {
  Place place;
  uint64_t address;
};
SpaceAddress space_of(uint64_t generic);

// Throw Fault where the bytes are not all legal; `use` is the word for messages ("load", "store").
std::byte* resolve_shared(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                          uint32_t instruction);
std::byte* resolve_global(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                          uint32_t instruction);
std::byte* resolve_generic(const Warp&, int lane, uint64_t address, uint64_t bytes, const char* use,
                           uint32_t instruction);

}  // namespace headroom::sim
