// The occupancy calls, answered by model/occupancy.h.
#include "model/occupancy.h"

#include <algorithm>

#include "cudart/function.h"
#include "cudart/modules.h"

using namespace headroom;
using namespace headroom::cudart;
namespace {

int resident_blocks(Session& session, Kernel& kernel, int threads, size_t dynamic_shared) {
  Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < dynamic_shared) return 0;
  return occupancy(session.machine, shape_of(footprint, threads, dynamic_shared)).blocks;
}

// The most dynamic shared memory with which `blocks` of them still fit, by halving.
size_t most_shared(Session& session, Kernel& kernel, int blocks, int threads) {
  size_t fits = 0, too_much = footprint_of(session, kernel).max_dynamic_shared + 1;
  while (too_much - fits > 1) {
    size_t middle = fits + (too_much - fits) / 2;
    (resident_blocks(session, kernel, threads, middle) >= blocks ? fits : too_much) = middle;
  }
  return fits;
}

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamic_shared) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    *blocks = resident_blocks(session, kernel, threads, dynamic_shared);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t dynamic_shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (resident_blocks(session, kernel, threads, 0) < blocks) return cudaErrorInvalidValue;
    *bytes = most_shared(session, kernel, blocks, threads);
    return cudaSuccess;
  });
}
}
