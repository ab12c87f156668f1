// rung    shared_4
// idea    a walk: each load says where the next one reads, so a chain has one load in flight
// expect  as many loads in flight as latency asks for: warps x chains
// next    shared_8: twice the bytes in flight a load
//
// No load can start before the one before it in its chain has arrived: with one chain and one warp
// a step is the latency of shared memory. Bandwidth then grows with warps times chains, Little's law
// again, until the banks are busy: 128 bytes a clock.
#include "studies/registers/walk.cuh"

const registers::Rung registers::shared_4 =
    registers::walk_rung<registers::FromShared, int1>("place = shared[place], 4 bytes");
