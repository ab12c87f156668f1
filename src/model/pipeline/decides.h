// Whether what an instruction gives decides how often the warps go round a loop: as a number drawn from a counter does, and a place
// in a list where results are put does not.
//
//   ATOMG.ADD R5, …;  ISETP.GE P0, R5, R2;  @P0 EXIT        true
//   ATOMG.ADD R5, …;  IMAD.WIDE R6, R5, 4, R8;  STG [R6]    false
#pragma once
#include <cstdint>
#include <set>

#include "record/trace.h"

namespace headroom {

class LoopDecisions {
 public:
  explicit LoopDecisions(const Trace&);
  bool decides(uint32_t instruction) const;

 private:
  const Trace& trace_;
  std::set<uint32_t> ends_;  // of loops that the traced warps went round
};

}  // namespace headroom
