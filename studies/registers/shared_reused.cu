// rung    shared_reused
// idea    load a word once and use it from a register in every chain: more results a thread
// expect  shared_load_instructions / 4, fp32_instructions / 1 against shared_operand; with eight chains most lanes work
// next    l1_operand: does L1 feed the lanes any better?
//
// Against shared_operand a step of all chains has one load instead of one a chain: the word goes
// to a register, and the chains read it there. This is what tiles of several results a thread do to
// a matrix product, and why they want more registers and fewer threads. The load still takes the
// turn of an instruction: with four chains four turns of five multiply, with eight eight of nine.
#include "studies/registers/multiply.cuh"

const registers::Rung registers::shared_reused =
    registers::multiply_rung<registers::FromShared, registers::Loads::one_for_all>(
        "a = a*shared[k] + c, one load for all chains");
