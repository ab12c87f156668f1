// Events: times on the session's clock.
#pragma once
#include "cudart/session.h"

namespace headroom::cudart {

void record(Session&, Event&);

}  // namespace headroom::cudart
