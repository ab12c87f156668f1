// How the lanes of a warp take turns: groups of lanes with a program counter each (groups.cpp), the
// frames of their calls (calls.cpp), and the barriers of their block (barriers.cpp). Not hot;
// compiled once.
#pragma once
#include <bit>

#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

// Mostly all of them, and a processor without an instruction for it takes long to count.
inline uint32_t lanes_in(uint32_t mask) {
  return mask == all_lanes ? uint32_t(lanes) : mask == 0 ? 0 : uint32_t(std::popcount(mask));
}

// Whom pick() chooses: the index of a group, or
inline constexpr int nobody = -1;     // all wait at barriers
inline constexpr int gives_way = -2;  // all that can run only go round waiting loops
int pick(Warp&);
// A turn ended in which it did something.
void note_work(Warp&, uint64_t basic_blocks);
// Another warp of its block can run, and did not only go round waiting loops in its last turn.
bool others_run(const Warp&);
// A group's lanes part; they will meet at the basic block `reconvergence_point`, if there is one.
void part(Warp&, uint32_t group, uint32_t reconvergence_point);
void split(Warp&, uint32_t group, uint32_t taken, uint32_t target, uint32_t next,
           uint32_t reconvergence_point);
// Every lane to the target of its index; true if they part.
bool split_indexed(Warp&, uint32_t group, const BasicBlock&, const uint32_t* index);
// Has everybody come that is to come together here? False: the group waits, or has been joined by
// others: pick again.
bool reconverged(Warp&, uint32_t group);
// The lanes that execute a .sync instruction that names `members`; 0: the group waits for them, or
// has been joined. More than the group's own: those of groups that are in the same function by
// other calls; pass_together() sends them all on.
uint32_t warp_synced(Warp&, uint32_t group, uint32_t members);
void pass_together(Warp&, uint32_t basic_block, uint32_t next);
// Machine code: a group for each of the masks that its lanes name; true if there are several.
bool split_by_teams(Warp&, uint32_t group, const uint32_t* members);
// A BSYNC waits for the lanes of `named`. here: all of them are, the group goes on; waits: it has
// executed it, and they are elsewhere; else it was joined by others, or waits still: pick again.
enum class Converging : uint8_t { here, waits, again };
Converging converged(Warp&, uint32_t group, uint32_t named);
void wake_converging(Warp&);  // fewer lanes to wait for: who waits looks again
// Machine code: every lane to the basic block at the address it has.
struct Parted {
  uint32_t targets, lanes;
};
Parted split_indirect(Warp&, uint32_t group, const BasicBlock&, const uint64_t* address);
void merge_behind_barrier(Warp&);                  // groups that one barrier let go at one place
void leave(Warp&, uint32_t group, uint32_t mask);  // lanes exit the kernel

void call(Warp&, const Program&, uint32_t group, uint32_t basic_block);  // the group is at its end
void ret(Warp&, const Program&, uint32_t group, uint32_t mask);  // lanes return to their caller
void leave_frames(Warp&, uint32_t frame, uint32_t mask);         // lanes exit inside a function

// A group arrives at a barrier; `next` is where it goes on. True if it may do so at once.
bool arrive(Warp&, uint32_t group, uint32_t barrier, uint32_t threads, bool waits,
            uint32_t predicate);
void leave_barriers(BlockState&, uint32_t threads);  // that many exit
// The instruction that a group waits at.
uint32_t barrier_of(const Warp&, const Group&);

// `again`: the warp's memory has held a warp of this launch and of the same place in its block.
void fill_specials(Warp&, const Program&, bool again);  // %tid, %ctaid …
void start_warp(Warp&, const Program&, BlockState&, uint32_t index, bool again);

// Slow path of an access: throws Fault, notes lanes that stray, or remembers the allocation.
using LaneAddresses = uint64_t[lanes];
void check_access(Warp&, const Operation&, Place, Use, const LaneAddresses&);

}  // namespace headroom::sim
