// C = alpha A B + beta C in single precision, row-major: A is M x K, B is K x N, C is M x N, of any
// size. As in BLAS, C is not read when beta is 0.
//
// Source of the ladder: S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like
// Performance", 2022.
#pragma once

namespace sgemm {

struct Problem {
  int m, n, k;
  float alpha, beta;
  const float *a, *b;
  float* c;
};

struct Rung {
  const char* name;
  void (*launch)(const Problem&);
};

inline int blocks_over(int extent, int tile) { return (extent + tile - 1) / tile; }

#ifdef __CUDACC__
__device__ inline void thread_store(const Problem& p, int row, int column, float sum) {
  float& c = p.c[row * p.n + column];
  c = p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * c;
}
#endif

extern const Rung naive, coalesced, shared_tile;

}  // namespace sgemm
