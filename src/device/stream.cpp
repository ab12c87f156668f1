#include "device/stream.h"

#include <algorithm>

#include "device/capture.h"
#include "device/host_function.h"

namespace headroom::device {
namespace {

thread_local bool null_is_per_thread = false;

constexpr uint64_t legacy_id = 1, per_thread_id = 2;

}  // namespace

Stream& create_stream(Session& session, unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = clamped_priority(priority);
  stream->id = session.next_stream_id++;
  stream->device = current_device();
  stream->context = current_context();
  Stream& made = *stream;
  session.streams.emplace(&made, std::move(stream));
  return made;
}

bool is_blocking(const Stream& stream) { return !stream.legacy && !(stream.flags & non_blocking); }

int clamped_priority(int priority) {
  return std::clamp(priority, highest_priority, lowest_priority);
}

NullIsPerThread::NullIsPerThread() : before_(null_is_per_thread) { null_is_per_thread = true; }
NullIsPerThread::~NullIsPerThread() { null_is_per_thread = before_; }

Status destroy_stream(Session& session, const void* handle) {
  auto found = session.streams.find(handle);
  if (found == session.streams.end()) return Status::invalid_handle;
  wait_for_host_functions(session, *found->second);
  found = session.streams.find(handle);
  if (found == session.streams.end()) return Status::invalid_handle;
  leave_capture(session, *found->second);
  session.timeline.destroyed(*found->second);
  session.streams.erase(found);
  return Status::ok;
}

Stream* find_stream(Session& session, const void* handle) {
  if (handle && handle != legacy_stream && handle != per_thread_stream) {
    auto found = session.streams.find(handle);
    return found == session.streams.end() ? nullptr : found->second.get();
  }
  const bool legacy = handle ? handle == legacy_stream : !null_is_per_thread;
  Stream& stream = legacy ? session.legacy_streams[current_device()]
                          : session.per_thread_streams[std::this_thread::get_id()];
  stream.legacy = legacy;
  stream.device = current_device();
  stream.context = current_context();
  stream.id = legacy ? legacy_id : per_thread_id;
  return &stream;
}

}  // namespace headroom::device
