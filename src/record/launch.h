// The noun in the middle: what one <<<>>> asks for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct Launch {
  std::string kernel;  // as in the PTX (mangled)
  Dim3 grid, block;
  uint64_t dynamic_shared = 0;       // bytes per block
  std::vector<std::byte> arguments;  // the parameter buffer, laid out as the kernel declares
  int device = 0;
  uint64_t stream = 0;
  Dim3 cluster;              // blocks that run together and see each other's shared memory
  bool in_clusters = false;  // the launch or the kernel asks for clusters, if only of one block
  bool cooperative = false;  // all blocks run at once and may wait for one another
};

}  // namespace headroom
