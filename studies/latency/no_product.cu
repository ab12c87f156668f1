// rung    no_product
// idea    control: a = a + b reads two registers, not three
// expect  fp32_instructions / 1 against one_chain, at the same latency
// next    none: with one_chain these two tell latency from the reading of registers
//
// The step is a + b, an addition with two operands. It has the latency of the multiply-add and reads one
// register fewer, which two banks can deliver every cycle. It fills the lanes as one_register does, by
// another instruction: so neither the multiply-add nor the unit is slow, three registers are too many.
#include "studies/latency/latency.h"

const latency::Variant latency::no_product =
    latency::variant<latency::Add, 1>([](float a, float b, float) { return a + b; });
