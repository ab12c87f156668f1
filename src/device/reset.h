// A device as it was before its first use: all of it is freed, and its variables forget what they held.
// A fault stays: only a new process is rid of it.
#pragma once
#include "device/session.h"

namespace headroom::device {

void reset(Session&, int device);

}  // namespace headroom::device
