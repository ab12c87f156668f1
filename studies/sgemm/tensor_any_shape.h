// C = alpha A B + beta C as any_shape.h has it, on tensor cores: products of single precision from terms of
// shorter numbers, that err as a sum of FMAs does.
//
//   DeviceBuffer<char> workspace(tensor_sgemm_workspace(m, n, k, a, lda, b, ldb));     // zeros
//   tensor_sgemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, workspace.data());
#pragma once
#include "studies/sgemm/any_shape.h"
#include "studies/sgemm/tensor_choice.h"

namespace sgemm {

// A is not read where alpha is 0, nor C where beta is. `workspace` is of this product alone: zeros
// before the first launch, then what the last one left.
void tensor_sgemm(int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                  int ldb, float beta, float* c, int ldc, void* workspace);
size_t tensor_sgemm_workspace(int m, int n, int k, const float* a, int lda, const float* b,
                              int ldb);

// What tensor_sgemm chooses, and a product by a choice of one's own.
TensorChoice tensor_choice_for(const Product&);
void tensor_sgemm_by(const TensorChoice&, const Product&);
size_t tensor_workspace_by(const TensorChoice&, const Product&);

// The two terms of f16 of the rung tensor_f16.
void launch_terms(const Product&);
size_t workspace_of_terms(const Product&);

}  // namespace sgemm
