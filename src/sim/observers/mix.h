// What instructions a launch executed, by kind: how often each basic block was entered and by how
// many lanes. Instructions and operations are a multiplication at the end.
//
//   block 7 has 32 FMAs and was entered 8 times by 32 lanes: 256 warp instructions of fp32
#pragma once
#include <vector>

#include "record/counters.h"
#include "sim/observer.h"

namespace headroom::sim {

struct Mix : Ignore {
  using Ignore::on;
  std::vector<uint64_t> entries, lanes_entered;  // by basic block: times, lanes summed
  uint64_t guarded_float_operations[3] = {};     // behind a predicate: counted as they happen
  std::vector<uint64_t> reissued;                // by instruction of machine code
  uint64_t reissued_lanes = 0;

  [[gnu::always_inline]] void on(const Entered& event) {
    entries[event.basic_block] += 1;
    lanes_entered[event.basic_block] += event.lanes();
  }
  [[gnu::always_inline]] void on(const Guarded& event) {
    const Operation& operation = event.operation;
    const InstructionClass kind =
        operation.kind == InstructionClass::special ? InstructionClass::fp32 : operation.kind;
    if (kind <= InstructionClass::fp16)
      guarded_float_operations[int(kind)] += uint64_t(operation.float_operations) * event.lanes();
  }
  [[gnu::always_inline]] void on(const Reissued& event) {
    reissued[event.instruction] += event.times;
    reissued_lanes += event.lanes;
  }

  void begin(const Program&);
  void merge(const Mix&);
  void add_to(Counters&, const Program&) const;
};

}  // namespace headroom::sim
