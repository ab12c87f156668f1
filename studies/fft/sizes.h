// From a size that is known when the program runs to one that the compiler knows.
//
//   for_size(n, [&](auto size) { kernel<size><<<…>>>(…); });
#pragma once
#include <type_traits>

#include "studies/fft/fft.h"

namespace fft {

template <int N = min_size, int Most = max_size, typename Use>
auto for_size(int n, const Use& use) {
  if constexpr (2 * N <= Most) {
    if (n != N) return for_size<2 * N, Most>(n, use);
  }
  return use(std::integral_constant<int, N>());
}

}  // namespace fft
