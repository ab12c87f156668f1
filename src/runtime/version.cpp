// Versions, the profiler's switches, and the doors to the driver, which stay closed.
#include "runtime/api.h"
#include "runtime/session.h"
#include "runtime/unsupported.h"

using namespace headroom::runtime;
namespace {

constexpr int version = 13000;  // CUDA 13.0: the toolkit whose programs we run

cudaError_t no_driver(const char* name, void** function, cudaDriverEntryPointQueryResult* result) {
  if (function) *function = nullptr;
  if (result) *result = cudaDriverEntryPointSymbolNotFound;
  return cudaError_t(unsupported(name));
}

}  // namespace

extern "C" {

cudaError_t cudaRuntimeGetVersion(int* out) {
  if (!out) return fail(cudaErrorInvalidValue);
  *out = version;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* out) { return cudaRuntimeGetVersion(out); }

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaGetDriverEntryPoint(const char*, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* result) {
  return no_driver("cudaGetDriverEntryPoint", function, result);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  return no_driver("cudaGetDriverEntryPointByVersion", function, result);
}
}
