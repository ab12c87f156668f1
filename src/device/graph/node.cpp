// Nodes made by hand and changed.
#include "device/graph/exec.h"

namespace headroom::device {
namespace {

// Whether a node of the graph may free what a node of it or of another one allocates. As a driver of CUDA 13.0
// answers: the graph that allocates, before it was first instantiated, or afterwards another one, and no graph twice.
bool may_release(const Graph& graph, uint64_t address) {
  if (graph.releases(address)) return false;
  if (graph.allocates(address)) return !graph.instantiated;
  for (const auto& [other, own] : held_graphs())
    if (other->allocates(address)) return other->instantiated && !other->releases(address);
  for (const auto& [handle, exec] : held_execs())  // its graph may be destroyed by now
    if (exec->graph.allocates(address)) return !exec->graph.releases(address);
  return false;
}

}  // namespace

NodeType type_of(const Work& work) {
  static constexpr NodeType types[] = {NodeType::empty,   NodeType::empty, NodeType::kernel,
                                       NodeType::copy,    NodeType::fill,  NodeType::host,
                                       NodeType::record,  NodeType::wait,  NodeType::allocate,
                                       NodeType::release, NodeType::graph, NodeType::graph};
  static_assert(std::variant_size_v<Work> == std::size(types));
  return types[work.index()];
}

Status add_node(Graph& graph, Work work, std::vector<Edge> before, Node*& out) {
  const auto* release = std::get_if<ReleaseWork>(&work);
  if (release && !may_release(graph, release->address)) return Status::invalid_value;
  out = graph.add(std::move(work), std::move(before));
  return Status::ok;
}

void copy_attributes(KernelWork& to, const KernelWork& from) {
  to.attributes = from.attributes;
  to.shape.cooperative = from.shape.cooperative;
  to.shape.cluster = from.shape.cluster;
  to.shape.carveout = from.shape.carveout;
  to.preferred = from.preferred;
}

Status replace_work(Node& node, Work work) {
  if (type_of(work) != type_of(node.work)) return Status::invalid_value;
  if (auto* kernel = std::get_if<KernelWork>(&work)) {
    const auto& before = std::get<KernelWork>(node.work);
    copy_attributes(*kernel, before);
    kernel->device = before.device;
  }
  node.work = std::move(work);
  return Status::ok;
}

bool can_be_disabled(const Node& node) {
  return std::holds_alternative<KernelWork>(node.work) ||
         std::holds_alternative<CopyWork>(node.work) || std::holds_alternative<FillWork>(node.work);
}

Status set_enabled(Node& node, bool enabled) {
  if (!can_be_disabled(node)) return Status::invalid_value;
  node.enabled = enabled;
  return Status::ok;
}

Status child_of(const Graph& graph, ChildWork& out) {
  if (graph.has_memory()) return Status::not_supported;
  out.graph = std::make_shared<Graph>(graph);
  return Status::ok;
}

}  // namespace headroom::device
