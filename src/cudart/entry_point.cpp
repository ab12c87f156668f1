// cudaGetDriverEntryPoint: the functions of the other face, which driver/ has.
#include <cuda.h>

#include "cudart/api.h"
#include "device/driver_entry.h"

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned wanted,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  int version = 0;
  cudaDriverGetVersion(&version);
  if (!symbol || !function || wanted > unsigned(version)) return fail(cudaErrorInvalidValue);
  *function = driver_entry(symbol, int(wanted));
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;  // who asks by name has another way to go: libraries ask for all that they may use
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
}
