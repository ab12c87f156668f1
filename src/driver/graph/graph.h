// The API's handles of graphs (device/graph/), which are pointers to them, as the runtime API's are.
#pragma once
#include <cstddef>

#include "device/graph/edges.h"
#include "device/graph/exec.h"
#include "driver/driver.h"

namespace headroom::driver {

inline Graph* graph_of(CUgraph handle) { return reinterpret_cast<Graph*>(handle); }
inline Node* node_of(CUgraphNode handle) { return reinterpret_cast<Node*>(handle); }
inline Exec* exec_of(CUgraphExec handle) { return reinterpret_cast<Exec*>(handle); }
inline CUgraph handle_of(Graph* graph) { return reinterpret_cast<CUgraph>(graph); }
inline CUgraphNode handle_of(Node* node) { return reinterpret_cast<CUgraphNode>(node); }
inline CUgraphExec handle_of(Exec* exec) { return reinterpret_cast<CUgraphExec>(exec); }

// Lists of them.
inline Node** nodes_of(CUgraphNode* handles) { return reinterpret_cast<Node**>(handles); }
inline Node* const* nodes_of(const CUgraphNode* handles) {
  return reinterpret_cast<Node* const*>(handles);
}

static_assert(sizeof(EdgeRecord) == sizeof(CUgraphEdgeData) &&
              offsetof(EdgeRecord, kind) == offsetof(CUgraphEdgeData, type));
inline EdgeRecord* records_of(CUgraphEdgeData* data) { return reinterpret_cast<EdgeRecord*>(data); }
inline const EdgeRecord* records_of(const CUgraphEdgeData* data) {
  return reinterpret_cast<const EdgeRecord*>(data);
}

// Graphs are of no context.
template <class Body>
CUresult on_graphs(const Body& body) {
  return answer(Need::device, body);
}

}  // namespace headroom::driver
