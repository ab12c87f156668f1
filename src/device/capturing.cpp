// Captures begun, joined, left and ended (capture.h).
#include <algorithm>

#include "device/capture.h"
#include "device/graph/edges.h"
#include "device/host_function.h"
#include "device/queue.h"
#include "device/submit.h"

namespace headroom::device {
namespace {

// Whether all that the capture's streams did is waited for by the stream it began on.
bool is_joined(const Capture& capture) {
  std::set<const Node*> reached;
  std::vector<const Node*> open(capture.origin->last.begin(), capture.origin->last.end());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    for (const Edge& edge : node->before) open.push_back(edge.from);
  }
  const auto waited_for = [&](const std::vector<Node*>& nodes) {
    return std::ranges::all_of(nodes, [&](const Node* node) { return reached.count(node) > 0; });
  };
  return waited_for(capture.left) &&
         std::ranges::all_of(capture.streams,
                             [&](const Stream* stream) { return waited_for(stream->last); });
}

// A stream comes into a capture, or goes on in it, after the nodes that an event stands for.
void join(Stream& stream, const Event& event) {
  if (!stream.capture) {
    stream.capture = event.capture;
    event.capture->streams.insert(&stream);
  }
  if (stream.capture != event.capture) {
    event.capture->spoilt = true;
    spoil(*stream.capture, Status::capture_merge, "cudaStreamWaitEvent",
          "the event belongs to another capture");
  }
  for (Node* node : event.after)
    if (is_live(node) && std::ranges::find(stream.last, node) == stream.last.end())
      stream.last.push_back(node);
}

Status begin(Session& session, Stream& stream, CaptureMode mode, Graph* into,
             std::vector<Node*> after) {
  if (stream.legacy) return Status::capture_unsupported;
  if (stream.capture) return Status::illegal_state;
  auto capture = std::make_shared<Capture>();
  if (!into) capture->own = std::make_unique<Graph>();
  capture->graph = into ? into : capture->own.get();
  static uint64_t next_id = 1;
  capture->id = next_id++;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->streams = {&stream};
  stream.last = std::move(after);
  stream.capture = capture;
  session.captures.push_back(std::move(capture));
  return Status::ok;
}

Status end(Session& session, Stream& stream, Graph*& out) {
  if (!stream.capture) return Status::illegal_state;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id())
    return Status::capture_wrong_thread;
  if (capture->origin != &stream) {
    capture->spoilt = true;
    return Status::capture_unmatched;
  }
  const bool joined = is_joined(*capture);
  stop_capture(session, *capture);
  if (capture->spoilt) return Status::capture_invalidated;
  if (!joined) return Status::capture_unjoined;
  out = capture->own ? adopt(std::move(capture->own)) : capture->graph;
  return Status::ok;
}

}  // namespace

Status begin_capture(Session& session, const void* handle, int mode, Graph* const* into,
                     Node* const* nodes, size_t count) {
  Stream* stream = find_stream(session, handle);
  if (!stream) return Status::invalid_handle;
  std::vector<Node*> after;
  if (!is_capture_mode(mode)) return Status::invalid_value;
  if (into && (!is_live(*into) || !read_nodes(**into, nodes, count, after)))
    return Status::invalid_value;
  return begin(session, *stream, CaptureMode(mode), into ? *into : nullptr, std::move(after));
}

Status end_capture(Session& session, const void* handle, Graph*& out) {
  Stream* stream = find_stream(session, handle);
  return stream ? end(session, *stream, out) : Status::invalid_handle;
}

Status ask_capture(Session& session, const void* handle, const char* call, CaptureState& out) {
  out.stream = find_stream(session, handle);
  if (!out.stream) return Status::invalid_handle;
  refuse_implicit(session, *out.stream, call, true);
  const auto& capture = out.stream->capture;
  out.kind = !capture          ? CaptureState::none
             : capture->spoilt ? CaptureState::spoilt
                               : CaptureState::active;
  return Status::ok;
}

Status follow_nodes(Session& session, const void* handle, Node* const* nodes, size_t count,
                    bool instead) {
  Stream* stream = find_stream(session, handle);
  if (!stream) return Status::invalid_handle;
  if (!stream->capture) return Status::illegal_state;
  if (stream->capture->spoilt) return Status::capture_invalidated;
  std::vector<Node*> last;
  if (!instead) last = stream->last;
  if (!read_nodes(*stream->capture->graph, nodes, count, last)) return Status::invalid_value;
  stream->last = std::move(last);
  return Status::ok;
}

void stop_capture(Session& session, Capture& capture) {
  for (Stream* stream : capture.streams) {
    stream->capture = nullptr;
    stream->last.clear();
  }
  capture.streams.clear();
  capture.ended = true;
  std::erase_if(session.captures, [&](const auto& one) { return one.get() == &capture; });
}

void leave_capture(Session& session, Stream& gone) {
  const std::shared_ptr<Capture> capture = gone.capture;
  if (!capture) return;
  capture->left.insert(capture->left.end(), gone.last.begin(), gone.last.end());
  capture->streams.erase(&gone);
  if (capture->origin != &gone) return;
  capture->spoilt = true;  // nobody can end it well
  stop_capture(session, *capture);
}

Status record_event(Session& session, Stream& stream, const void* handle, bool external) {
  auto found = session.events.find(handle);
  if (found == session.events.end() || found->second->context != stream.context)
    return Status::invalid_handle;
  refuse_implicit(session, stream, "cudaEventRecord");
  if (external && !stream.capture) return Status::illegal_state;
  if (!stream.capture && is_busy(session, stream)) {
    put_off(session, stream, RecordWork{handle});
    return Status::ok;
  }
  if (!stream.capture || external) return submit(session, stream, RecordWork{handle});
  if (stream.capture->spoilt) return Status::capture_invalidated;
  found->second->capture = stream.capture;
  found->second->after = stream.last;
  return Status::ok;
}

Status follow_event(Session& session, Stream& stream, const void* handle, bool external) {
  auto found = session.events.find(handle);
  if (found == session.events.end()) return no_such(session, handle);
  const Event& event = *found->second;
  refuse_implicit(session, stream, "cudaStreamWaitEvent");
  if (stream.capture && stream.capture->spoilt) return Status::capture_invalidated;
  if (external)
    return stream.capture ? submit(session, stream, WaitWork{handle}) : Status::illegal_state;
  if (event.capture && event.capture->ended) return Status::captured_event;
  if (event.capture && stream.legacy)
    spoil(*event.capture, Status::capture_implicit, "cudaStreamWaitEvent",
          "the default stream cannot be captured");
  if (event.capture)
    join(stream, event);
  else if (stream.capture && event.recorded)
    spoil(*stream.capture, Status::capture_isolation, "cudaStreamWaitEvent",
          "the event was recorded outside of the capture");
  else if (is_put_off(session, handle))
    put_off(session, stream, WaitWork{handle});
  else
    session.timeline.follow(stream, event.order);
  return Status::ok;
}

}  // namespace headroom::device
