// cudaGetDriverEntryPoint: the driver's functions, which driver/ has.
#include <cuda.h>
#include <fmt/format.h>

#include <string_view>

#include "cudart/api.h"
#include "driver/driver.h"

using namespace headroom::cudart;
namespace {

// Those that wait for work stand here, as what a wait settles (pools) does.
CUresult context_synchronise() { return CUresult(cudaDeviceSynchronize()); }
CUresult stream_synchronise(CUstream stream) { return CUresult(cudaStreamSynchronize(stream)); }
CUresult stream_query(CUstream stream) { return CUresult(cudaStreamQuery(stream)); }

void* found(std::string_view symbol) {
  if (symbol == "cuCtxSynchronize") return reinterpret_cast<void*>(&context_synchronise);
  if (symbol == "cuStreamSynchronize") return reinterpret_cast<void*>(&stream_synchronise);
  if (symbol == "cuStreamQuery") return reinterpret_cast<void*>(&stream_query);
  return headroom::driver::find(symbol);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned wanted,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  int version = 0;
  cudaDriverGetVersion(&version);
  if (!symbol || !function || wanted > unsigned(version)) return fail(cudaErrorInvalidValue);
  *function = found(symbol);
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (!*function)
    say(fmt::format("the driver's {} is not supported: the program is told that there is none",
                    symbol));
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
}
