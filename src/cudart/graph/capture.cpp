// The calls that begin, ask about, steer and end the capture of streams.
#include "device/capture.h"

#include "cudart/enqueue.h"
#include "cudart/graph/graph.h"

using namespace headroom::cudart;
namespace {

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode,
                  const cudaGraph_t* into = nullptr, const cudaGraphNode_t* nodes = nullptr,
                  size_t count = 0) {
  return call([&](Session& session) {
    return code_of(begin_capture(session, stream, mode, reinterpret_cast<Graph* const*>(into),
                                 nodes_of(nodes), count));
  });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin(stream, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* nodes, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode mode) {
  return begin(stream, mode, &graph, nodes, count);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
  return call([&](Session& session) {
    if (!find_stream(session, stream)) return cudaErrorInvalidResourceHandle;
    Graph* graph = nullptr;
    const Status status = end_capture(session, stream, graph);
    if (out) *out = handle_of(graph);
    return code_of(status);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* out) {
  return call([&](Session& session) {
    if (!out) return cudaErrorInvalidValue;
    CaptureState state;
    const Status status = ask_capture(session, stream, "cudaStreamIsCapturing", state);
    if (!failed(status)) *out = cudaStreamCaptureStatus(state.kind);
    return code_of(status);
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** data,
                                     size_t* count) {
  return call([&](Session& session) {
    if (!status) return cudaErrorInvalidValue;
    CaptureState state;
    const Status asked = ask_capture(session, stream, "cudaStreamGetCaptureInfo", state);
    if (failed(asked)) return code_of(asked);
    *status = cudaStreamCaptureStatus(state.kind);
    if (state.kind != CaptureState::active) return cudaSuccess;
    const auto& [capture, last] = std::tie(state.stream->capture, state.stream->last);
    if (id) *id = capture->id;
    if (graph) *graph = handle_of(capture->graph);
    if (nodes) *nodes = reinterpret_cast<const cudaGraphNode_t*>(last.data());
    if (data) *data = nullptr;  // every dependency is the plain one
    if (count) *count = last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return call([&](Session& session) {
    if (!find_stream(session, stream)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    const bool instead = flags == cudaStreamSetCaptureDependencies;
    return code_of(follow_nodes(session, stream, nodes_of(nodes), count, instead));
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  int number = mode ? int(*mode) : -1;
  if (const Status status = exchange_capture_mode(number); failed(status))
    return fail(code_of(status));
  *mode = cudaStreamCaptureMode(number);
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
