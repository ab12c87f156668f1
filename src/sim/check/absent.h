// Barriers of a whole block that some of its threads never come to, because they have ended. The
// hardware lets the others go on. Those that left at the kernel's beginning, as a guard makes them, are
// not told: only threads that were at that barrier before.
//
//   for (…) if (i < size) { sum += in[i]; __syncthreads(); }     barrier_ended, in the last round
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "record/finding.h"
#include "sim/program.h"

namespace headroom::sim::check {

class Absent {
 public:
  void begin(const Program&);  // a launch
  void arrived(const Warp&, uint32_t barrier);
  void released(const BlockState&, uint32_t barrier);
  std::vector<Finding> finish();

 private:
  struct Visited {
    uint64_t place;               // of the source, so that rounds of an unrolled loop are one
    std::vector<uint32_t> lanes;  // by warp
  };
  struct OfBlock {
    uint64_t linear = ~0ull;
    std::vector<Visited> barriers;
    std::vector<uint32_t> at;  // by barrier: the instruction at which threads arrived last
  };
  uint64_t place_of(uint32_t instruction) const;

  const Program* program_ = nullptr;
  std::unordered_map<const BlockState*, OfBlock> blocks_;
  std::unordered_map<uint32_t, size_t> told_;  // by instruction
  std::vector<Finding> findings_;
};

}  // namespace headroom::sim::check
