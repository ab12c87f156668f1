// rung    one_register
// idea    control: a = a*a + a reads one register, so no two operands can share a register bank
// expect  fp32_instructions / 1 against one_chain; where one_chain stops at half, this one goes on
// next    no_product: another step that reads fewer registers
//
// The step is a*a + a: all three operands are the same register, read once. Latency, lanes and threads
// are those of one_chain, the register reads are not. That this single chain fills the lanes when it has
// the threads, and one_chain does not, puts the missing half down to the reading of registers.
#include <cmath>

#include "studies/latency/latency.h"

const latency::Variant latency::one_register = latency::variant<latency::SquareAdd, 1>(
    [](float a, float, float) { return std::fma(a, a, a); });
