// Graphs made by hand: created, cloned, destroyed, and given nodes of every type.
#include "driver/graph/node_work.h"

namespace headroom::driver {
namespace {

CUresult add(CUgraphNode* out, CUgraph handle, const CUgraphNode* nodes,
             const CUgraphEdgeData* data, size_t count, const Maker& make) {
  return on_graphs([&](Session& session) {
    Graph* graph = graph_of(handle);
    std::vector<Edge> before;
    if (!out || !is_live(graph) ||
        !read_edges(*graph, nodes_of(nodes), records_of(data), count, before))
      return Status::invalid_value;
    Work work;
    if (const Status status = make(session, work); failed(status)) return status;
    Node* node = nullptr;
    const Status status = add_node(*graph, std::move(work), std::move(before), node);
    if (!failed(status)) *out = handle_of(node);
    return status;
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuGraphCreate(CUgraph* out, unsigned flags) {
  return on_graphs([&](Session&) {
    if (!out || flags) return Status::invalid_value;
    *out = handle_of(adopt(std::make_unique<Graph>()));
    return Status::ok;
  });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return on_graphs(
      [&](Session&) { return abandon(graph_of(graph)) ? Status::ok : Status::invalid_value; });
}
CUresult cuGraphClone(CUgraph* out, CUgraph handle) {
  return on_graphs([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!out || !is_live(graph)) return Status::invalid_value;
    if (graph->has_memory()) return Status::not_supported;
    *out = handle_of(adopt(std::make_unique<Graph>(*graph)));
    return Status::ok;
  });
}
CUresult cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned flags) {
  return on_graphs([&](Session&) {
    if (!path || !is_live(graph_of(handle))) return Status::invalid_value;
    return draw(*graph_of(handle), path, flags != 0);
  });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* out, CUgraphNode original, CUgraph clone) {
  return on_graphs([&](Session&) {
    if (!out || !is_live(node_of(original)) || !is_live(graph_of(clone)))
      return Status::invalid_value;
    Node* found = graph_of(clone)->copy_of(node_of(original)->id);
    if (!found) return Status::invalid_value;
    *out = handle_of(found);
    return Status::ok;
  });
}
CUresult cuGraphDestroyNode(CUgraphNode handle) {
  return on_graphs([&](Session&) {
    Node* node = node_of(handle);
    if (!is_live(node)) return Status::invalid_value;
    if (node->graph->has_memory()) return Status::not_supported;
    node->graph->remove(node);
    return Status::ok;
  });
}

CUresult cuGraphAddNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                        const CUgraphEdgeData* data, size_t count, CUgraphNodeParams* what) {
  return add(out, graph, nodes, data, count, work_of(what));
}
CUresult cuGraphAddKernelNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                              size_t count, const CUDA_MEMCPY3D* what, CUcontext) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}
CUresult cuGraphAddMemsetNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* what, CUcontext) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}
CUresult cuGraphAddHostNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes, size_t count,
                            const CUDA_HOST_NODE_PARAMS* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                                  size_t count, CUgraph child) {
  return add(out, graph, nodes, nullptr, count, child_work(child));
}
CUresult cuGraphAddEmptyNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                             size_t count) {
  return add(out, graph, nodes, nullptr, count, empty_work());
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                                   size_t count, CUevent event) {
  return add(out, graph, nodes, nullptr, count, record_work(event));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                                 size_t count, CUevent event) {
  return add(out, graph, nodes, nullptr, count, wait_work(event));
}
CUresult cuGraphAddMemAllocNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* what) {
  return add(out, graph, nodes, nullptr, count, work_of(what));
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes,
                               size_t count, CUdeviceptr address) {
  return add(out, graph, nodes, nullptr, count, release_work(address));
}

// Of a release before edges had data.
#undef cuGraphAddNode
CUresult cuGraphAddNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* nodes, size_t count,
                        CUgraphNodeParams* what) {
  return cuGraphAddNode_v2(out, graph, nodes, nullptr, count, what);
}
}
