// From <<<>>> to a launch: the checks CUDA makes before anything runs, then execute.h.
#pragma once
#include <optional>
#include <vector>

#include "runtime/api.h"

namespace headroom::runtime {

struct Kernel;

struct Request {
  const void* function;  // the host address of a kernel's stub, or its handle
  dim3 grid, block;
  void** arguments;  // one pointer per parameter
  size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative = false;                      // every block must be resident at once
  std::optional<dim3> cluster = std::nullopt;    // cudaLaunchAttributeClusterDimension
  std::optional<dim3> preferred = std::nullopt;  // cudaLaunchAttributePreferredClusterDimension
};

struct KernelWork;  // work.h

cudaError_t launch(const Request&, const std::vector<cudaLaunchAttribute>& = {});
// What an attribute asks of a launch, into the request.
void ask(Request&, const cudaLaunchAttribute&);
// The checks and a copy of the arguments, for a launch now or in a graph.
cudaError_t prepare(Session&, const Request&, KernelWork&);

}  // namespace headroom::runtime
