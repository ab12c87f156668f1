#include "device/event.h"

namespace headroom::device {

// The resolution CUDA documents for events; each record passes it, so that no two read the same
// time.
constexpr double tick = 0.5e-6;

void record(Session& session, Event& event) {
  session.clock += tick;
  event.when = session.clock;
  event.recorded = true;
  event.capture = nullptr;
  event.after.clear();
}

Event& create_event(Session& session, unsigned flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  event->device = current_device();
  Event& made = *event;
  session.events.emplace(&made, std::move(event));
  return made;
}

}  // namespace headroom::device
