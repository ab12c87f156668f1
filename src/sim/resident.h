// Blocks that have started, with the memory they stand on: one block, or those of a cluster. They
// run until all have ended, or until their warps have used up their slices and others shall have
// their turn.
//
//   Resident resident(machinery, program, memory);
//   resident.start(7);                     // cluster 7 of the grid; the memory is used again
//   while (!resident.run(body))            // true: all its blocks ended
//     …                                    // others have their turn
#pragma once
#include <memory>

#include "sim/block_memory.h"
#include "sim/cluster.h"
#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

struct Standing {  // a block on its memory
  BlockState block;
  bool used = false;  // the memory holds what the block before left
};

uint64_t bytes_of_block(const Machinery&, const Program&);

class Resident {
 public:
  Resident(Machinery&, const Program&, BlockMemory&);
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  void start(uint64_t unit);
  bool run(const Body&);

  uint64_t unit() const { return unit_; }  // its place in the order of clusters
  // What run() came to when it was not the end: nothing but rounds of loops that wait for others,
  // by so many warps (hang.h).
  bool only_waited() const { return only_waited_; }
  uint64_t waiting_warps() const { return waiting_warps_; }
  uint64_t warps() const { return blocks_.size() * blocks_.front()->block.warps.size(); }
  bool ran_a_slice() const { return sliced_; }  // of work: a turn was used up
  template <class Body>
  void each_block(Body&& body) const {
    for (const auto& each : blocks_) body(each->block);
  }
  const Warp& running() const { return *running_; }  // runs, or ran last: whom a fault is about

 private:
  void start_block(uint32_t rank);
  struct Turns {  // how those of all warps ended
    bool moved = false, sliced = false, stable = true;
    bool rounds =
        false;  // some went round a loop that waits for other blocks, and met at a barrier
    uint64_t spins = 0, abreast = 0;  // warps; basic blocks entered in turns that end at stores
  };
  void run_block(BlockState&, const Body&, Turns&);
  [[noreturn]] void report_deadlock();

  Machinery& machinery_;
  const Program& program_;
  uint64_t unit_ = 0;
  Cluster cluster_;
  std::vector<std::unique_ptr<Standing>> blocks_;  // by rank
  const Warp* running_ = nullptr;
  bool only_waited_ = false, sliced_ = false;
  uint64_t waiting_warps_ = 0;
};

}  // namespace headroom::sim
