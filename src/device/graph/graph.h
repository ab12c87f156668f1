// Graphs: work with an order among it, built by hand or captured from streams. exec.h makes them
// executable.
//
//   Graph g; Node* copy = g.add(CopyWork{…}, {}); g.add(KernelWork{…}, {{copy, {}}});
//   run(session, g.in_order(), stream);   its work, node after node, as if the stream had been given it
//
// The handles of both faces are pointers to these; `is_live` tells those from pointers to nothing.
#pragma once
#include <memory>
#include <vector>

#include "device/work.h"

namespace headroom::device {

struct Node;
struct UserObject;  // user_object.h

// In which way a node follows another, where it is not the plain one; both faces number it so.
struct EdgeData {
  uint8_t from_port = 0, to_port = 0, kind = 0;
  friend bool operator==(const EdgeData&, const EdgeData&) = default;
};

struct Edge {  // "follows that node"
  Node* from = nullptr;
  EdgeData data;
};

struct Node {
  Graph* graph = nullptr;
  Work work;
  std::vector<Edge> before;          // what it follows, in the order in which that was said
  uint64_t id = 0, copied_from = 0;  // of this node; of the one that it is a copy of
  bool enabled = true;               // in an executable graph
  std::shared_ptr<void> shown;       // what a face hands out pointers to when it tells the work

  Node();
  ~Node();
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
  bool allocates(uint64_t address) const;
  bool releases(uint64_t address) const;
  std::vector<Node*> in_order() const;  // by creation as far as edges allow; shorter: a cycle
};

// Numbered as both faces do.
enum class NodeType {
  kernel = 0,
  copy = 1,
  fill = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait = 6,
  record = 7,
  allocate = 10,
  release = 11,
};
NodeType type_of(const Work&);

// Does all that work, on a stream that is not being captured.
Status run(Session&, const std::vector<Node*>& order, const Stream&);

// A node made by hand. invalid_value: it would free what the graph may not free.
Status add_node(Graph&, Work, std::vector<Edge> before, Node*& out);
// Another work of the same type; a kernel keeps what its attributes asked for.
Status replace_work(Node&, Work);
void copy_attributes(KernelWork& to, const KernelWork& from);
Status set_enabled(Node&, bool);
bool can_be_disabled(const Node&);
// As a child node's work. not_supported: it has memory.
Status child_of(const Graph&, ChildWork& out);

// The graphs that the program holds, until it destroys them.
Graph* adopt(std::unique_ptr<Graph>);
std::unique_ptr<Graph> abandon(Graph*);  // null: not one of those (a child graph is its node's)
const std::map<const Graph*, std::unique_ptr<Graph>>& held_graphs();

// What the program says is a graph, or a node (of that graph): whether it is one.
bool is_live(const Graph*);
bool is_live(const Node*);
bool is_node_of(const Graph&, const Node*);

// The graph as a drawing for Graphviz, in a file (draw.cpp).
Status draw(const Graph&, const char* path, bool with_details);

}  // namespace headroom::device
