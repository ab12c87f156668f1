// The way of work into a stream: done at once, since every call here runs to its end before it
// returns, or, where the stream is being captured, made a node of a graph.
//
//   enqueue(stream, [&](Session& session, Work& work) { …checks…; work = CopyWork{…}; return
//   cudaSuccess; });
#pragma once
#include <memory>
#include <set>
#include <vector>

#include "cudart/api.h"
#include "cudart/graph/graph.h"
#include "cudart/work.h"
#include "device/capture.h"
#include "device/stream.h"

namespace headroom::cudart {

// A capture, and the graph that it becomes.
struct GraphCapture : Capture {
  std::vector<Node*> left;  // where streams ended that were destroyed since
  Graph* graph = nullptr;
  std::unique_ptr<Graph> own;  // null: it goes into a graph of the program's
};
inline GraphCapture& of_graph(Capture& capture) { return static_cast<GraphCapture&>(capture); }

using MakeWork = std::function<cudaError_t(Session&, Work&)>;

cudaError_t enqueue(cudaStream_t, const MakeWork&);
// The same for a call that waits for the work: on the legacy stream, and not while capturing.
cudaError_t at_once(const char* call, const MakeWork&);
// Adds the work to the stream's graph, or does it.
cudaError_t submit(Session&, Stream&, Work);

bool is_capturing(Session&, cudaStream_t);

}  // namespace headroom::cudart
