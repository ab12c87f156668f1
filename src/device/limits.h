// Limits of a device that a program sets: cudaDeviceSetLimit, cuCtxSetLimit. Numbered as both have
// them.
//
//   limit_of(session, 0, Limit::heap)   8 388 608, what an H200 has before anything is set
#pragma once
#include <cstdint>

#include "device/session.h"

namespace headroom::device {

enum class Limit : int { stack, printf, heap, depth, pending_launches, l2_fetch, persisting_l2 };

uint64_t limit_of(const Session&, int device, Limit);

}  // namespace headroom::device
