// The transform in double precision, the plain way: halves of even and odd points. What FFTW says of it is
// checked by tests/unit/fft_reference.cpp.
//
//   transform(x, false)       // x of 2^k points -> exp(-2 pi i j k / n) summed, not scaled
#pragma once
#include <complex>
#include <vector>

namespace fft {

using Signal = std::vector<std::complex<double>>;

inline std::complex<double> root(double turns) {
  return std::polar(1.0, -2 * 3.14159265358979323846 * turns);
}

inline Signal transform(const Signal& x, bool inverse) {
  const size_t n = x.size();
  if (n == 1) return x;
  Signal even(n / 2), odd(n / 2), y(n);
  for (size_t k = 0; k < n / 2; ++k) even[k] = x[2 * k], odd[k] = x[2 * k + 1];
  even = transform(even, inverse);
  odd = transform(odd, inverse);
  for (size_t k = 0; k < n / 2; ++k) {
    const auto w = root((inverse ? -1.0 : 1.0) * double(k) / double(n));
    y[k] = even[k] + w * odd[k];
    y[k + n / 2] = even[k] - w * odd[k];
  }
  return y;
}

}  // namespace fft
