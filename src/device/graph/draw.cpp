// A graph as a drawing for Graphviz.
//
//   digraph dot {
//   subgraph cluster_1 {
//   label="graph_1" graph[style="dashed"];
//   "graph_1_node_0"[shape="box" label="0\nmemcpy"];
//   "graph_1_node_1"[shape="box" label="1\nkernel\nscale(float*, int)\n<<<4, 256, 0>>>"];
//   "graph_1_node_0" -> "graph_1_node_1";
//   }
//   }
#include <fmt/format.h>

#include <cstdio>

#include "device/graph/graph.h"
#include "kernel/kernel.h"

namespace headroom::device {
namespace {

using Names = std::map<const Node*, std::string>;

const char* word_of(NodeType type) {
  switch (type) {
    case NodeType::kernel: return "kernel";
    case NodeType::copy: return "memcpy";
    case NodeType::fill: return "memset";
    case NodeType::host: return "host";
    case NodeType::graph: return "child graph";
    case NodeType::wait: return "event wait";
    case NodeType::record: return "event record";
    case NodeType::allocate: return "memory allocation";
    case NodeType::release: return "memory free";
    case NodeType::empty: break;
  }
  return "empty";
}

std::string text(Dim3 d) {
  return d.y * d.z == 1 ? fmt::format("{}", d.x) : fmt::format("({},{},{})", d.x, d.y, d.z);
}

std::string details(const Work& work) {
  if (auto* kernel = std::get_if<KernelWork>(&work)) {
    const LaunchShape& shape = kernel->shape;
    const Kernel* found = registry().kernel(kernel->function);
    return fmt::format("\\n{}\\n<<<{}, {}, {}>>>", found ? demangle(found->name) : "?",
                       text(shape.grid), text(shape.block), shape.dynamic_shared);
  }
  if (auto* copy = std::get_if<CopyWork>(&work))
    return fmt::format("\\n{} -> {}\\n{} x {} x {} bytes", copy->from.memory.pointer,
                       copy->to.memory.pointer, copy->extent.width, copy->extent.height,
                       copy->extent.depth);
  if (auto* fill = std::get_if<FillWork>(&work))
    return fmt::format("\\n{} = {}\\n{} x {} bytes", fill->to.pointer, fill->value,
                       fill->extent.width, fill->extent.height);
  return "";
}

std::string drawing_of(const Graph& graph, bool with_details) {
  std::string out = fmt::format(
      "subgraph cluster_{0} {{\nlabel=\"graph_{0}\" graph[style=\"dashed\"];\n", graph.id);
  Names names;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    names[&node] = fmt::format("graph_{}_node_{}", graph.id, i);
    out += fmt::format("\"{}\"[shape=\"box\" label=\"{}\\n{}{}\"];\n", names[&node], i,
                       word_of(type_of(node.work)), with_details ? details(node.work) : "");
    if (auto* child = std::get_if<ChildWork>(&node.work))
      out += drawing_of(*child->graph, with_details);
  }
  for (const auto& node : graph.nodes)
    for (const Edge& edge : node->before)
      out += fmt::format("\"{}\" -> \"{}\";\n", names[edge.from], names[node.get()]);
  return out + "}\n";
}

}  // namespace

Status draw(const Graph& graph, const char* path, bool with_details) {
  const std::string drawing = "digraph dot {\n" + drawing_of(graph, with_details) + "}\n";
  std::FILE* file = std::fopen(path, "w");
  if (!file) return Status::operating_system;
  const bool written = std::fwrite(drawing.data(), 1, drawing.size(), file) == drawing.size();
  return std::fclose(file) == 0 && written ? Status::ok : Status::operating_system;
}

}  // namespace headroom::device
