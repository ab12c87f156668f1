// rung    shared_16
// idea    16 bytes a load: a quarter of the loads in flight, yet the same banks
// expect  shared_load_wavefronts / 0.5, shared_load_instructions / 1 against shared_8; the most is that of shared_4
// next    l1_4: the same walk through L1
//
// Four words a node, three of them numbers. Fewer warps reach the bandwidth of the banks; more than
// that no width gives.
#include "studies/registers/walk.cuh"

const registers::Rung registers::shared_16 =
    registers::walk_rung<registers::FromShared, int4>("place = shared[place], 16 bytes");
