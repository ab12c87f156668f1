// What a precision is called, and how much it rounds.
#pragma once

namespace study {

template <typename Real>
constexpr const char* precision_of = sizeof(Real) == 4 ? "single" : "double";
template <typename Real>
constexpr double unit_roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;

}  // namespace study
