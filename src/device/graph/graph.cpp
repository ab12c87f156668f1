#include "device/graph/graph.h"

#include <algorithm>
#include <set>

#include "device/graph/user_object.h"

namespace headroom::device {
namespace {

struct Live {
  std::set<const Graph*> graphs;
  std::set<const Node*> nodes;
  std::map<const Graph*, std::unique_ptr<Graph>> own_graphs;
  uint64_t next_id = 1;
};
Live& live() {
  static auto* only = new Live;
  return *only;
}

}  // namespace

Node::Node() : id(live().next_id++) { live().nodes.insert(this); }
Node::~Node() { live().nodes.erase(this); }

Graph::Graph() : id(live().next_id++) { live().graphs.insert(this); }

Graph::Graph(const Graph& from) : Graph() {
  copied_from = from.id;
  std::map<const Node*, Node*> copies;
  for (const auto& old : from.nodes) {
    Node* node = add(old->work, old->before);
    node->copied_from = old->id;
    node->enabled = old->enabled;
    if (auto* child = std::get_if<ChildWork>(&node->work)) {
      child->graph = std::make_shared<Graph>(*child->graph);
      child->graph->parent = this;
    }
    copies[old.get()] = node;
  }
  for (const auto& node : nodes)
    for (Edge& edge : node->before) edge.from = copies.at(edge.from);
  kept = from.kept;
  for (const auto& [object, references] : kept) object->references += references;
}

Graph::~Graph() {
  for (const auto& [object, references] : kept) drop(object, references);
  live().graphs.erase(this);
}

Node* Graph::add(Work work, std::vector<Edge> before) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->work = std::move(work);
  node->before = std::move(before);
  if (auto* child = std::get_if<ChildWork>(&node->work)) child->graph->parent = this;
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

void Graph::remove(Node* gone) {
  for (const auto& node : nodes)
    std::erase_if(node->before, [&](const Edge& edge) { return edge.from == gone; });
  std::erase_if(nodes, [&](const auto& node) { return node.get() == gone; });
}

Node* Graph::copy_of(uint64_t original) {
  for (const auto& node : nodes) {
    if (node->copied_from == original) return node.get();
    if (auto* child = std::get_if<ChildWork>(&node->work))
      if (Node* inside = child->graph->copy_of(original)) return inside;
  }
  return nullptr;
}

bool Graph::has_memory() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return std::holds_alternative<AllocateWork>(node->work) ||
           std::holds_alternative<ReleaseWork>(node->work);
  });
}

bool Graph::allocates(uint64_t address) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    auto* work = std::get_if<AllocateWork>(&node->work);
    return work && work->memory.begin == address;
  });
}

bool Graph::releases(uint64_t address) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    auto* work = std::get_if<ReleaseWork>(&node->work);
    return work && work->address == address;
  });
}

std::vector<Node*> Graph::in_order() const {
  std::map<const Node*, size_t> place, missing;
  std::map<const Node*, std::vector<Node*>> after;
  std::set<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    place[nodes[i].get()] = i;
    missing[nodes[i].get()] = nodes[i]->before.size();
    if (nodes[i]->before.empty()) ready.insert(i);
    for (const Edge& edge : nodes[i]->before) after[edge.from].push_back(nodes[i].get());
  }
  std::vector<Node*> order;
  while (!ready.empty()) {
    order.push_back(nodes[*ready.begin()].get());
    ready.erase(ready.begin());
    for (Node* next : after[order.back()])
      if (--missing[next] == 0) ready.insert(place[next]);
  }
  return order;
}

Status run(Session& session, const std::vector<Node*>& order, const Stream& stream) {
  Branches branches(session.timeline, stream);
  for (const Node* node : order) {
    std::vector<const void*> follows;
    for (const Edge& edge : node->before) follows.push_back(edge.from);
    branches.enter(node, follows);
    if (!node->enabled) continue;
    if (const Status status = perform(session, stream, node->work); failed(status)) return status;
  }
  return Status::ok;
}

Graph* adopt(std::unique_ptr<Graph> graph) {
  Graph* handle = graph.get();
  live().own_graphs[handle] = std::move(graph);
  return handle;
}

std::unique_ptr<Graph> abandon(Graph* graph) {
  auto found = live().own_graphs.extract(graph);
  return found ? std::move(found.mapped()) : nullptr;
}

const std::map<const Graph*, std::unique_ptr<Graph>>& held_graphs() { return live().own_graphs; }

bool is_live(const Graph* graph) { return live().graphs.count(graph) > 0; }
bool is_live(const Node* node) { return live().nodes.count(node) > 0; }
bool is_node_of(const Graph& graph, const Node* node) {
  return is_live(node) && node->graph == &graph;
}

}  // namespace headroom::device
