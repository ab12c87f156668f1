#include "device/event.h"

#include "device/capture.h"
#include "device/queue.h"

namespace headroom::device {
namespace {

const Event* find_event(const Session& session, const void* handle) {
  const auto found = session.events.find(handle);
  return found == session.events.end() ? nullptr : found->second.get();
}

bool is_timed(const Event* event) {
  return event && event->recorded && !(event->flags & without_times);
}

}  // namespace

// The resolution CUDA documents for events; each record passes it, so that no two read the same
// time.
constexpr double tick = 0.5e-6;

void record(Session& session, Event& event) {
  session.clock += tick;
  event.when = session.clock;
  event.work = session.journal.work();
  event.recorded = true;
  event.capture = nullptr;
  event.after.clear();
}

Event& create_event(Session& session, unsigned flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  event->context = current_context();
  Event& made = *event;
  session.events.emplace(&made, std::move(event));
  return made;
}

Status destroy_event(Session& session, const void* handle) {
  return session.events.erase(handle) ? Status::ok : no_such(session, handle);
}

Status elapsed(Session& session, const void* first, const void* last, const char* call,
               float& milliseconds) {
  const Event *from = find_event(session, first), *to = find_event(session, last);
  for (const Event* event : {from, to})
    if (event) refuse_captured(session, *event, call);
  if (is_put_off(session, first) || is_put_off(session, last)) return Status::not_ready;
  if (!is_timed(from) || !is_timed(to) || from->context != to->context)
    return Status::invalid_handle;
  session.journal.event_time(session.options.predicted_events);
  milliseconds = float((to->when - from->when) * 1e3);
  return Status::ok;
}

}  // namespace headroom::device
