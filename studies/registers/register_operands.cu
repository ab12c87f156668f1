// rung    register_operands
// idea    a multiply-add reads three registers: 12 bytes a lane, and no other memory gives so much
// expect  the FP32 lanes are full with four chains and few warps
// next    shared_operand: one of the three operands comes from shared memory
//
// Each chain is a = a * b + c with all three in registers, as in the study latency. A full SM of 128
// lanes takes 1536 bytes a clock from them. With one chain two of the operands share a bank of
// registers, which halves the rate; with more, some are still at hand from the chain before: that
// study tells why.
#include "studies/registers/multiply.cuh"

const registers::Rung registers::register_operands =
    registers::multiply_rung<registers::FromRegister, registers::Loads::none>("a = a*b + c");
