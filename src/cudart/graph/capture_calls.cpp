// The calls that begin, ask about, steer and end the capture of streams.
#include <algorithm>
#include <utility>

#include "cudart/graph/capture.h"

using namespace headroom::cudart;
namespace {

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

// The nodes that the program names are nodes of the graph, each once.
bool read_nodes(const Graph& graph, const cudaGraphNode_t* nodes, size_t count,
                std::vector<Node*>& out) {
  if (count && !nodes) return false;
  for (size_t i = 0; i < count; ++i) {
    Node* node = node_of(nodes[i]);
    if (!is_live(node) || node->graph != &graph) return false;
    if (std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
  }
  return true;
}

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode, const cudaGraph_t* given,
                  const cudaGraphNode_t* nodes, size_t count) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!is_mode(mode)) return cudaErrorInvalidValue;
    if (stream->legacy) return cudaErrorStreamCaptureUnsupported;
    if (stream->capture) return cudaErrorIllegalState;
    Graph* into = given ? graph_of(*given) : nullptr;
    if (given && !is_live(into)) return cudaErrorInvalidValue;
    auto capture = std::make_shared<GraphCapture>();
    if (!into) capture->own = std::make_unique<Graph>();
    capture->graph = into ? into : capture->own.get();
    std::vector<Node*> last;
    if (!read_nodes(*capture->graph, nodes, count, last)) return cudaErrorInvalidValue;
    static uint64_t next_id = 1;
    capture->id = next_id++;
    capture->mode = CaptureMode(mode);
    capture->thread = std::this_thread::get_id();
    capture->origin = stream;
    capture->streams = {stream};
    stream->last = last;
    stream->capture = capture;
    session.captures.push_back(capture);
    return cudaSuccess;
  });
}

// Whether all that the capture's streams did is waited for by the stream it began on.
bool is_joined(const GraphCapture& capture) {
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

cudaError_t end(Session& session, Stream& stream, cudaGraph_t* out) {
  if (!stream.capture) return cudaErrorIllegalState;
  const auto capture = std::static_pointer_cast<GraphCapture>(stream.capture);
  if (capture->mode != CaptureMode::relaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  if (capture->origin != &stream) {
    capture->spoilt = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  const bool joined = is_joined(*capture);
  end_capture(session, *capture);
  if (capture->spoilt) return cudaErrorStreamCaptureInvalidated;
  if (!joined) return cudaErrorStreamCaptureUnjoined;
  if (out) *out = handle_of(capture->own ? adopt(std::move(capture->own)) : capture->graph);
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->spoilt ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
}

// A stream comes into a capture, or goes on in it, after the nodes that an event stands for.
cudaError_t join(Stream& stream, const Event& event) {
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
    if (is_live(node) &&
        std::find(stream.last.begin(), stream.last.end(), node) == stream.last.end())
      stream.last.push_back(node);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin(stream, mode, nullptr, nullptr, 0);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* nodes, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode mode) {
  return begin(stream, mode, &graph, nodes, count);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* out) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (out) *out = nullptr;
    return end(session, *stream, out);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* out) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!out) return cudaErrorInvalidValue;
    if (!stream) return cudaErrorInvalidResourceHandle;
    refuse_implicit(session, *stream, "cudaStreamIsCapturing", true);
    *out = status_of(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** data,
                                     size_t* count) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!status) return cudaErrorInvalidValue;
    if (!stream) return cudaErrorInvalidResourceHandle;
    refuse_implicit(session, *stream, "cudaStreamGetCaptureInfo", true);
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = stream->capture->id;
    if (graph) *graph = handle_of(of_graph(*stream->capture).graph);
    if (nodes) *nodes = reinterpret_cast<const cudaGraphNode_t*>(stream->last.data());
    if (data) *data = nullptr;  // every dependency is the plain one
    if (count) *count = stream->last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    if (!stream->capture) return cudaErrorIllegalState;
    if (stream->capture->spoilt) return cudaErrorStreamCaptureInvalidated;
    std::vector<Node*> last;
    if (flags == cudaStreamAddCaptureDependencies) last = stream->last;
    if (!read_nodes(*of_graph(*stream->capture).graph, nodes, count, last))
      return cudaErrorInvalidValue;
    stream->last = last;
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode || !is_mode(*mode)) return fail(cudaErrorInvalidValue);
  *mode = cudaStreamCaptureMode(std::exchange(capture_mode(), CaptureMode(*mode)));
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  return call([&](Session& session) {
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    Stream* stream = find_stream(session, handle);
    auto found = session.events.find(event);
    if (!stream || found == session.events.end()) return cudaErrorInvalidResourceHandle;
    const Event& what = *found->second;
    refuse_implicit(session, *stream, "cudaStreamWaitEvent");
    if (stream->capture && stream->capture->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (flags == cudaEventWaitExternal)
      return stream->capture ? submit(session, *stream, WaitWork{event}) : cudaErrorIllegalState;
    if (what.capture && what.capture->ended) return cudaErrorCapturedEvent;
    if (what.capture && stream->legacy)
      spoil(*what.capture, Status::capture_implicit, "cudaStreamWaitEvent",
            "the default stream cannot be captured");
    if (what.capture) return join(*stream, what);
    if (stream->capture && what.recorded)
      spoil(*stream->capture, Status::capture_isolation, "cudaStreamWaitEvent",
            "the event was recorded outside of the capture");
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned flags) {
  return call([&](Session& session) {
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    Stream* stream = find_stream(session, handle);
    auto found = session.events.find(event);
    if (!stream || found == session.events.end()) return cudaErrorInvalidResourceHandle;
    if (found->second->device != stream->device) return cudaErrorInvalidResourceHandle;
    refuse_implicit(session, *stream, "cudaEventRecord");
    if (flags == cudaEventRecordExternal && !stream->capture) return cudaErrorIllegalState;
    if (!stream->capture || flags == cudaEventRecordExternal)
      return submit(session, *stream, RecordWork{event});
    if (stream->capture->spoilt) return cudaErrorStreamCaptureInvalidated;
    found->second->capture = stream->capture;
    found->second->after = stream->last;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
}
