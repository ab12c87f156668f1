#include "device/wait.h"

#include "device/capture.h"
#include "device/host_function.h"
#include "device/pools.h"
#include "device/queue.h"
#include "device/stream.h"

namespace headroom::device {

Status wait_for_device(Session& session, const char* call) {
  refuse_captures(session, call);
  wait_for_host_functions(session, current_device());
  session.timeline.host_waits(current_device());
  session.journal.wait({"wait_for_device", current_device()});
  settle_pools(session);
  return Status::ok;
}

Status wait_for_stream(Session& session, const void* handle, const char* call) {
  Stream* stream = find_stream(session, handle);
  if (!stream) return Status::invalid_handle;
  refuse_capture(session, *stream, call);
  wait_for_host_functions(session, *stream);
  if ((stream = find_stream(session, handle))) {
    session.timeline.host_waits(*stream);
    session.journal.wait({"wait_for_stream", stream->device, number_of(*stream)});
  }
  settle_pools(session);
  return Status::ok;
}

Status ask_stream(Session& session, const void* handle, const char* call) {
  Stream* stream = find_stream(session, handle);
  if (!stream) return Status::invalid_handle;
  refuse_capture(session, *stream, call);
  if (is_busy(session, *stream)) return Status::not_ready;
  session.timeline.host_waits(*stream);
  settle_pools(session);
  return Status::ok;
}

namespace {

Status check_event(Session& session, const void* handle, const char* call) {
  auto found = session.events.find(handle);
  if (found == session.events.end()) return no_such(session, handle);
  refuse_captured(session, *found->second, call);
  refuse_unsafe(session, call);
  return Status::ok;
}

void note_waited(Session& session, const void* handle) {
  const auto found = session.events.find(handle);
  if (found != session.events.end()) session.timeline.host_waits(found->second->order);
}

}  // namespace

Status wait_for_event(Session& session, const void* handle, const char* call) {
  if (const Status status = check_event(session, handle, call); failed(status)) return status;
  if (is_put_off(session, handle)) wait_until([&] { return !is_put_off(session, handle); });
  note_waited(session, handle);
  if (const auto found = session.events.find(handle); found != session.events.end())
    session.journal.wait(
        {.what = "wait_for_event", .device = current_device(), .after = found->second->work});
  settle_pools(session);
  return Status::ok;
}

Status ask_event(Session& session, const void* handle, const char* call) {
  if (const Status status = check_event(session, handle, call); failed(status)) return status;
  if (is_put_off(session, handle)) return Status::not_ready;
  note_waited(session, handle);
  settle_pools(session);
  return Status::ok;
}

}  // namespace headroom::device
