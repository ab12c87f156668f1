// The transform that the study fft compares with (studies/fft/reference.h), beside FFTW in double precision.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "studies/common/random.h"
#include "studies/fft/reference.h"

namespace {

TEST(FftReference, IsWhatFftwSaysAtEverySizeInBothDirections) {
  for (size_t n = 16; n <= 8192; n *= 2) {
    fft::Signal input(n), theirs(n);
    for (size_t i = 0; i < n; ++i) {
      input[i] = {study::random_float(n, 2 * i), study::random_float(n, 2 * i + 1)};
    }
    for (const bool inverse : {false, true}) {
      // Without a plan that measures, FFTW leaves its input alone.
      fft::Signal copy = input;
      const fftw_plan plan =
          fftw_plan_dft_1d(int(n), reinterpret_cast<fftw_complex*>(copy.data()),
                           reinterpret_cast<fftw_complex*>(theirs.data()),
                           inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
      fftw_execute(plan);
      fftw_destroy_plan(plan);
      const fft::Signal ours = fft::transform(input, inverse);
      double off = 0, length = 0;
      for (size_t k = 0; k < n; ++k) {
        off += std::norm(ours[k] - theirs[k]);
        length += std::norm(theirs[k]);
      }
      EXPECT_LT(std::sqrt(off / length), 1e-15) << n << (inverse ? " inverse" : " forward");
    }
  }
}

}  // namespace
