// rung    l1_16
// idea    16 bytes a load from L1
// expect  global_load_requests / 1, global_load_sectors / 0.25 against l1_4; no faster than shared_16
// next    none: neither is a register
//
// As shared_16, through L1: a warp's load is four lines of 128 bytes, so that a quarter of the
// requests asks for the same bytes and each step of the walk takes longer.
#include "studies/registers/walk.cuh"

const registers::Rung registers::l1_16 =
    registers::walk_rung<registers::FromL1, int4>("place = L1[place], 16 bytes");
