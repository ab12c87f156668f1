// The API's pools of ordered allocation.
#pragma once
#include "cudart/api.h"
#include "device/pool.h"
#include "device/session.h"

namespace headroom::cudart {

// A device's current pool.
std::shared_ptr<Pool> pool_of(Session&, int device);
cudaError_t allocate_from(Session&, const std::shared_ptr<Pool>&, void** out, size_t bytes);
// A wait for the device: pools give back what is above their threshold.
void settle_pools(Session&);

}  // namespace headroom::cudart
