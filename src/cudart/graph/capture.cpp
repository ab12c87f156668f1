#include "cudart/graph/capture.h"

#include <fmt/format.h>

#include "device/host_function.h"

namespace headroom::cudart {
bool is_capturing(Session& session, cudaStream_t handle) {
  const Stream* stream = find_stream(session, handle);
  return stream && stream->capture;
}

cudaError_t submit(Session& session, Stream& stream, Work work) {
  if (std::holds_alternative<NoWork>(work)) return cudaSuccess;
  if (!stream.capture) return perform(session, stream, work);
  if (stream.capture->spoilt) return cudaErrorStreamCaptureInvalidated;
  std::vector<Edge> before;
  for (Node* node : stream.last) before.push_back({node});
  stream.last = {of_graph(*stream.capture).graph->add(std::move(work), std::move(before))};
  return cudaSuccess;
}

cudaError_t enqueue(cudaStream_t handle, const MakeWork& make) {
  return synchronising([&](Session& session) {
    Stream* stream = find_stream(session, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    refuse_implicit(session, *stream, "work on the default stream");
    if (stream->capture && stream->capture->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (!stream->capture) {
      wait_for_host_functions(session, *stream);
      if (!(stream = find_stream(session, handle))) return cudaErrorInvalidResourceHandle;
    }
    Work work;
    if (cudaError_t error = make(session, work)) return error;
    return submit(session, *stream, std::move(work));
  });
}

cudaError_t at_once(const char* call, const MakeWork& make) {
  return synchronising([&](Session& session) {
    Stream& stream = *find_stream(session, nullptr);
    refuse_capture(session, stream, call);
    refuse_unsafe(session, call);
    wait_for_host_functions(session, stream);
    Work work;
    if (cudaError_t error = make(session, work)) return error;
    return perform(session, stream, work);
  });
}

}  // namespace headroom::cudart
