#include "device/graph/exec.h"

#include <algorithm>
#include <set>

namespace headroom::device {
namespace {

using Execs = std::map<const Exec*, std::shared_ptr<Exec>>;
Execs& execs() {
  static auto* only = new Execs;
  return *only;
}

// One made of that graph and not destroyed.
bool has_exec(const Graph& graph) {
  return std::ranges::any_of(
      execs(), [&](const auto& one) { return one.second->graph.copied_from == graph.id; });
}

// What the last launch left allocated stands in the way of the next one, unless the graph was told
// to free it.
Status prepare_memory(Session& session, const Exec& exec) {
  for (const Node* node : exec.order) {
    auto* allocate = std::get_if<AllocateWork>(&node->work);
    if (!allocate || !session.allocations.at(allocate->memory.begin)) continue;
    if (!(exec.flags & Exec::free_on_launch)) return Status::invalid_value;
    const Status status = release(session, allocate->memory.begin);
    if (failed(status)) return status;
  }
  return Status::ok;
}

size_t place_of(const Graph& graph, const Node* node) {
  size_t i = 0;
  while (graph.nodes[i].get() != node) ++i;
  return i;
}

std::set<size_t> places_before(const Node& node) {
  std::set<size_t> places;
  for (const Edge& edge : node.before) places.insert(place_of(*node.graph, edge.from));
  return places;
}

Difference difference(const Graph& old, const Graph& with);

// Node by node, in the order of their making.
Difference difference(const Node& old, Node& with) {
  using Kind = Difference::Kind;
  if (type_of(old.work) != type_of(with.work)) return {Kind::node_type, &with};
  if (places_before(old) != places_before(with)) return {Kind::topology, &with};
  if (auto* child = std::get_if<ChildWork>(&old.work))
    return difference(*child->graph, *std::get<ChildWork>(with.work).graph);
  if (auto* allocate = std::get_if<AllocateWork>(&old.work))
    if (allocate->memory.begin != std::get<AllocateWork>(with.work).memory.begin)
      return {Kind::parameters, &with};
  return {};
}

Difference difference(const Graph& old, const Graph& with) {
  if (old.nodes.size() != with.nodes.size()) return {Difference::Kind::topology};
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    const Difference found = difference(*old.nodes[i], *with.nodes[i]);
    if (found.kind != Difference::Kind::none) return found;
  }
  return {};
}

void take_over(Graph& graph, const Graph& from) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = *graph.nodes[i];
    const Node& with = *from.nodes[i];
    if (auto* child = std::get_if<ChildWork>(&node.work))
      take_over(*child->graph, *std::get<ChildWork>(with.work).graph);
    else
      node.work = with.work;
  }
}

}  // namespace

Exec::Exec(const Graph& from, uint64_t with) : graph(from), flags(with), order(graph.in_order()) {}

Status instantiate(Graph& graph, uint64_t flags, Exec*& out) {
  constexpr uint64_t known =
      Exec::free_on_launch | Exec::upload | Exec::device_launch | Exec::node_priority;
  if (flags & ~known) return Status::invalid_value;
  if (flags & Exec::device_launch)
    throw Failure{
        Status::not_supported,
        Error{"cudaGraphInstantiate", "graphs launched from the device are not supported yet",
              "launch the graph from the host"}};
  if (graph.has_memory() && has_exec(graph)) return Status::not_supported;  // one at a time
  auto exec = std::make_shared<Exec>(graph, flags);
  if (exec->order.size() != exec->graph.nodes.size()) return Status::invalid_value;  // a cycle
  graph.instantiated = true;
  out = exec.get();
  execs()[out] = std::move(exec);
  return Status::ok;
}

Status launch(Session& session, const Exec& exec, const Stream& stream) {
  const Status status = prepare_memory(session, exec);
  return failed(status) ? status : run(session, exec.order, stream);
}

Difference update(Exec& exec, const Graph& with) {
  const Difference found = difference(exec.graph, with);
  if (found.kind == Difference::Kind::none) take_over(exec.graph, with);
  return found;
}

std::shared_ptr<Exec> held(const Exec* exec) {
  auto found = execs().find(exec);
  return found == execs().end() ? nullptr : found->second;
}

// Extracted first: its end may call the program's own functions, which runs unlocked.
bool abandon(const Exec* exec) { return !execs().extract(exec).empty(); }

const Execs& held_execs() { return execs(); }

}  // namespace headroom::device
