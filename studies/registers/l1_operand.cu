// rung    l1_operand
// idea    b comes from L1 by a global load, a load a multiply-add
// expect  fp32_instructions / 1 against shared_operand; no faster than it
// next    shared_4: loads that wait for each other, so that latency shows
//
// Against shared_operand only the place differs: a global load of a table of 16 KiB that L1 holds.
// Shared memory and L1 are the same memory, read by the same pipeline.
#include "studies/registers/multiply.cuh"

const registers::Rung registers::l1_operand =
    registers::multiply_rung<registers::FromL1, registers::Loads::each_its_own>("a = a*L1[k] + c");
