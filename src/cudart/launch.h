// From <<<>>> to a launch: the checks CUDA makes before anything runs, then execute.h.
#pragma once
#include <optional>
#include <vector>

#include "cudart/api.h"
#include "device/work.h"

namespace headroom::cudart {

struct Request {
  const void* function;  // the host address of a kernel's stub, or its handle
  LaunchShape shape;     // its kernel's name is not known yet
  void** arguments;      // one pointer per parameter
  cudaStream_t stream;
  std::optional<Dim3> preferred = std::nullopt;  // cudaLaunchAttributePreferredClusterDimension
};
Request request_of(const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t dynamic_shared, cudaStream_t);

cudaError_t launch(const Request&, const std::vector<cudaLaunchAttribute>& = {},
                   const char* function = __builtin_FUNCTION());
// What an attribute asks of a launch, into its shape and its preferred cluster.
void ask(LaunchShape&, std::optional<Dim3>& preferred, const cudaLaunchAttribute&);
// The checks and a copy of the arguments, for a launch now or in a graph.
cudaError_t prepare(Session&, const Request&, KernelWork&);
// The same with the arguments in a buffer.
cudaError_t prepare(Session&, const Request&, KernelWork&, std::vector<std::byte> buffer);

}  // namespace headroom::cudart
