// When registers are used again, in a stretch of operations or round a loop: what is used last makes room for others.
//
//   0 FFMA R0, R1, R2, R0   1 FADD R3, R1, R4      of R1 at 0: 1      of R0 at 0: never, round a loop 2
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/program.h"

namespace headroom::sim::compiled {

inline constexpr uint32_t row_bytes = 4 * lanes;  // a register of 4 bytes a lane

class Uses {
 public:
  static constexpr uint64_t never = ~0ull;

  Uses() = default;
  Uses(std::span<const Operation>, bool loop);
  // Of a register, by its operand, behind operation `now`; operations of further rounds count on.
  uint64_t next(uint32_t operand, uint64_t now) const;

 private:
  std::vector<uint64_t> of_;  // operand and operation, in order
  uint64_t round_ = 0;        // operations of one
  bool loop_ = false;
};

}  // namespace headroom::sim::compiled
