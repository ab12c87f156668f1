// Graphs of the simulated device below the API: order, copies, memory, updates, and captures.
#include <gtest/gtest.h>

#include <array>

#include "device/capture.h"
#include "device/event.h"
#include "device/graph/exec.h"
#include "device/graph/user_object.h"
#include "device/submit.h"

namespace headroom::device {
namespace {

FillWork fill_of(void* to, unsigned value) { return {{to, 4, 4, 1}, value, 4, {4, 1, 1}}; }
CopyWork copy_of(void* to, void* from) {
  return {{nullptr, {to, 4, 4, 1}, {}}, {nullptr, {from, 4, 4, 1}, {}}, {4, 1, 1}};
}

class Graphs : public testing::Test {
 protected:
  Session session{Options{.machine = "h200"}};
  uint64_t address = 0;
  uint32_t back = 0;
  Stream& stream = create_stream(session, non_blocking, 0);
  void* memory() {
    if (!address) (void)allocate(session, 64, Place::device, 0, address);
    return reinterpret_cast<void*>(address);
  }
};

TEST_F(Graphs, run_in_the_order_of_their_edges_not_of_their_making) {
  Graph graph;
  Node* copy = graph.add(copy_of(&back, memory()), {});
  Node* fill = graph.add(fill_of(memory(), 7), {});
  copy->before = {{fill, {}}};
  EXPECT_EQ(graph.in_order(), (std::vector<Node*>{fill, copy}));
  EXPECT_EQ(run(session, graph.in_order(), stream), Status::ok);
  EXPECT_EQ(back, 7u);
  fill->before = {{copy, {}}};
  EXPECT_TRUE(graph.in_order().empty());
  Exec* exec = nullptr;
  EXPECT_EQ(instantiate(graph, 0, exec), Status::invalid_value) << "a cycle";
}

TEST_F(Graphs, know_what_they_are_copies_of_and_which_handles_are_alive) {
  auto graph = std::make_unique<Graph>();
  Node* inner = nullptr;
  {
    Graph child;
    inner = child.add(EmptyWork{}, {});
    ChildWork work;
    ASSERT_EQ(child_of(child, work), Status::ok);
    inner = work.graph->nodes[0].get();
    graph->add(std::move(work), {});
  }
  const Graph copy(*graph);
  Node* found = const_cast<Graph&>(copy).copy_of(inner->id);
  ASSERT_TRUE(found);
  EXPECT_NE(found, inner);
  EXPECT_TRUE(is_live(inner));
  graph.reset();
  EXPECT_FALSE(is_live(inner));
  EXPECT_TRUE(is_live(found));
}

TEST_F(Graphs, are_updated_only_by_graphs_of_the_same_shape) {
  Graph graph;
  Node* first = graph.add(fill_of(memory(), 1), {});
  graph.add(copy_of(&back, memory()), {{first, {}}});
  Exec* exec = nullptr;
  ASSERT_EQ(instantiate(graph, 0, exec), Status::ok);

  Graph other;
  first = other.add(fill_of(memory(), 2), {});
  Node* second = other.add(copy_of(&back, memory()), {});
  Difference found = update(*exec, other);
  EXPECT_EQ(found.kind, Difference::Kind::topology);
  EXPECT_EQ(found.node, second);
  second->before = {{first, {}}};
  EXPECT_EQ(update(*exec, other).kind, Difference::Kind::none);
  EXPECT_EQ(launch(session, *exec, stream), Status::ok);
  EXPECT_EQ(back, 2u);
  second->work = EmptyWork{};
  EXPECT_EQ(update(*exec, other).kind, Difference::Kind::node_type);
  EXPECT_TRUE(abandon(exec));
  EXPECT_FALSE(held(exec));
}

TEST_F(Graphs, hold_their_memory_until_it_is_freed) {
  Graph graph;
  AllocateWork work;
  ASSERT_EQ(reserve(session, 100, work.memory), Status::ok);
  const uint64_t at = work.memory.begin;
  Node* node = nullptr;
  ASSERT_EQ(add_node(graph, std::move(work), {}, node), Status::ok);
  ChildWork child;
  EXPECT_EQ(child_of(graph, child), Status::not_supported);
  Exec *exec = nullptr, *second = nullptr;
  ASSERT_EQ(instantiate(graph, Exec::free_on_launch, exec), Status::ok);
  EXPECT_EQ(instantiate(graph, 0, second), Status::not_supported) << "one at a time";
  EXPECT_EQ(launch(session, *exec, stream), Status::ok);
  EXPECT_EQ(session.allocations.used(0), 100u);
  EXPECT_EQ(launch(session, *exec, stream), Status::ok) << "freed by the launch itself";
  EXPECT_EQ(add_node(graph, ReleaseWork{at}, {}, node), Status::invalid_value)
      << "another graph's to free, once it is instantiated";
  EXPECT_EQ(release(session, at), Status::ok);
  EXPECT_TRUE(abandon(exec));
}

TEST_F(Graphs, are_captured_from_streams_that_joined_through_events) {
  Stream& other = create_stream(session, non_blocking, 0);
  Event& event = create_event(session, 0);
  Graph* graph = nullptr;
  const Maker fill = [&](Session&, Work& work) {
    work = fill_of(memory(), 5);
    return Status::ok;
  };
  for (const bool joined : {true, false}) {
    ASSERT_EQ(begin_capture(session, &stream, int(CaptureMode::global)), Status::ok);
    EXPECT_EQ(enqueue(session, &stream, fill), Status::ok);
    EXPECT_EQ(record_event(session, stream, &event, false), Status::ok);
    EXPECT_EQ(follow_event(session, other, &event, false), Status::ok);
    EXPECT_EQ(enqueue(session, &other, fill), Status::ok);
    EXPECT_EQ(record_event(session, other, &event, false), Status::ok);
    if (joined) {
      EXPECT_EQ(follow_event(session, stream, &event, false), Status::ok);
    }
    EXPECT_EQ(end_capture(session, &stream, graph), joined ? Status::ok : Status::capture_unjoined);
  }
  ASSERT_EQ(graph->nodes.size(), 2u);
  EXPECT_EQ(graph->nodes[1]->before[0].from, graph->nodes[0].get());
  EXPECT_TRUE(abandon(graph));
}

TEST_F(Graphs, keep_objects_of_the_program) {
  int object = 0;
  UserObject* kept = create_object(
      &object, [](void*) {}, 3);
  Graph graph;
  EXPECT_EQ(keep(graph, *kept, 2, true), Status::ok);
  EXPECT_EQ(keep(graph, *kept, 2, true), Status::invalid_value) << "only one is the program's";
  EXPECT_EQ(release(*kept, 2), Status::invalid_value);
  {
    const Graph copy(graph);
    EXPECT_EQ(kept->references, 5u);
  }
  EXPECT_EQ(kept->references, 3u);
  EXPECT_EQ(let_go(graph, *kept, 2), Status::ok);
  EXPECT_TRUE(graph.kept.empty());
  EXPECT_TRUE(is_live(kept));
}

}  // namespace
}  // namespace headroom::device
