// The numbers that machine code's registers have in DecodedFunction::registers: R0 … from 0 on, then
// uniform registers, predicates and uniform predicates.
#pragma once

namespace headroom::sim {

inline constexpr int uniforms_from = 256, predicates_from = 320, uniform_predicates_from = 328;

}  // namespace headroom::sim
