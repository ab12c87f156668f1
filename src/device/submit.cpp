#include "device/submit.h"

#include "device/capture.h"
#include "device/graph/graph.h"
#include "device/host_function.h"
#include "device/host_memory.h"
#include "device/queue.h"
#include "device/stream.h"

namespace headroom::device {
namespace {

// Whether the program knows that a copy is over when the call returns: where it waits, if host memory takes
// part; else where host memory that is not pinned is written.
bool is_waited_for(const Session& session, const Work& work, bool at_once) {
  const auto* copy = std::get_if<CopyWork>(&work);
  if (!copy) return false;
  const auto kind = [&](const Side& side) {
    return side.array ? Pointed::Kind::device : look_up(session, side.memory.pointer).kind;
  };
  using Kind = Pointed::Kind;
  const Kind to = kind(copy->to), from = kind(copy->from);
  if (to == Kind::unknown) return true;
  return at_once && (to != Kind::device || from != Kind::device);
}

Status perform_here(Session& session, const Stream& stream, const Work& work, bool at_once) {
  const bool waited = (session.timeline.is_kept || session.journal.writes_actions()) &&
                      is_waited_for(session, work, at_once);
  const Status status = perform(session, stream, work);
  if (waited) {
    session.timeline.host_waits(stream);
    session.journal.wait({"wait_for_copy", stream.device, number_of(stream)});
  }
  return status;
}

}  // namespace

Status submit(Session& session, Stream& stream, Work work) {
  if (std::holds_alternative<NoWork>(work)) return Status::ok;
  if (!stream.capture) return perform_here(session, stream, work, false);
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
  return perform_here(session, stream, work, true);
}

}  // namespace headroom::device
