#include <cstdio>
#include <cstdlib>

#include "peers/fft/cufft.h"

namespace fft {
namespace {

void require(cufftResult result, const char* call) {
  if (result == CUFFT_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d of cuFFT\n", call, int(result));
  std::exit(1);
}

}  // namespace

Cufft::Cufft(int n, size_t batch) {
  require(cufftPlanMany(&plan_, 1, &n, nullptr, 1, n, nullptr, 1, n, CUFFT_C2C, int(batch)),
          "cufftPlanMany");
}

void Cufft::transform(const Request& r) const {
  require(cufftExecC2C(plan_, const_cast<float2*>(r.from), r.to,
                       r.inverse ? CUFFT_INVERSE : CUFFT_FORWARD),
          "cufftExecC2C");
}

std::string Cufft::version() {
  int version = 0;
  require(cufftGetVersion(&version), "cufftGetVersion");
  return "cuFFT " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) +
         "." + std::to_string(version % 100);
}

}  // namespace fft
