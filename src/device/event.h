// Events: times on the session's clock.
#pragma once
#include "device/session.h"

namespace headroom::device {

Event& create_event(Session&, unsigned flags);  // its address is its handle
void record(Session&, Event&);
Status destroy_event(Session&, const void* handle);
// Between two that were recorded and keep times; not_ready where one is put off. `call`: who asks.
Status elapsed(Session&, const void* first, const void* last, const char* call,
               float& milliseconds);

inline constexpr unsigned without_times = 2;  // an event's flag, as both faces number it

}  // namespace headroom::device
