// C = alpha A B + beta C in single precision, row-major: A is M x K, B is K x N, C is M x N, of any
// size. As in BLAS, C is not read when beta is 0.
//
//   naive.launch(problem);      // asynchronous, on the default stream
//
// Source of the ladder: S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like
// Performance", 2022.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sgemm {

struct Problem {
  int m, n, k;
  float alpha, beta;
  const float *a, *b;
  float* c;
  void* workspace;  // of the rung's own, in device memory: zeros, then what its last launch left
};

// The same of matrices whose rows lie lda, ldb and ldc elements apart.
struct Product : Problem {
  int lda, ldb, ldc;
};
inline Product whole(const Problem& p) { return {p, p.k, p.n, p.n}; }

struct Rung {
  const char* name;
  void (*launch)(const Problem&);
  size_t (*workspace)(const Problem&) = nullptr;  // bytes; null: none
  int capability = 0;                             // the least compute capability: 90 is 9.0
};

#ifdef __CUDACC__
__host__ __device__  // the same on both sides
#endif
    inline int
    blocks_over(int extent, int tile) {
  return (extent - 1) / tile + 1;
}

#ifdef __CUDACC__
__device__ inline int row_of_a(const Problem& p) { return p.k; }
__device__ inline int row_of_b(const Problem& p) { return p.n; }
__device__ inline int row_of_c(const Problem& p) { return p.n; }
__device__ inline int row_of_a(const Product& p) { return p.lda; }
__device__ inline int row_of_b(const Product& p) { return p.ldb; }
__device__ inline int row_of_c(const Product& p) { return p.ldc; }

template <typename AnyProblem>
__device__ inline void thread_store(const AnyProblem& p, int row, int column, float sum) {
  float& c = p.c[int64_t(row) * row_of_c(p) + column];
  c = p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * c;
}
#endif

extern const Rung naive;
extern const Rung coalesced;
extern const Rung shared_tile;
extern const Rung tile_1d;
extern const Rung tile_2d;
extern const Rung vectorised;
extern const Rung bank_conflicts_linearised;
extern const Rung bank_conflicts_padded;
extern const Rung double_buffering;
extern const Rung autotuned;
extern const Rung warp_tile;
extern const Rung few_threads;
extern const Rung asynchronous;
extern const Rung register_banks;
extern const Rung stream_k;
extern const Rung any_shape;
extern const Rung tensor_bf16;
extern const Rung tensor_f16;
extern const Rung tensor_any_shape;

// The ladder, from the ground up.
constexpr const Rung* rungs[] = {
    &naive,
    &coalesced,
    &shared_tile,
    &tile_1d,
    &tile_2d,
    &vectorised,
    &bank_conflicts_linearised,
    &bank_conflicts_padded,
    &double_buffering,
    &autotuned,
    &warp_tile,
    &few_threads,
    &asynchronous,
    &register_banks,
    &stream_k,
    &any_shape,
    &tensor_bf16,
    &tensor_f16,
    &tensor_any_shape,
};

}  // namespace sgemm
