// The calls that begin, ask about, steer and end the capture of streams.
#include "device/capture.h"

#include "driver/graph/graph.h"

namespace headroom::driver {
namespace {

CUresult begin(CUstream stream, CUstreamCaptureMode mode, const CUgraph* into = nullptr,
               const CUgraphNode* nodes = nullptr, size_t count = 0) {
  return in_context([&](Session& session) {
    return begin_capture(session, stream, mode, reinterpret_cast<Graph* const*>(into),
                         nodes_of(nodes), count);
  });
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return begin(stream, mode);
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* nodes,
                                     const CUgraphEdgeData*, size_t count,
                                     CUstreamCaptureMode mode) {
  return begin(stream, mode, &graph, nodes, count);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* out) {
  return in_context([&](Session& session) {
    Graph* graph = nullptr;
    const Status status = end_capture(session, stream, graph);
    if (out && status != Status::invalid_handle) *out = handle_of(graph);
    return status;
  });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* out) {
  return in_context([&](Session& session) {
    if (!out) return Status::invalid_value;
    CaptureState state;
    const Status status = ask_capture(session, stream, "cuStreamIsCapturing", state);
    if (!failed(status)) *out = CUstreamCaptureStatus(state.kind);
    return status;
  });
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** nodes,
                                const CUgraphEdgeData** data, size_t* count) {
  return in_context([&](Session& session) {
    if (!status) return Status::invalid_value;
    CaptureState state;
    const Status asked = ask_capture(session, stream, "cuStreamGetCaptureInfo", state);
    if (failed(asked)) return asked;
    *status = CUstreamCaptureStatus(state.kind);
    if (state.kind != CaptureState::active) return Status::ok;
    if (id) *id = state.stream->capture->id;
    if (graph) *graph = handle_of(state.stream->capture->graph);
    if (nodes) *nodes = reinterpret_cast<const CUgraphNode*>(state.stream->last.data());
    if (data) *data = nullptr;  // every dependency is the plain one
    if (count) *count = state.stream->last.size();
    return Status::ok;
  });
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, nullptr, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes,
                                           const CUgraphEdgeData*, size_t count, unsigned flags) {
  return in_context([&](Session& session) {
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return Status::invalid_value;
    const bool instead = flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES;
    return follow_nodes(session, stream, nodes_of(nodes), count, instead);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  int number = mode ? int(*mode) : -1;
  const Status status = exchange_capture_mode(number);
  if (!failed(status)) *mode = CUstreamCaptureMode(number);
  return code_of(status);
}
}
