// One piece of work of a stream, as a value: done at once, or kept as a node of a graph.
//
//   cudaMemsetAsync(p, 0, 64, stream)   FillWork{{p, …}, 0, 1, {64, 1, 1}}
//
// Its parameters have been checked, but pointers are looked at again when it is done.
#pragma once
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "device/copy.h"
#include "device/execute.h"
#include "device/memory.h"

namespace headroom::device {

struct Graph;  // graph/graph.h
struct Exec;   // graph/exec.h

struct NoWork {};  // a copy of no bytes: not even a node
struct EmptyWork {};
struct KernelWork : LaunchWork {
  std::map<int, Opaque> attributes;  // told again; what they ask of the launch is in its shape
};
using HostFunction = void (*)(void*);
struct HostWork {
  HostFunction function = nullptr;
  void* data = nullptr;
};
struct RecordWork {
  const void* event = nullptr;  // its handle
};
struct WaitWork {
  const void* event = nullptr;
};
struct AllocateWork {
  struct Access {
    int device = 0, flags = 0;
  };
  Reserved memory;  // from the node's creation on
  int device = 0;
  uint64_t most = 0;  // of its pool; this and the rest are told again only
  unsigned usage = 0;
  std::vector<Access> access;
};
struct ReleaseWork {
  uint64_t address = 0;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct ExecWork {  // a launch of it: no node
  std::shared_ptr<Exec> exec;
};

using Work = std::variant<NoWork, EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork,
                          WaitWork, AllocateWork, ReleaseWork, ChildWork, ExecWork>;

Status perform(Session&, const Stream&, const Work&);

}  // namespace headroom::device
