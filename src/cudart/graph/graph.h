// Graphs: work with an order among it, built by hand or captured from streams, and made executable.
//
//   Graph g; Node* copy = g.add(CopyWork{…}, {}); g.add(KernelWork{…}, {{copy}});
//   Exec exec(g);                  a copy of it, in an order that respects every edge
//   run(session, exec, stream);    its work, node after node, as if the stream had been given it
//
// The API's handles are pointers to these; `is_live` tells those from pointers to nothing.
#pragma once
#include <memory>
#include <set>
#include <vector>

#include "cudart/api.h"
#include "cudart/work.h"
#include "device/session.h"

namespace headroom::cudart {

struct Node;

// "Follows that node"; the data say in which way, where it is not the plain one.
struct Edge {
  Node* from = nullptr;
  cudaGraphEdgeData data{};
};

struct Node {
  Graph* graph = nullptr;
  Work work;
  std::vector<Edge> before;          // what it follows, in the order in which that was said
  uint64_t id = 0, copied_from = 0;  // of this node; of the one that it is a copy of
  bool enabled = true;               // in an executable graph
  std::vector<void*> shown;          // pointers that a query of its parameters handed out

  Node();
  ~Node();
};

// Memory or anything else that lives as long as graphs refer to it.
struct UserObject {
  void* what = nullptr;
  cudaHostFn_t destroy = nullptr;
  uint64_t references = 0;  // all
  uint64_t own = 0;         // of them the program's: it may not give away what graphs hold
};

struct Graph {
  uint64_t id = 0, copied_from = 0;
  Graph* parent = nullptr;  // of a child graph
  std::vector<std::unique_ptr<Node>> nodes;
  std::map<UserObject*, uint64_t> kept;  // references to each
  bool instantiated = false;             // once: what it allocates, others may free from then on

  Graph();
  Graph(const Graph&);  // copies, also of child graphs, know what they are copies of
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  Node* add(Work, std::vector<Edge> before);
  void remove(Node*);
  Node* copy_of(uint64_t node);  // the copy of that node, also in child graphs; null: none
  bool has_memory() const;       // allocation or release nodes
  bool allocates(const void*) const;
  bool releases(const void*) const;
  std::vector<Node*> in_order() const;  // by creation as far as edges allow; shorter: a cycle
};

// A graph made executable.
struct Exec {
  Graph graph;
  unsigned long long flags = 0;
  std::vector<Node*> order;

  Exec(const Graph& from, unsigned long long with);
};

// Does all the work of a graph, on a stream that is not being captured.
cudaError_t run(Session&, const std::vector<Node*>& order, const Stream&);
cudaGraphNodeType type_of(const Work&);

// The graphs and executable graphs that the program holds, until it destroys them.
Graph* adopt(std::unique_ptr<Graph>);
std::unique_ptr<Graph> abandon(Graph*);  // null: not one of those (a child graph is its node's)
Exec* adopt(std::shared_ptr<Exec>);
std::shared_ptr<Exec> held(const Exec*);  // null: none
bool abandon(const Exec*);

bool has_exec(const Graph&);  // one made of that graph and not destroyed

// Whether a node of the graph may free what a node of it or of another one allocates.
bool may_release(const Graph&, const void*);

// What the program says is a graph or a node: whether it is one.
bool is_live(const Graph*);
bool is_live(const Node*);

void release(UserObject*, uint64_t references);  // destroys it with the last one

inline Graph* graph_of(cudaGraph_t handle) { return reinterpret_cast<Graph*>(handle); }
inline Node* node_of(cudaGraphNode_t handle) { return reinterpret_cast<Node*>(handle); }
inline Exec* exec_of(cudaGraphExec_t handle) { return reinterpret_cast<Exec*>(handle); }
inline cudaGraph_t handle_of(Graph* graph) { return reinterpret_cast<cudaGraph_t>(graph); }
inline cudaGraphNode_t handle_of(Node* node) { return reinterpret_cast<cudaGraphNode_t>(node); }

}  // namespace headroom::cudart
