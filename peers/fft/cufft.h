// The transforms by cuFFT: one plan for a whole batch.
//
//   const Cufft cufft(1024, batch);
//   cufft.transform(request);        // asynchronous, on the default stream
#pragma once
#include <cufft.h>

#include <string>

#include "studies/fft/fft.h"

namespace fft {

class Cufft {
 public:
  Cufft(int n, size_t batch);
  Cufft(const Cufft&) = delete;
  Cufft& operator=(const Cufft&) = delete;
  ~Cufft() { cufftDestroy(plan_); }

  void transform(const Request&) const;
  static std::string version();  // "cuFFT 12.0.0"

 private:
  cufftHandle plan_ = 0;
};

}  // namespace fft
