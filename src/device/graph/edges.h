// What a graph is made of, asked and changed as both APIs do it: nodes, roots and edges. A query without an array
// gives the number; an array that is longer than the answer is filled up with nulls.
//
//   give(roots(graph), out, &count);
//   add_edges(graph, from, to, nullptr, 2)     Status::invalid_value: one of them is there already
//
// What the program says are nodes may be any pointers: is_live and is_node_of tell.
#pragma once
#include "device/graph/graph.h"

namespace headroom::device {

// The data of an edge as both APIs lay it out.
struct EdgeRecord {
  uint8_t from_port = 0, to_port = 0, kind = 0, reserved[5] = {};
};

struct Arrow {
  Node *from = nullptr, *to = nullptr;
  EdgeData data;
};

std::vector<Node*> all_nodes(const Graph&);
std::vector<Node*> roots(const Graph&);
std::vector<Arrow> arrows(const Graph&);
std::vector<Arrow> arrows_into(Node&);
std::vector<Arrow> arrows_out_of(const Node&);

void give(const std::vector<Node*>&, Node** out, size_t* count);
// lossy_query: an edge has data, and nobody asks for it.
Status give(const std::vector<Arrow>&, Node** from, Node** to, EdgeRecord* data, size_t* count);

// Nodes of the graph that the program names, each once. For a new node: twice is an error.
bool read_nodes(const Graph&, Node* const* nodes, size_t count, std::vector<Node*>& out);
bool read_edges(const Graph&, Node* const* nodes, const EdgeRecord*, size_t count,
                std::vector<Edge>& out);

Status add_edges(const Graph*, Node* const* from, Node* const* to, const EdgeRecord*, size_t count);
Status remove_edges(const Graph*, Node* const* from, Node* const* to, size_t count);

}  // namespace headroom::device
