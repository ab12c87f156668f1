// C = alpha A B + beta C as BLAS has it, for matrices of any shape, row-major, at any distance of
// their rows: one entry that chooses among kernels.
//
//   DeviceBuffer<char> workspace(sgemm_workspace(m, n, k, b, ldb));     // zeros
//   sgemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, workspace.data());  // asynchronous, on the default stream
#pragma once
#include "studies/sgemm/any_choice.h"
#include "studies/sgemm/sgemm.h"

namespace sgemm {

// A is not read where alpha is 0, nor C where beta is. `workspace` is of this product alone: zeros
// before the first launch, then what the last one left.
void sgemm(int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
           float beta, float* c, int ldc, void* workspace);
size_t sgemm_workspace(int m, int n, int k, const float* b, int ldb);

// What sgemm chooses, and a product by a choice of one's own.
Choice choice_for(int m, int n, int k, const float* b, int ldb);
void sgemm_by(const Choice&, const Product&);
size_t workspace_by(const Choice&, int m, int n, int k);

// The kernel of the rung stream_k; `fours_of_b`: rows of B lie at multiples of 16 bytes, and may be
// read up to the next.
void launch_stream_k(const Product&, bool fours_of_b);
size_t workspace_of_stream_k(const Problem&);

// Where the blocks that share a tile leave their sums: a counter for each part of it, 0 before a launch and
// after it.
struct Leftover {
  void* sums;
  int* counters;
};

}  // namespace sgemm
