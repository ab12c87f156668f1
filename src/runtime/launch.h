// From <<<>>> to a launch: the checks CUDA makes before anything runs, then execute.h.
#pragma once
#include "runtime/api.h"

namespace headroom::runtime {

struct Request {
  const void* function;  // the host address of a kernel's stub, or its handle
  dim3 grid, block;
  void** arguments;  // one pointer per parameter
  size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative = false;  // every block must be resident at once
};

cudaError_t launch(const Request&);

}  // namespace headroom::runtime
