// The calls that begin, ask about, steer and end the capture of streams.
#include "device/capture.h"

#include <algorithm>
#include <utility>

#include "cudart/enqueue.h"
#include "cudart/graph/graph.h"

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
    if (!is_node_of(graph, node)) return false;
    if (std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
  }
  return true;
}

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode, const cudaGraph_t* given,
                  const cudaGraphNode_t* nodes, size_t count) {
  return call([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    Graph* into = given ? graph_of(*given) : nullptr;
    std::vector<Node*> after;
    if (!is_mode(mode) || (given && (!is_live(into) || !read_nodes(*into, nodes, count, after))))
      return cudaErrorInvalidValue;
    return code_of(begin_capture(session, *stream, CaptureMode(mode), into, std::move(after)));
  });
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->spoilt ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
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
    Graph* graph = nullptr;
    const Status status = end_capture(session, *stream, graph);
    if (out) *out = handle_of(graph);
    return code_of(status);
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
    if (graph) *graph = handle_of(stream->capture->graph);
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
    if (!read_nodes(*stream->capture->graph, nodes, count, last)) return cudaErrorInvalidValue;
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
    if (!stream) return cudaErrorInvalidResourceHandle;
    return code_of(follow_event(session, *stream, event, flags == cudaEventWaitExternal));
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned flags) {
  return call([&](Session& session) {
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return code_of(record_event(session, *stream, event, flags == cudaEventRecordExternal));
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
}
