// What a graph is made of, asked and changed: nodes, roots, and edges (device/graph/edges.h).
#include "driver/graph/graph.h"

namespace headroom::driver {
namespace {

// Nodes of a graph, as `ask` finds them.
CUresult get_nodes(CUgraph handle, CUgraphNode* out, size_t* count,
                   std::vector<Node*> (*ask)(const Graph&)) {
  return on_graphs([&](Session&) {
    if (!count || !is_live(graph_of(handle))) return Status::invalid_value;
    give(ask(*graph_of(handle)), nodes_of(out), count);
    return Status::ok;
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* out, size_t* count) {
  return get_nodes(graph, out, count, all_nodes);
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* out, size_t* count) {
  return get_nodes(graph, out, count, roots);
}

CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                         size_t* count) {
  return on_graphs([&](Session&) {
    const Graph* graph = graph_of(handle);
    if (!count || !is_live(graph) || !from != !to) return Status::invalid_value;
    return give(arrows(*graph), nodes_of(from), nodes_of(to), records_of(data), count);
  });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* data,
                                    size_t* count) {
  return on_graphs([&](Session&) {
    if (!count || !is_live(node_of(node))) return Status::invalid_value;
    return give(arrows_into(*node_of(node)), nodes_of(out), nullptr, records_of(data), count);
  });
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* data,
                                      size_t* count) {
  return on_graphs([&](Session&) {
    if (!count || !is_live(node_of(node))) return Status::invalid_value;
    return give(arrows_out_of(*node_of(node)), nullptr, nodes_of(out), records_of(data), count);
  });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                const CUgraphEdgeData* data, size_t count) {
  return on_graphs([&](Session&) {
    return add_edges(graph_of(graph), nodes_of(from), nodes_of(to), records_of(data), count);
  });
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData*, size_t count) {
  return on_graphs(
      [&](Session&) { return remove_edges(graph_of(graph), nodes_of(from), nodes_of(to), count); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* out) {
  return on_graphs([&](Session&) {
    if (!out || !is_live(node_of(node))) return Status::invalid_value;
    *out = CUgraphNodeType(type_of(node_of(node)->work));
    return Status::ok;
  });
}

// Of a release before edges had data.
#undef cuGraphGetEdges
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
#undef cuGraphNodeGetDependencies
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* out, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, out, nullptr, count);
}
#undef cuGraphNodeGetDependentNodes
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* out, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, out, nullptr, count);
}
#undef cuGraphAddDependencies
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
#undef cuGraphRemoveDependencies
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
}
