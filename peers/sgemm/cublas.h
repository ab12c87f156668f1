// The product by cuBLAS, in single precision as it is: default mathematics, no TF32, no emulation.
//
//   const Cublas cublas;
//   cublas.multiply(problem);        // asynchronous, on the default stream
#pragma once
#include <cublas_v2.h>

#include <string>

#include "studies/common/buffer.h"
#include "studies/sgemm/sgemm.h"

namespace sgemm {

class Cublas {
 public:
  Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  ~Cublas() { cublasDestroy(handle_); }

  void multiply(const Problem&) const;
  std::string version() const;  // "cuBLAS 13.0.2"

 private:
  cublasHandle_t handle_ = nullptr;
  study::DeviceBuffer<char> workspace_;
};

}  // namespace sgemm
