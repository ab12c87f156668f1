// What a graph is made of, asked and changed: nodes, roots, and edges. A query with no array gives
// the number; an array longer than that is filled up with nulls.
#include <algorithm>

#include "cudart/graph/graph.h"

using namespace headroom::cudart;
namespace {

void give(const std::vector<Node*>& found, cudaGraphNode_t* out, size_t* count) {
  if (out)
    for (size_t i = 0; i < *count; ++i) out[i] = i < found.size() ? handle_of(found[i]) : nullptr;
  *count = out ? std::min(*count, found.size()) : found.size();
}

cudaGraphEdgeData told(const EdgeData& data) {
  return {data.from_port, data.to_port, data.kind, {}};
}

struct Arrow {
  Node *from, *to;
  EdgeData data;
};

// Edges whose data nobody asked for must have none.
cudaError_t give(const std::vector<Arrow>& found, cudaGraphNode_t* from, cudaGraphNode_t* to,
                 cudaGraphEdgeData* data, size_t* count) {
  if (!data)
    for (const Arrow& arrow : found)
      if (arrow.data != EdgeData{}) return cudaErrorLossyQuery;
  const bool wanted = from || to;
  for (size_t i = 0; wanted && i < *count; ++i) {
    const bool there = i < found.size();
    if (from) from[i] = there ? handle_of(found[i].from) : nullptr;
    if (to) to[i] = there ? handle_of(found[i].to) : nullptr;
    if (data) data[i] = there ? told(found[i].data) : cudaGraphEdgeData{};
  }
  *count = wanted ? std::min(*count, found.size()) : found.size();
  return cudaSuccess;
}

std::vector<Arrow> arrows(const Graph& graph) {
  std::vector<Arrow> all;
  for (const auto& node : graph.nodes)
    for (const Edge& edge : node->before) all.push_back({edge.from, node.get(), edge.data});
  return all;
}

// Runs `change` for each pair of nodes named, all of the graph.
template <class Change>
cudaError_t change_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         size_t count, Change change) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!is_live(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      Node *first = node_of(from[i]), *second = node_of(to[i]);
      if (!is_node_of(*graph, first) || !is_node_of(*graph, second) || first == second)
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t error = change(node_of(from[i]), node_of(to[i]), i)) return error;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* out, size_t* count) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!count || !is_live(graph)) return cudaErrorInvalidValue;
    std::vector<Node*> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    give(all, out, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* out, size_t* count) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!count || !is_live(graph)) return cudaErrorInvalidValue;
    std::vector<Node*> roots;
    for (const auto& node : graph->nodes)
      if (node->before.empty()) roots.push_back(node.get());
    give(roots, out, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!count || !is_live(graph) || !from != !to) return cudaErrorInvalidValue;
    return give(arrows(*graph), from, to, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* out,
                                         cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    Node* node = node_of(handle);
    if (!count || !is_live(node)) return cudaErrorInvalidValue;
    std::vector<Arrow> found;
    for (const Edge& edge : node->before) found.push_back({edge.from, node, edge.data});
    return give(found, out, nullptr, data, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* out,
                                           cudaGraphEdgeData* data, size_t* count) {
  return call([&](Session&) {
    const Node* node = node_of(handle);
    if (!count || !is_live(node)) return cudaErrorInvalidValue;
    std::vector<Arrow> found = arrows(*node->graph);
    std::erase_if(found, [&](const Arrow& arrow) { return arrow.from != node; });
    return give(found, nullptr, out, data, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count) {
  return change_edges(graph, from, to, count, [&](Node* first, Node* second, size_t i) {
    for (const Edge& edge : second->before)
      if (edge.from == first) return cudaErrorInvalidValue;
    second->before.push_back({first, data ? data_of(data[i]) : EdgeData{}});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return change_edges(graph, from, to, count, [&](Node* first, Node* second, size_t) {
    auto same = [&](const Edge& edge) { return edge.from == first; };
    return std::erase_if(second->before, same) ? cudaSuccess : cudaErrorInvalidValue;
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
