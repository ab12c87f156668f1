// One piece of work of a stream, as a value: done at once, or kept as a node of a graph.
//
//   cudaMemsetAsync(p, 0, 64, stream)   FillWork{{p, …}, 0, 1, {64, 1, 1}}
//
// Its parameters have been checked, but pointers are looked at again when it is done.
#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "cudart/api.h"
#include "cudart/launch.h"
#include "device/copy.h"
#include "device/execute.h"

namespace headroom::cudart {

struct Graph;
struct NoWork {};  // a copy of no bytes: not even a node
struct EmptyWork {};
struct KernelWork : LaunchWork {
  std::vector<cudaLaunchAttribute> attributes;
};
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct AllocateWork {
  cudaMemAllocNodeParams what{};
  std::vector<cudaMemAccessDesc> access;
  std::shared_ptr<void> addresses;  // reserved from the node's creation on
};
struct ReleaseWork {
  void* address = nullptr;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};

using Work = std::variant<NoWork, EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork,
                          WaitWork, AllocateWork, ReleaseWork, ChildWork>;

cudaError_t perform(Session&, const Stream&, const Work&);

}  // namespace headroom::cudart
