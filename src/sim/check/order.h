// What comes before what in a launch: barriers of blocks and warps, fences, and atomics that pass on
// what their thread knew. Told of these as they happen; asked of two accesses.
//
//   order.synced(warp, mask)                 __syncwarp(): these lanes know each other
//   order.before(record, warp, lane)         the access of that record comes before what lane does now
//
// The rules are PTX's causality order, with two that NVIDIA's own samples rely on: a barrier makes an
// acquire of what its threads read by strong accesses before it, and what a thread fenced before a
// barrier counts as fenced by all who were at it.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/check/known.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"
#include "sim/program.h"
#include "sim/warp.h"

namespace headroom::sim::check {

struct Passed {  // what goes with a value: to threads of the same block, to all
  KnownPtr block, gpu;
  uint64_t of_block = 0;  // that `block` is for, in a place of memory
};

struct LaneOrder {
  KnownPtr known;   // of others
  Passed fenced;    // what its next strong write passes on
  Passed observed;  // what a fence will let it know
};

struct WarpOrder {
  uint32_t seen = 0;  // time up to which its lanes know each other
  std::array<LaneOrder, 32> lane;
};

struct BlockOrder {
  uint64_t linear = 0;
  uint32_t now = 1;
  uint32_t seen = 0;   // time up to which all its threads know each other
  uint32_t epoch = 0;  // of `now`; 0: none yet
  std::vector<WarpOrder> warps;
  struct Meeting {  // at a barrier, so far
    bool is_begun = false;
    std::vector<uint32_t> waiting;  // lanes, by warp
    std::vector<Entry> gone_on;     // who did not wait, and when it arrived
    LaneOrder all;
  };
  std::unordered_map<uint32_t, Meeting> meetings;  // by barrier
  std::unordered_map<uint64_t, Passed> passed;     // by offset in shared memory
  struct {
    uint32_t now = 0, epoch = 0;
  } arrived;  // at the cluster's barrier: as it was before
};

// The barrier of a cluster. Who arrives may do more before it waits, which nobody else knows of.
struct ClusterOrder {
  uint64_t linear = ~0ull;  // of its first block
  struct OfBlock {
    std::vector<uint32_t> arrived;  // by warp: when all its lanes came together; 0: not so
    std::vector<uint32_t> waited;   // lanes, by warp, since the last phase ended
    uint32_t seen = 0;              // all its threads did by then is known to who has waited
    std::vector<Entry> here;        // who came so far
  };
  std::vector<OfBlock> blocks;  // by rank
  LaneOrder coming, met;        // what they knew, of this phase and of the last
};

class Order {
 public:
  void begin();  // a launch
  void start(const BlockState&);

  void fence(const Warp&, const Role&);
  void synced(const Warp&);  // the lanes of Warp::mask
  void arrived(const Warp&, uint32_t barrier, bool waits);
  void released(const BlockState&, uint32_t barrier);
  // The same of a cluster's barrier (order_cluster.cpp).
  void cluster_arrived(const Warp&, const Role&);
  void cluster_waits(const Warp&);  // it has to
  void cluster_met(const Cluster&);
  void cluster_waited(const Warp&, uint32_t mask);
  // A strong access of a lane, before it is done; the key says of which place in the block's shared
  // memory, or in global memory.
  void strong(const Warp&, uint32_t lane, const Role&, Use, const BlockState* shared, uint64_t key);
  bool ordinary(const Role& role) const {  // it passes nothing on
    return !role.acquires && !role.releases && !any_passed_ && !any_fenced_;
  }

  uint32_t first_epoch() const { return first_epoch_; }  // of this launch
  uint32_t epoch(const BlockState&);                     // of what the block's threads do now
  uint32_t now(const BlockState& block) { return of(block).now; }
  bool is_stale(Record record) const { return record.epoch() < first_epoch_; }
  bool before(Record, const Warp&, uint32_t lane);
  // The same of all lanes of the warp at once, by barriers alone: what the record's lane itself does
  // now, it knows in any case.
  struct Met {
    bool in_block = false, in_warp = false;  // the record is of this block, of this warp of it
    bool all = false;                        // it comes before what each lane does now
  };
  Met met(Record record, const Warp& warp) {
    const Moment& then = moment(record);
    const BlockOrder& block = of(*warp.block);
    if (then.block != block.linear) return {};
    const bool in_warp = record.warp() == warp.index;
    return {true, in_warp,
            then.time <= block.seen || (in_warp && then.time <= block.warps[warp.index].seen)};
  }
  bool knows_others(const Warp&, uint32_t lane);  // by more than barriers
  struct Moment {
    uint64_t block;
    uint32_t time;
  };
  std::vector<Moment> take_moments() {  // of this launch, by epoch, when it has ended
    taken_ = uint32_t(moments_.size());
    return std::move(moments_);
  }
  const Moment& moment(Record record) const { return moments_[record.epoch() - first_epoch_]; }

 private:
  BlockOrder& of(const BlockState& block) {
    if (recent_ == &block && recent_order_->linear == block.linear) [[likely]]
      return *recent_order_;
    return find(block);
  }
  BlockOrder& find(const BlockState&);
  KnownPtr all_of(BlockOrder&, uint32_t warp, uint32_t lane);
  void acquire(LaneOrder&, Scope);
  void meet(LaneOrder&, LaneOrder& all);
  void tick(BlockOrder&);
  ClusterOrder& of(const Cluster&);

  std::unordered_map<const BlockState*, std::unique_ptr<BlockOrder>> blocks_;
  const BlockState* recent_ = nullptr;
  BlockOrder* recent_order_ = nullptr;
  std::unordered_map<const Cluster*, ClusterOrder> clusters_;
  std::unordered_map<uint64_t, Passed> passed_;  // by address in global memory
  std::vector<Moment> moments_;                  // by epoch
  uint32_t first_epoch_ = 1, taken_ = 0;
  bool any_passed_ = false, any_fenced_ = false;
};

}  // namespace headroom::sim::check
