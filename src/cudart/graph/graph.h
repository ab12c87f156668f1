// The API's handles of graphs (device/graph/), which are pointers to them.
#pragma once
#include <cstddef>

#include "cudart/api.h"
#include "device/graph/edges.h"
#include "device/graph/exec.h"

namespace headroom::cudart {

inline Graph* graph_of(cudaGraph_t handle) { return reinterpret_cast<Graph*>(handle); }
inline Node* node_of(cudaGraphNode_t handle) { return reinterpret_cast<Node*>(handle); }
inline Exec* exec_of(cudaGraphExec_t handle) { return reinterpret_cast<Exec*>(handle); }
inline cudaGraph_t handle_of(Graph* graph) { return reinterpret_cast<cudaGraph_t>(graph); }
inline cudaGraphNode_t handle_of(Node* node) { return reinterpret_cast<cudaGraphNode_t>(node); }
inline cudaGraphExec_t handle_of(Exec* exec) { return reinterpret_cast<cudaGraphExec_t>(exec); }

// Lists of them.
inline Node** nodes_of(cudaGraphNode_t* handles) { return reinterpret_cast<Node**>(handles); }
inline Node* const* nodes_of(const cudaGraphNode_t* handles) {
  return reinterpret_cast<Node* const*>(handles);
}

static_assert(sizeof(EdgeRecord) == sizeof(cudaGraphEdgeData) &&
              offsetof(EdgeRecord, kind) == offsetof(cudaGraphEdgeData, type));
inline EdgeRecord* records_of(cudaGraphEdgeData* data) {
  return reinterpret_cast<EdgeRecord*>(data);
}
inline const EdgeRecord* records_of(const cudaGraphEdgeData* data) {
  return reinterpret_cast<const EdgeRecord*>(data);
}

}  // namespace headroom::cudart
