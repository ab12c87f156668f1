// rung    no_product
// idea    control: a = a + b reads two registers, not three
// expect  fp32_instructions / 1 against one_chain, at the same latency
// next    none: with one_chain these two tell latency from the reading of registers
#include "studies/latency/latency.h"

const latency::Variant latency::no_product =
    latency::variant<latency::Add, 1>([](float a, float b, float) { return a + b; });
