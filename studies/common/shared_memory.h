// More shared memory a block than 48 KiB has to be asked for, kernel by kernel.
//
//   allow_shared(kernel, 98304);
//   kernel<<<grid, 256, 98304>>>(…);
//
//   needs 98304 bytes of shared memory a block, and the machine allows 49152
#pragma once
#include <algorithm>
#include <string>

#include "studies/common/check.h"

namespace study {

struct ShortOfShared : CallFailure {
  using CallFailure::CallFailure;
};

template <typename Kernel>
void allow_shared(Kernel* kernel, int bytes) {
  int device = 0, usual = 0, asked_for = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, device));
  CHECK(cudaDeviceGetAttribute(&asked_for, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int most = std::max(usual, asked_for);
  if (bytes > most) {
    fail<ShortOfShared>("needs " + std::to_string(bytes) +
                            " bytes of shared memory a block, and the machine allows " +
                            std::to_string(most),
                        cudaErrorInvalidValue);
  }
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

}  // namespace study
