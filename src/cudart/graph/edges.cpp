// What a graph is made of, asked and changed: nodes, roots, and edges (device/graph/edges.h).
#include "cudart/graph/graph.h"

using namespace headroom::cudart;
namespace {

// Nodes of a graph, as `ask` finds them.
cudaError_t get_nodes(cudaGraph_t handle, cudaGraphNode_t* out, size_t* count,
                      std::vector<Node*> (*ask)(const Graph&)) {
  return call([&](Session&) {
    if (!count || !is_live(graph_of(handle))) return cudaErrorInvalidValue;
    give(ask(*graph_of(handle)), nodes_of(out), count);
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* out, size_t* count) {
  return get_nodes(graph, out, count, all_nodes);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* out, size_t* count) {
  return get_nodes(graph, out, count, roots);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!count || !is_live(graph) || !from != !to) return cudaErrorInvalidValue;
    return code_of(give(arrows(*graph), nodes_of(from), nodes_of(to), records_of(data), count));
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out,
                                         cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    if (!count || !is_live(node_of(node))) return cudaErrorInvalidValue;
    return code_of(
        give(arrows_into(*node_of(node)), nodes_of(out), nullptr, records_of(data), count));
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out,
                                           cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    if (!count || !is_live(node_of(node))) return cudaErrorInvalidValue;
    return code_of(
        give(arrows_out_of(*node_of(node)), nullptr, nodes_of(out), records_of(data), count));
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count) {
  return call([&](Session&) {
    return code_of(
        add_edges(graph_of(graph), nodes_of(from), nodes_of(to), records_of(data), count));
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return call([&](Session&) {
    return code_of(remove_edges(graph_of(graph), nodes_of(from), nodes_of(to), count));
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* out) {
  return call([&](Session&) {
    if (!out || !is_live(node_of(handle))) return cudaErrorInvalidValue;
    *out = cudaGraphNodeType(type_of(node_of(handle)->work));
    return cudaSuccess;
  });
}
}
