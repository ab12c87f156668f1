// The two libraries that compute the same product: OpenBLAS on the cores of the host, cuBLAS on a
// GPU. Every function leaves its answer in `c` and returns its times.
//
//   mode        what is timed, by the host's clock, from the call until the answer is there
//   cpu         the call; everything lies in the host's memory
//   resident    the call; everything lies in the device's memory
//   pinned      A and B to the device, the call, C back: from and to pinned memory
//   pageable    the same from and to memory as malloc gives it
#pragma once
#include <headroom/timing.cuh>
#include <optional>
#include <string>
#include <vector>

#include "peers/blas/problem.h"

namespace blas {

using headroom::timing::Limits;
using headroom::timing::Timing;

std::string cpu_library();  // "OpenBLAS 0.3.21 … SkylakeX MAX_THREADS=64"
std::string cpu_kernels();  // "SkylakeX": the processor that its code is for
int cpu_threads();
std::string gpu_library();  // "cuBLAS 13.0.2"

struct GpuTimes {
  Timing device;  // by events, gaps left out: what the kernel takes
  Timing resident, pinned, pageable;
  size_t wrong_modes = 0;  // answers that are not bit for bit those of `resident`
};

template <typename T>
Timing multiply_on_cpu(const Problem<T>&, const Limits&, std::vector<T>& c);
template <typename T>
GpuTimes multiply_on_gpu(const Problem<T>&, const Limits&, std::vector<T>& c);

}  // namespace blas
