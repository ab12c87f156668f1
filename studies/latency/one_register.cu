// rung    one_register
// idea    control: a = a*a + a reads one register, so no two operands can share a register bank
// expect  fp32_instructions / 1 against one_chain; where one_chain stops at half, this one goes on
// next    no_product: another step that reads fewer registers
#include <cmath>

#include "studies/latency/latency.h"

const latency::Variant latency::one_register = latency::variant<latency::SquareAdd, 1>(
    [](float a, float, float) { return std::fma(a, a, a); });
