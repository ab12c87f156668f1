// rung    shared_operand
// idea    b comes from shared memory, a load a multiply-add: 32 banks feed 128 lanes
// expect  fp32_instructions / 1 against register_operands; no more than a quarter of its multiply-adds a clock
// next    shared_reused: load once, multiply with it in every chain
//
// The multiply-add is that of register_operands, but b is read from shared memory before each: 4
// bytes where the three registers gave 12. The addresses are known beforehand, so the loads of an
// iteration need not wait for one another; chains only shorten the wait for the sums. Lane l reads
// word l of a row, without bank conflicts, and neighbouring loads of a thread lie 128 bytes apart,
// so that the compiler cannot merge them.
#include "studies/registers/multiply.cuh"

const registers::Rung registers::shared_operand =
    registers::multiply_rung<registers::FromShared, registers::Loads::each_its_own>(
        "a = a*shared[k] + c");
