// Expectations of the programs in this folder: they check themselves, print what fails, and return
// how much did. They hold on a GPU with NVIDIA's own runtime too (an H200 with CUDA 13.0): they are
// run on both, and results/h200/programs.json names those that do not.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>

inline int failures = 0;

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                         \
    }                                                                     \
  } while (0)

// The call returns the code, and leaves it as the last error.
#define EXPECT_CODE(code, ...)                                                                     \
  do {                                                                                             \
    cudaError_t expect_got = (__VA_ARGS__), expect_last = cudaGetLastError();                      \
    if (expect_got != (code) || expect_last != (code)) {                                           \
      std::printf("%s:%d: %s gave %s (last error %s), not %s\n", __FILE__, __LINE__, #__VA_ARGS__, \
                  cudaGetErrorName(expect_got), cudaGetErrorName(expect_last),                     \
                  cudaGetErrorName(code));                                                         \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)
#define EXPECT_OK(...) EXPECT_CODE(cudaSuccess, __VA_ARGS__)
