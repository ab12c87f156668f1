#include "cudart/graph/graph.h"

#include <algorithm>

namespace headroom::cudart {
namespace {

struct Live {
  std::set<const Graph*> graphs;
  std::set<const Node*> nodes;
  std::map<const Graph*, std::unique_ptr<Graph>> own_graphs;
  std::map<const Exec*, std::shared_ptr<Exec>> own_execs;
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
  for (const auto& [object, references] : kept) release(object, references);
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

bool Graph::allocates(const void* address) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    auto* work = std::get_if<AllocateWork>(&node->work);
    return work && work->what.dptr == address;
  });
}

bool Graph::releases(const void* address) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
    auto* work = std::get_if<ReleaseWork>(&node->work);
    return work && work->address == address;
  });
}

// As a driver of CUDA 13.0 answers: the graph that allocates, before it was first instantiated, or
// afterwards another one, and no graph twice.
bool may_release(const Graph& graph, const void* address) {
  if (graph.releases(address)) return false;
  if (graph.allocates(address)) return !graph.instantiated;
  for (const auto& [other, own] : live().own_graphs)
    if (other->allocates(address)) return other->instantiated && !other->releases(address);
  for (const auto& [handle, exec] : live().own_execs)  // its graph may be destroyed by now
    if (exec->graph.allocates(address)) return !exec->graph.releases(address);
  return false;
}

bool has_exec(const Graph& graph) {
  for (const auto& [handle, exec] : live().own_execs)
    if (exec->graph.copied_from == graph.id) return true;
  return false;
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

Exec::Exec(const Graph& from, unsigned long long with)
    : graph(from), flags(with), order(graph.in_order()) {}

cudaError_t run(Session& session, const std::vector<Node*>& order, const Stream& stream) {
  for (const Node* node : order) {
    if (!node->enabled) continue;
    if (cudaError_t error = perform(session, stream, node->work)) return error;
  }
  return cudaSuccess;
}

cudaGraphNodeType type_of(const Work& work) {
  static constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeEmpty,     cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,    cudaGraphNodeTypeHost,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,     cudaGraphNodeTypeGraph};
  static_assert(std::variant_size_v<Work> == std::size(types));
  return types[work.index()];
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

Exec* adopt(std::shared_ptr<Exec> exec) {
  Exec* handle = exec.get();
  live().own_execs[handle] = std::move(exec);
  return handle;
}

std::shared_ptr<Exec> held(const Exec* exec) {
  auto found = live().own_execs.find(exec);
  return found == live().own_execs.end() ? nullptr : found->second;
}

// Extracted first: its end may call the program's own functions, which runs unlocked.
bool abandon(const Exec* exec) { return !live().own_execs.extract(exec).empty(); }

bool is_live(const Graph* graph) { return live().graphs.count(graph) > 0; }
bool is_live(const Node* node) { return live().nodes.count(node) > 0; }

}  // namespace headroom::cudart
