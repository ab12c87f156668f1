#include "device/graph/edges.h"

#include <algorithm>

namespace headroom::device {
namespace {

EdgeData data_of(const EdgeRecord& from) { return {from.from_port, from.to_port, from.kind}; }

// Runs `change` for each pair of nodes named, all of the graph.
template <class Change>
Status change_edges(const Graph* graph, Node* const* from, Node* const* to, size_t count,
                    Change change) {
  if (!is_live(graph) || (count && (!from || !to))) return Status::invalid_value;
  for (size_t i = 0; i < count; ++i)
    if (!is_node_of(*graph, from[i]) || !is_node_of(*graph, to[i]) || from[i] == to[i])
      return Status::invalid_value;
  for (size_t i = 0; i < count; ++i)
    if (const Status status = change(from[i], *to[i], i); failed(status)) return status;
  return Status::ok;
}

}  // namespace

std::vector<Node*> all_nodes(const Graph& graph) {
  std::vector<Node*> all;
  for (const auto& node : graph.nodes) all.push_back(node.get());
  return all;
}

std::vector<Node*> roots(const Graph& graph) {
  std::vector<Node*> found = all_nodes(graph);
  std::erase_if(found, [](const Node* node) { return !node->before.empty(); });
  return found;
}

std::vector<Arrow> arrows(const Graph& graph) {
  std::vector<Arrow> all;
  for (const auto& node : graph.nodes)
    for (const Edge& edge : node->before) all.push_back({edge.from, node.get(), edge.data});
  return all;
}

std::vector<Arrow> arrows_into(Node& node) {
  std::vector<Arrow> found;
  for (const Edge& edge : node.before) found.push_back({edge.from, &node, edge.data});
  return found;
}

std::vector<Arrow> arrows_out_of(const Node& node) {
  std::vector<Arrow> found = arrows(*node.graph);
  std::erase_if(found, [&](const Arrow& arrow) { return arrow.from != &node; });
  return found;
}

void give(const std::vector<Node*>& found, Node** out, size_t* count) {
  if (out)
    for (size_t i = 0; i < *count; ++i) out[i] = i < found.size() ? found[i] : nullptr;
  *count = out ? std::min(*count, found.size()) : found.size();
}

Status give(const std::vector<Arrow>& found, Node** from, Node** to, EdgeRecord* data,
            size_t* count) {
  if (!data)
    for (const Arrow& arrow : found)
      if (arrow.data != EdgeData{}) return Status::lossy_query;
  const bool wanted = from || to;
  for (size_t i = 0; wanted && i < *count; ++i) {
    const Arrow arrow = i < found.size() ? found[i] : Arrow{};
    if (from) from[i] = arrow.from;
    if (to) to[i] = arrow.to;
    if (data) data[i] = {arrow.data.from_port, arrow.data.to_port, arrow.data.kind};
  }
  *count = wanted ? std::min(*count, found.size()) : found.size();
  return Status::ok;
}

bool read_nodes(const Graph& graph, Node* const* nodes, size_t count, std::vector<Node*>& out) {
  if (count && !nodes) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!is_node_of(graph, nodes[i])) return false;
    if (std::ranges::find(out, nodes[i]) == out.end()) out.push_back(nodes[i]);
  }
  return true;
}

bool read_edges(const Graph& graph, Node* const* nodes, const EdgeRecord* data, size_t count,
                std::vector<Edge>& out) {
  if (count && !nodes) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!is_node_of(graph, nodes[i]) || std::ranges::find(out, nodes[i], &Edge::from) != out.end())
      return false;
    out.push_back({nodes[i], data ? data_of(data[i]) : EdgeData{}});
  }
  return true;
}

Status add_edges(const Graph* graph, Node* const* from, Node* const* to, const EdgeRecord* data,
                 size_t count) {
  return change_edges(graph, from, to, count, [&](Node* first, Node& second, size_t i) {
    if (std::ranges::find(second.before, first, &Edge::from) != second.before.end())
      return Status::invalid_value;
    second.before.push_back({first, data ? data_of(data[i]) : EdgeData{}});
    return Status::ok;
  });
}

Status remove_edges(const Graph* graph, Node* const* from, Node* const* to, size_t count) {
  return change_edges(graph, from, to, count, [&](Node* first, Node& second, size_t) {
    const auto same = [&](const Edge& edge) { return edge.from == first; };
    return std::erase_if(second.before, same) ? Status::ok : Status::invalid_value;
  });
}

}  // namespace headroom::device
