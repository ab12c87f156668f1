// Pools of ordered allocation: what they hold, and what they keep of it between uses.
#pragma once
#include "cudart/api.h"
#include "device/session.h"

namespace headroom::cudart {

struct Pool {
  cudaMemPoolProps props{};
  int device = 0;
  bool is_default = false;
  uint64_t used = 0, used_high = 0;          // bytes
  uint64_t reserved = 0, reserved_high = 0;  // taken from the device
  uint64_t threshold = 0;                    // what it may keep when nobody uses it
  int reuse[3] = {1, 1, 1};                  // follow events, opportunistic, internal dependencies
  std::map<int, cudaMemAccessFlags> access;  // of other devices

  void take(uint64_t bytes);
  void give(uint64_t bytes);
  void trim(uint64_t keep);
};

// A device's current pool.
std::shared_ptr<Pool> pool_of(Session&, int device);
cudaError_t allocate_from(Session&, const std::shared_ptr<Pool>&, void** out, size_t bytes);
// A wait for the device: pools give back what is above their threshold.
void settle_pools(Session&);

}  // namespace headroom::cudart
