#include <cstdio>
#include <cstdlib>

#include "peers/sgemm/cublas.h"

namespace sgemm {
namespace {

constexpr size_t workspace_bytes = size_t(64) << 20;  // twice what cuBLAS recommends for Hopper

void require(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", call, cublasGetStatusString(status));
  std::exit(1);
}

}  // namespace

Cublas::Cublas() : workspace_(workspace_bytes) {
  require(cublasCreate(&handle_), "cublasCreate");
  require(cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  require(cublasSetWorkspace(handle_, workspace_.data(), workspace_.bytes()), "cublasSetWorkspace");
}

// cuBLAS reads by columns: it sees the transposed matrices, and C^T = B^T A^T.
void Cublas::multiply(const Problem& p) const {
  require(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &p.alpha, p.b, p.n, p.a,
                      p.k, &p.beta, p.c, p.n),
          "cublasSgemm");
}

std::string Cublas::version() const {
  int version = 0;
  require(cublasGetVersion(handle_, &version), "cublasGetVersion");
  return "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100);
}

}  // namespace sgemm
