// What Count sums up for a launch, for each instruction of machine code: how often it ran, for how
// many lanes, and what its accesses cost.
//
//   @P0 LDG.E R4, desc[UR6][R2.64]   executed 8, threads 256, threads_on 200, requests 8, sectors 32
//
// It stands beside a Count, which has the entries of basic blocks. Of each instruction it keeps the
// access that cost most: of equal ones the first of the first block, whichever host thread ran it.
#pragma once
#include <memory>
#include <vector>

#include "record/source.h"
#include "sim/observers/count.h"

namespace headroom::sim {

struct Sites : Ignore {
  using Ignore::on;

  void on(const Guarded&);
  // What compiled code adds to: a guarded operation, an access like the last, a branch of all lanes.
  uint64_t* guarded() { return guarded_.data(); }
  InstructionCounts* counts() { return counts_.data(); }
  uint64_t* taken() { return taken_.data(); }
  void on(const Taken&);
  void on(const Diverged&);
  void on(const Reissued&);
  void on(const Access&);
  void on(const Copied&);

  void begin(const Program&);  // a launch: nothing is counted yet
  void merge(const Sites&);    // what another host thread counted of the same launch
  // By instruction of the program.
  std::vector<InstructionCounts> finish(const Program&, const Mix&) const;
  std::vector<AccessExample> examples() const;

 private:
  void keep(const Access&);
  std::vector<InstructionCounts> counts_;  // by instruction: all but what basic blocks tell
  std::vector<uint64_t> guarded_;          // by operation: lanes whose predicate holds
  std::vector<uint64_t> taken_;            // by instruction: lanes that a terminator leads away
  std::vector<std::unique_ptr<AccessExample>> examples_;  // by instruction
};

}  // namespace headroom::sim
