#include "device/submit.h"

#include "device/capture.h"
#include "device/graph/graph.h"
#include "device/host_function.h"
#include "device/queue.h"

namespace headroom::device {

Status submit(Session& session, Stream& stream, Work work) {
  if (std::holds_alternative<NoWork>(work)) return Status::ok;
  if (!stream.capture) return perform(session, stream, work);
  if (stream.capture->spoilt) return Status::capture_invalidated;
  std::vector<Edge> before;
  for (Node* node : stream.last) before.push_back({node, {}});
  stream.last = {stream.capture->graph->add(std::move(work), std::move(before))};
  return Status::ok;
}

Status enqueue(Session& session, const void* handle, const Maker& make) {
  Stream* stream = find_stream(session, handle);
  if (!stream) return Status::invalid_handle;
  refuse_implicit(session, *stream, "work on the default stream");
  if (stream->capture && stream->capture->spoilt) return Status::capture_invalidated;
  Work work;
  if (const Status status = make(session, work); failed(status)) return status;
  if (!stream->capture && is_busy(session, *stream)) {
    if (can_be_put_off(session, work)) {
      put_off(session, *stream, std::move(work));
      return Status::ok;
    }
    wait_for_host_functions(session, *stream);
    if (!(stream = find_stream(session, handle))) return Status::invalid_handle;
  }
  return submit(session, *stream, std::move(work));
}

Status at_once(Session& session, const char* call, const Maker& make) {
  Stream& stream = *find_stream(session, nullptr);
  refuse_capture(session, stream, call);
  refuse_unsafe(session, call);
  wait_for_host_functions(session, stream);
  Work work;
  if (const Status status = make(session, work); failed(status)) return status;
  return perform(session, stream, work);
}

}  // namespace headroom::device
