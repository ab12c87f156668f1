// Work whose time is known, or known to depend on something: what the timer is tried on.
//
//   wait(stream, 10000)               10 µs by the GPU's own clock
//   read(stream, data, sum, bytes)    20 MiB stay in an L2 of 60 MiB; flushed they come from DRAM
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace work {

void nothing(cudaStream_t stream);                                       // an empty kernel
void wait(cudaStream_t stream, unsigned nanoseconds);                    // by %globaltimer
void multiply(cudaStream_t stream, float* data, int blocks, int steps);  // FMAs only
void read(cudaStream_t stream, const float4* data, float4* sum, size_t bytes);
void copy(cudaStream_t stream, float4* to, const float4* from, size_t bytes);

}  // namespace work
