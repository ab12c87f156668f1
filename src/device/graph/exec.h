// Graphs made executable: instantiated, changed as a whole, launched.
//
//   Exec* exec;
//   instantiate(graph, 0, exec);           a copy of it, in an order that respects every edge
//   launch(session, *exec, stream);
//   update(*exec, graph).kind              Difference::Kind::none, and it does what the graph now says
#pragma once
#include "device/graph/graph.h"

namespace headroom::device {

struct Exec {
  // Flags, as both faces number them.
  static constexpr uint64_t free_on_launch = 1, upload = 2, device_launch = 4, node_priority = 8;

  Graph graph;
  uint64_t flags = 0;
  std::vector<Node*> order;

  Exec(const Graph& from, uint64_t with);
};

// invalid_value: a cycle, or flags that there are not. Throws Failure for what is not supported.
Status instantiate(Graph&, uint64_t flags, Exec*& out);
Status launch(Session&, const Exec&, const Stream&);

// In what a graph differs from an executable one, so that it cannot take its place.
struct Difference {
  enum class Kind {  // numbered as both faces do
    none = 0,
    topology = 2,
    node_type = 3,
    parameters = 5,
  };
  Kind kind = Kind::none;
  Node* node = nullptr;  // of the graph
};
Difference update(Exec&, const Graph&);

// The executable graphs that the program holds, until it destroys them.
std::shared_ptr<Exec> held(const Exec*);  // null: none
bool abandon(const Exec*);
const std::map<const Exec*, std::shared_ptr<Exec>>& held_execs();

}  // namespace headroom::device
