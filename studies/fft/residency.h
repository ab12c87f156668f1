// How much of a multiprocessor a launch occupies.
//
//   residency(rung.shape(request))     // {64 threads a block, 5 blocks, 15.6 %}
#pragma once
#include <algorithm>

#include "studies/common/check.h"
#include "studies/fft/fft.h"

namespace fft {

struct Residency {
  int threads, blocks;
  double occupancy;  // percent of the threads that a multiprocessor can hold
};

inline Residency residency(const Shape& shape) {
  int device = 0, threads = 0, fit = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, shape.kernel, shape.threads,
                                                      size_t(shape.shared)));
  const int blocks = shape.blocks ? std::min(shape.blocks, fit) : fit;
  return {shape.threads, blocks, 100.0 * blocks * shape.threads / threads};
}

}  // namespace fft
