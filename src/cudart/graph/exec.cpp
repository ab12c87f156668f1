// Executable graphs: made, changed as a whole, launched.
#include <cstring>

#include "cudart/graph/capture.h"
#include "cudart/memory.h"

using namespace headroom::cudart;
namespace {

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(Session&, cudaGraphExec_t* out, cudaGraph_t handle,
                        unsigned long long flags) {
  Graph* graph = graph_of(handle);
  if (!out || !is_live(graph) || flags & ~known_flags) return cudaErrorInvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    throw Failure{Status::not_supported,
                  headroom::Error{"cudaGraphInstantiate",
                                  "graphs launched from the device are not supported yet",
                                  "launch the graph from the host"}};
  if (graph->has_memory() && has_exec(*graph)) return cudaErrorNotSupported;  // one at a time
  auto exec = std::make_shared<Exec>(*graph, flags);
  if (exec->order.size() != exec->graph.nodes.size()) return cudaErrorInvalidValue;  // a cycle
  graph->instantiated = true;
  *out = reinterpret_cast<cudaGraphExec_t>(adopt(std::move(exec)));
  return cudaSuccess;
}

// What the last launch left allocated stands in the way of the next one, unless the graph was told
// to free it.
cudaError_t prepare_memory(Session& session, const Exec& exec) {
  for (const Node* node : exec.order) {
    auto* allocate = std::get_if<AllocateWork>(&node->work);
    if (!allocate || !session.allocations.at(uint64_t(allocate->what.dptr))) continue;
    if (!(exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)) return cudaErrorInvalidValue;
    if (cudaError_t error = release(session, allocate->what.dptr)) return error;
  }
  return cudaSuccess;
}

// Compares node by node, in the order of their making.
struct Comparison {
  cudaGraphExecUpdateResultInfo& info;

  bool differs(cudaGraphExecUpdateResult how, Node* node, Node* other) {
    info.result = how;
    info.errorNode = handle_of(node);
    info.errorFromNode = handle_of(other);
    return true;
  }
  static size_t place(const Graph& graph, const Node* node) {
    size_t i = 0;
    while (graph.nodes[i].get() != node) ++i;
    return i;
  }
  bool differs(const Graph& old, const Graph& with) {
    if (old.nodes.size() != with.nodes.size())
      return differs(cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr);
    for (size_t i = 0; i < old.nodes.size(); ++i)
      if (differs(*old.nodes[i], *with.nodes[i])) return true;
    return false;
  }
  bool differs(Node& old, Node& with) {
    if (type_of(old.work) != type_of(with.work))
      return differs(cudaGraphExecUpdateErrorNodeTypeChanged, &with, nullptr);
    std::set<size_t> before, after;
    for (const Edge& edge : old.before) before.insert(place(*old.graph, edge.from));
    for (const Edge& edge : with.before) after.insert(place(*with.graph, edge.from));
    if (before != after) return differs(cudaGraphExecUpdateErrorTopologyChanged, &with, nullptr);
    if (auto* child = std::get_if<ChildWork>(&old.work))
      return differs(*child->graph, *std::get<ChildWork>(with.work).graph);
    if (std::holds_alternative<AllocateWork>(old.work) &&
        std::get<AllocateWork>(old.work).what.dptr != std::get<AllocateWork>(with.work).what.dptr)
      return differs(cudaGraphExecUpdateErrorParametersChanged, &with, nullptr);
    return false;
  }
};

void take_over(Graph& graph, const Graph& from) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = *graph.nodes[i];
    const Node& with = *from.nodes[i];
    if (auto* child = std::get_if<ChildWork>(&node.work))
      take_over(*child->graph, *std::get<ChildWork>(with.work).graph);
    else
      node.work = with.work;
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph,
                                          unsigned long long flags) {
  return call([&](Session& session) { return instantiate(session, out, graph, flags); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* what) {
  if (!what) return fail(cudaErrorInvalidValue);
  what->errNode_out = nullptr;
  cudaError_t error = cudaGraphInstantiateWithFlags(out, graph, what->flags);
  what->result_out = error ? cudaGraphInstantiateInvalidStructure : cudaGraphInstantiateSuccess;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return call([&](Session&) {
    auto exec = held(exec_of(handle));
    if (!exec || !flags) return cudaErrorInvalidValue;
    *flags = exec->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call(
      [&](Session&) { return abandon(exec_of(exec)) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t with,
                                cudaGraphExecUpdateResultInfo* out) {
  return call([&](Session&) {
    auto exec = held(exec_of(handle));
    const Graph* graph = graph_of(with);
    if (!exec || !is_live(graph) || !out) return cudaErrorInvalidValue;
    *out = {};
    if (Comparison{*out}.differs(exec->graph, *graph)) return cudaErrorGraphExecUpdateFailure;
    take_over(exec->graph, *graph);
    return cudaSuccess;
  });
}

// Where the nodes' parameters lie is no matter here.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    if (!held(exec_of(exec))) return cudaErrorInvalidValue;
    refuse_capture(session, *find_stream(session, stream), "cudaGraphUpload");
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    auto exec = held(exec_of(handle));
    if (!exec) return cudaErrorInvalidValue;
    refuse_capture(session, *find_stream(session, stream), "cudaGraphLaunch");
    if (cudaError_t error = prepare_memory(session, *exec)) return error;
    return run(session, exec->order, *find_stream(session, stream));
  });
}
}
