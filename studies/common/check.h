// What every study does when a CUDA call fails: say which call, where and why, and stop.
//
//   CHECK(cudaMalloc(&data, bytes));
//
//   studies/copy/main.cu:41: cudaMalloc(&data, bytes): out of memory (cudaErrorMemoryAllocation)
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace study {

inline void check(cudaError_t result, const char* call, const char* file, int line) {
  if (result == cudaSuccess) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(result),
               cudaGetErrorName(result));
  std::exit(1);
}

}  // namespace study

// A macro, because only the preprocessor knows the text of the call.
#define CHECK(call) ::study::check((call), #call, __FILE__, __LINE__)
