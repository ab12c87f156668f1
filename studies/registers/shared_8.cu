// rung    shared_8
// idea    8 bytes a load: half the loads in flight for the same bandwidth
// expect  shared_load_wavefronts / 0.5, shared_load_instructions / 1 against shared_4
// next    shared_16: 16 bytes
//
// The node is 8 bytes: where to go on, and a number that is multiplied and added up. A warp's load
// takes two passes through the banks, which is its width and no conflict.
#include "studies/registers/walk.cuh"

const registers::Rung registers::shared_8 =
    registers::walk_rung<registers::FromShared, int2>("place = shared[place], 8 bytes");
