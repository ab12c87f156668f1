// The observer of `headroom check`: lives as long as the process's device memory, sees launch after
// launch.
//
//   Checker checker({.races = true, .uninitialised = false});
//   Options options{.checker = &checker};   simulate(…).findings
#pragma once
#include "sim/check/absent.h"
#include "sim/check/asynchronous.h"
#include "sim/check/copies.h"
#include "sim/check/fragments.h"
#include "sim/check/initialised.h"
#include "sim/check/neighbours.h"
#include "sim/check/races.h"
#include "sim/cluster.h"

namespace headroom::sim::check {

class Checker : public Ignore {
 public:
  struct What {
    bool races = true, uninitialised = true, bounds = true;
  };
  explicit Checker(What what) : what_(what) {}

  using Ignore::on;
  void on(const Access& access) {
    if (what_.bounds) Neighbours{}.on(access);
    if (watches_) races(access);
    if (what_.uninitialised) initialised_.see(access);
  }
  void on(const Copied&);
  void on(const Taken& taken) { initialised_.see(taken); }
  void on(const Ended& ended) { initialised_.see(ended); }
  void on(const Arrived& event) {  // that of a cluster tells by itself (below)
    if (event.barrier != cluster_barrier) arrived(event.warp, event.barrier, event.waits);
  }
  bool steps(const Warp& warp, uint32_t basic_block) {
    const bool of_values = initialised_.steps(warp, basic_block);
    if (!watches_ || !fragments_.steps()) return follows_values_ = of_values;
    follows_values_ = of_values;
    fragments_.enter();
    return true;
  }
  void step(const Warp& warp, const Operation& operation) {
    if (follows_values_) initialised_.step(warp, operation);
    if (watches_ && fragments_.steps()) fragments_.step(warp, operation);
  }

  // By marks that a watched program has (marks.h), and by barriers.
  void fence(const Warp& warp, uint32_t instruction) {
    if (!watches_) return;
    if (races_.role(instruction).crosses) races_.cross(*warp.block);
    races_.order.fence(warp, races_.role(instruction));
  }
  void synced(const Warp& warp) {
    if (watches_) races_.order.synced(warp);
  }
  void arrived(const Warp& warp, uint32_t barrier, bool waits) {
    absent_.arrived(warp, barrier);
    if (watches_ && !is_of_warpgroup(barrier)) races_.order.arrived(warp, barrier, waits);
  }
  // At the barrier of a cluster.
  void cluster_arrived(const Warp& warp, uint32_t instruction) {
    if (watches_) races_.order.cluster_arrived(warp, races_.role(instruction));
  }
  void cluster_waits(const Warp& warp) {
    if (watches_) races_.order.cluster_waits(warp);
  }
  void cluster_met(const Cluster& cluster) {
    if (watches_) races_.order.cluster_met(cluster);
  }
  void cluster_waited(const Warp& warp, uint32_t mask) {
    if (watches_) races_.order.cluster_waited(warp, mask);
  }
  void committed(const Warp& warp) {
    if (watches_) copies_.commit(warp);
  }
  void waited(const Warp& warp, uint32_t groups_left) {
    if (watches_) copies_.wait(warp, groups_left);
  }
  void released(const BlockState& block, uint32_t barrier) {
    absent_.released(block, barrier);
    if (watches_ && !is_of_warpgroup(barrier)) races_.order.released(block, barrier);
  }
  void committed(const Warp& warp, Asynchronous::Groups groups) {
    if (watches_) asynchronous_.committed(warp, groups);
  }
  void waited(const Warp& warp, Asynchronous::Groups groups, uint32_t groups_left) {
    if (watches_) asynchronous_.waited(warp, groups, groups_left);
  }
  void product(const Warp&, const Operation&, std::vector<uint32_t> units);
  // A barrier in shared memory: it is made or ended; what it counts is about to change.
  void begins(const Warp&, const Operation&, uint32_t lane, uint64_t offset);
  void changes(const BlockState& owner, uint64_t offset) {
    if (watches_) asynchronous_.met(owner, offset);
  }
  // A lane arrives at a barrier in shared memory, or has seen a phase of it end.
  void met(const Warp& warp, uint32_t lane, bool arrives, const BlockState& owner,
           uint64_t offset) {
    const Role role{Scope::gpu, !arrives, arrives};
    if (!watches_) return;
    races_.order.strong(warp, lane, role, arrives ? Use::atomic : Use::load, &owner, offset);
    if (!arrives) asynchronous_.passed(warp, lane, offset);
  }
  // What the host and the kernel's own malloc do to memory.
  void allocated(uint64_t address, uint64_t bytes) {
    if (what_.races) races_.forget(address, bytes);
    if (what_.uninitialised) initialised_.memory.assign(address, address + bytes, unwritten);
  }
  void wrote(uint64_t address, uint64_t bytes) {
    if (what_.uninitialised) initialised_.memory.assign(address, address + bytes, written);
  }
  void copied(uint64_t to, uint64_t from, uint64_t bytes) {
    if (what_.uninitialised) initialised_.memory.copy(to, from, bytes);
  }

  void begin_work(Work work) { races_.past.begin(std::move(work)); }
  void runs(std::shared_ptr<const Program> program) { races_.runs(std::move(program)); }
  void touches(uint64_t address, uint64_t bytes, bool writes, const char* what) {
    races_.touch_range(
        {races_.past.now().id, address, address + bytes, writes, what, races_.past.now().stream});
  }
  const Races& races() const { return races_; }
  std::vector<Finding> take_findings() { return races_.finish(); }

  void begin(const Program&, const Launch&, bool lockstep);
  std::vector<Finding> finish();
  // Why the launch is not checked for races and for what was never written; null: it is.
  const char* silent_because() const { return because_; }

 private:
  void races(const Access& access) {
    races_.see(access);
    if (access.space != Place::shared) return;
    asynchronous_.see(access);
    if (races_.role(access.operation.instruction).copies)
      copies_.copy(access);
    else if (&access.owner() == access.warp.block)
      copies_.see(access);
  }

  // The one at which the executor lets the warps of a wgmma meet: the hardware has none.
  static bool is_of_warpgroup(uint32_t barrier) {
    return barrier >= named_barriers && barrier != cluster_barrier;
  }
  void bulk(const Copied&, const Access&);
  void arrives_for(const Copied&, uint64_t barrier);

  const What what_;
  Races races_;
  Copies copies_;
  Absent absent_;
  Fragments fragments_;
  Asynchronous asynchronous_{races_.order};
  Initialised initialised_;
  bool watches_ = false, follows_ = false;
  bool follows_values_ = false;  // in the basic block that runs now
  const char* because_ = nullptr;
};

}  // namespace headroom::sim::check
