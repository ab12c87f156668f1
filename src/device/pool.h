// A pool of ordered allocation: what it holds, what it keeps of it between uses, and who may use it.
//
//   pool.take(100)      used 512, reserved 32 MiB
//   pool.give(100)      used 0, reserved as before, until the next trim
#pragma once
#include <cstdint>
#include <set>

namespace headroom::device {

struct Pool {
  int device = 0;
  bool is_default = false;
  uint64_t used = 0, used_high = 0;          // bytes
  uint64_t reserved = 0, reserved_high = 0;  // taken from the device
  uint64_t threshold = 0;                    // what it may keep when nobody uses it
  uint64_t most = 0;                         // bytes it may hold; 0: as many as the device
  int reuse[3] = {1, 1, 1};  // follow events, opportunistic, internal dependencies: told again only
  std::set<int> readers;     // other devices with access

  bool has_room(uint64_t bytes) const;
  void take(uint64_t bytes);
  void give(uint64_t bytes);
  void trim(uint64_t keep);
};

}  // namespace headroom::device
