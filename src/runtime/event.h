// Events: times on the session's clock.
#pragma once
#include "runtime/session.h"

namespace headroom::runtime {

void record(Session&, Event&);

}  // namespace headroom::runtime
