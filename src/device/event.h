// Events: times on the session's clock.
#pragma once
#include "device/session.h"

namespace headroom::device {

Event& create_event(Session&, unsigned flags);  // its address is its handle
void record(Session&, Event&);

}  // namespace headroom::device
