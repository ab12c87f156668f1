// How the lanes of a warp take turns: groups of lanes with a program counter each. Not hot;
// compiled once.
//
// The group deepest in calls with the lowest counter runs, until it splits, waits, or meets
// another. A group that keeps going round a waiting loop gives way after a while (fairness), so
// that spin locks make progress.
#pragma once
#include "sim/engine.h"
#include "sim/step.h"

namespace headroom::sim {

inline constexpr uint32_t patience = 1u
                                     << 20;  // back edges a group may take before it must give way
inline constexpr uint32_t spin_cost =
    patience / 64;  // what a back edge of a waiting loop counts for

int pick(Warp&);  // index of the group to run, or -1 if none is ready
uint32_t meeting_point(const Warp&,
                       uint32_t group);  // lowest run above this group's where another waits
void merge(Warp&);                       // groups at the same place become one
void split(Warp&, uint32_t group, uint32_t taken, uint32_t target, uint32_t next);
bool converged(Warp&, uint32_t group,
               uint32_t members);                  // false: the group waits for the lanes it names
void leave(Warp&, uint32_t group, uint32_t mask);  // lanes exit the kernel
void call(Warp&, const Program&, uint32_t group, uint32_t function, uint32_t run);
void ret(Warp&, const Program&, uint32_t group, uint32_t mask);  // lanes return to their caller
// A group arrives at a barrier. True if it may go on at once.
bool arrive(Warp&, uint32_t group, uint32_t barrier, uint32_t threads, bool waits,
            uint32_t predicate);
uint32_t barrier_of(
    const Warp&, const Group&);  // instruction a group waits at: the end of the run before its next
void fill_specials(Warp&, const Program&);  // %tid, %ctaid …
void start_warp(Warp&, const Program&, BlockState&, uint32_t index);

// Slow paths of an access.
using LaneAddresses = uint64_t[lanes];
void check_global(Warp&, const Step&, Place, Use,
                  const LaneAddresses&);  // throws Fault, or remembers the allocation
[[noreturn]] void refuse_access(Warp&, const Step&, Place, Use, const LaneAddresses&);

}  // namespace headroom::sim
