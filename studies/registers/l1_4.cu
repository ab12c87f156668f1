// rung    l1_4
// idea    the walk of shared_4 through L1: tags are looked up first, so a step takes longer
// expect  no faster than shared_4: more warps or chains for the same bandwidth
// next    l1_16: 16 bytes a load
//
// The table is the same, read from global memory; it was brought into L1 before the
// clock starts. All lanes of a warp walk together, so a load is one line of 128 bytes.
#include "studies/registers/walk.cuh"

const registers::Rung registers::l1_4 =
    registers::walk_rung<registers::FromL1, int1>("place = L1[place], 4 bytes");
