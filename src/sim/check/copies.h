// Asynchronous copies (cp.async) that nobody waited for when their bytes were touched. The executor
// copies at once; on a GPU the bytes come whenever they come, until the thread that copies waits.
//
//   __pipeline_memcpy_async(&tile[t], &in[t], 4);  __pipeline_commit();
//   y = tile[t];                                   race_async_copy: no __pipeline_wait_prior(0)
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/finding.h"
#include "sim/observer.h"

namespace headroom::sim::check {

class Copies {
 public:
  void begin(const Program&);  // a launch
  void copy(const Access&);    // the side that writes shared memory
  void see(const Access&);     // any other access to it
  void commit(const Warp&);
  void wait(const Warp&, uint32_t groups_left);
  std::vector<Finding> finish();

 private:
  struct Lane {
    uint32_t begun = 0, done = 0;  // groups
  };
  struct Copy {
    uint32_t thread, group, instruction;
  };
  struct OfBlock {
    uint64_t linear = ~0ull;
    std::vector<Lane> lanes;                     // by thread
    std::unordered_map<uint64_t, Copy> pending;  // by word of shared memory
  };
  OfBlock& of(const Warp&);
  void note(const Access&, uint32_t lane, uint64_t address, const Copy&);

  const Program* program_ = nullptr;
  std::unordered_map<const BlockState*, OfBlock> blocks_;
  struct Seen {
    size_t number;
    Finding finding;
  };
  std::map<std::pair<uint32_t, uint32_t>, Seen> seen_;  // by both instructions
};

}  // namespace headroom::sim::check
