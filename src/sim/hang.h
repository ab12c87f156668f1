// Notices that a launch will never end, and says why: every thread that is left waits, and nothing
// changes that any of them waits for.
//
//   HangWatch watch(10'000'000'000);
//   …  each time a block gives way:
//   if (!quiet) watch.moved();                 // it did something, or began, or ended
//   else if (watch.waited(residents)) …        // a look is due
//     if (auto hang = watch.look({blocks, unstarted})) throw hang->fault;
//
// Proof of a hang is that all registers of all blocks are what they were some rounds before, while
// every warp only went round loops that wait, no such loop stores, and no atomic changed anything.
// A loop that counts or looks at a clock gives no such proof, and may have an end: there is a
// limit.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/step.h"

namespace headroom::sim {

struct Waiting {  // all that is left of a launch
  std::vector<const BlockState*> blocks;
  uint64_t not_begun = 0;  // blocks for which there is no room
};

struct Hang {
  Fault fault;
  const Warp* warp;
};

class HangWatch {
 public:
  explicit HangWatch(uint64_t limit) : limit_(limit) {}

  void moved() { turns_ = rounds_ = spun_ = 0; }
  // One of so many blocks only waited; true if look() shall be called.
  bool waited(uint64_t residents, uint64_t warps);
  std::optional<Hang> look(const Waiting&);

 private:
  uint64_t limit_;
  uint64_t turns_ = 0, rounds_ = 0, spun_ = 0;  // since something moved
  uint64_t before_ = 0;                         // state of the round that is a power of two
};

}  // namespace headroom::sim
