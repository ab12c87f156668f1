// Makes the Counters of a launch: four observers side by side, one for each kind of number.
//
//   Count count(memory.base(), memory.addresses());
//   count.begin(program);
//   … events …
//   count.finish(program).global_load_sectors
#pragma once
#include <memory>

#include "sim/observers/conflicts.h"
#include "sim/observers/divergence.h"
#include "sim/observers/mix.h"
#include "sim/observers/sectors.h"

namespace headroom::sim {

struct Count : Together<Mix, Sectors, Conflicts, Divergence> {
  Count(uint64_t memory_base, uint64_t memory_capacity)
      : Together{{}, {memory_base, memory_capacity}, {}, {}} {}

  void begin(const Program&);             // a launch: nothing is counted yet
  void merge(const Count&);               // what another host thread counted of the same launch
  Counters finish(const Program&) const;  // the totals
};

template <>
inline constexpr bool counts_guarded<Count> = true;

// A Count for a launch, from those of earlier launches if one is free: its pages need not be mapped
// again. It goes back by itself.
struct GiveBack {
  void operator()(Count*) const;
};
using BorrowedCount = std::unique_ptr<Count, GiveBack>;
BorrowedCount borrow_count(const Program&, uint64_t memory_base, uint64_t memory_capacity);

}  // namespace headroom::sim
