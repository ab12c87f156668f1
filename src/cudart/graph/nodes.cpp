// Graphs made by hand: created, cloned, destroyed, and given nodes of every type.
#include "cudart/graph/node_work.h"
#include "cudart/symbol.h"

using namespace headroom::cudart;
namespace {

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* nodes,
                const cudaGraphEdgeData* data, size_t count, const MakeWork& make) {
  return call([&](Session& session) {
    Graph* graph = graph_of(handle);
    std::vector<Edge> before;
    if (!out || !is_live(graph) ||
        !read_edges(*graph, nodes_of(nodes), records_of(data), count, before))
      return cudaErrorInvalidValue;
    Work work;
    if (cudaError_t error = make(session, work)) return error;
    Node* node = nullptr;
    const Status status = add_node(*graph, std::move(work), std::move(before), node);
    if (!failed(status)) *out = handle_of(node);
    return code_of(status);
  });
}

MakeWork empty_work() {
  return [](Session&, Work& work) {
    work = EmptyWork{};
    return cudaSuccess;
  };
}

MakeWork release_work(void* address) {
  return [=](Session&, Work& work) {
    if (!address) return cudaErrorInvalidValue;
    work = ReleaseWork{uint64_t(address)};
    return cudaSuccess;
  };
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  return call([&](Session&) {
    if (!out || flags) return cudaErrorInvalidValue;
    *out = handle_of(adopt(std::make_unique<Graph>()));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(
      [&](Session&) { return abandon(graph_of(graph)) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t handle) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!out || !is_live(graph)) return cudaErrorInvalidValue;
    if (graph->has_memory()) return cudaErrorNotSupported;
    *out = handle_of(adopt(std::make_unique<Graph>(*graph)));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned flags) {
  return call([&](Session&) {
    if (!path || !is_live(graph_of(handle))) return cudaErrorInvalidValue;
    return code_of(draw(*graph_of(handle), path, flags != 0));
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return call([&](Session&) {
    if (!out || !is_live(node_of(original)) || !is_live(graph_of(clone)))
      return cudaErrorInvalidValue;
    Node* found = graph_of(clone)->copy_of(node_of(original)->id);
    if (!found) return cudaErrorInvalidValue;
    *out = handle_of(found);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return call([&](Session&) {
    Node* node = node_of(handle);
    if (!is_live(node)) return cudaErrorInvalidValue;
    if (node->graph->has_memory()) return cudaErrorNotSupported;
    node->graph->remove(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* nodes,
                             const cudaGraphEdgeData* data, size_t count,
                             cudaGraphNodeParams* what) {
  if (!what) return fail(cudaErrorInvalidValue);
  return add(out, graph, nodes, data, count, work_of(*what));
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* nodes, size_t count,
                                   const cudaKernelNodeParams* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* nodes, size_t count,
                                   const cudaMemcpy3DParms* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* nodes, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add(out, graph, nodes, nullptr, count, work_of(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* nodes, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add(out, graph, nodes, nullptr, count, to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* nodes, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return add(out, graph, nodes, nullptr, count, from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* nodes, size_t count,
                                   const cudaMemsetParams* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* nodes, size_t count,
                                 const cudaHostNodeParams* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                       const cudaGraphNode_t* nodes, size_t count,
                                       cudaGraph_t child) {
  return add(out, graph, nodes, nullptr, count, child_work(child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* nodes, size_t count) {
  return add(out, graph, nodes, nullptr, count, empty_work());
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                        const cudaGraphNode_t* nodes, size_t count,
                                        cudaEvent_t event) {
  return add(out, graph, nodes, nullptr, count, record_work(event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                      const cudaGraphNode_t* nodes, size_t count,
                                      cudaEvent_t event) {
  return add(out, graph, nodes, nullptr, count, wait_work(event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* nodes, size_t count,
                                     cudaMemAllocNodeParams* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                    const cudaGraphNode_t* nodes, size_t count, void* address) {
  return add(out, graph, nodes, nullptr, count, release_work(address));
}
}
