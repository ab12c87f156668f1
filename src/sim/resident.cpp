#include "sim/resident.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "record/launch.h"
#include "sim/banks.h"
#include "sim/machinery.h"
#include "sim/observers/tracer.h"
#include "sim/spaces.h"
#include "sim/stack.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

// From a lane's local memory to the next one's: where threads have much of it, they use the same places of it together, which
// must not all fall into the same few sets of a cache.
uint64_t local_stride_of(uint64_t bytes) {
  constexpr uint64_t line = 64;
  return bytes < 4 * line ? bytes : ((bytes + line - 1) / line | 1) * line;
}

std::unique_ptr<Standing> standing(Machinery& machinery, const Program& program,
                                   BlockMemory& memory) {
  auto made = std::make_unique<Standing>();
  const uint32_t warps = uint32_t((machinery.launch->shape.block.count() + lanes - 1) / lanes);
  const uint64_t local_bytes = local_bytes_of_lane(program, machinery.limits),
                 local_stride = local_stride_of(local_bytes);
  const uint64_t before = shared_before(machinery), behind = shared_behind(machinery);
  std::byte* const registers = memory.take(uint64_t(program.warp_bytes) * warps);
  std::byte* const local = local_bytes ? memory.take(local_stride * lanes * warps) : nullptr;
  made->block.machinery = &machinery;
  made->block.shared = memory.take(before + machinery.shared_bytes + behind + 64) + before;
  made->block.warps.resize(warps);
  for (uint32_t w = 0; w < warps; ++w) {
    Warp& warp = made->block.warps[w];
    warp.observer = machinery.observer.object();
    warp.guarded = machinery.guarded;
    warp.accesses = &machinery.accesses;
    warp.frames.resize(1);
    warp.base = registers + uint64_t(program.warp_bytes) * w;
    std::copy(program.constants.begin(), program.constants.end(), warp.base + program.constants_at);
    place_launch_constants(program, machinery.arguments, warp.base + program.constants_at);
    warp.local = local ? local + local_stride * lanes * w : nullptr;
    warp.local_bytes = local_bytes;
    warp.local_stride = local_stride;
  }
  return made;
}

// The variables of a thread; not what recursion and alloca may take beside them. The stack of machine
// code begins at the other end.
void clear_local(const BlockState& block, const Program& program) {
  const uint64_t bytes = program.facts.local_bytes - (program.facts.grows_stack ? least_stack : 0);
  for (const Warp& warp : block.warps) {
    const uint64_t from = program.code ? warp.local_bytes - bytes : 0;
    for (uint64_t lane = 0; bytes > 0 && lane < lanes; ++lane)
      std::memset(warp.local + lane * warp.local_stride + from, 0, bytes);
  }
}

}  // namespace

uint64_t bytes_of_block(const Machinery& machinery, const Program& program) {
  const uint64_t warps = (machinery.launch->shape.block.count() + lanes - 1) / lanes;
  return machinery.shared_bytes +
         warps * (program.warp_bytes +
                  lanes * local_stride_of(local_bytes_of_lane(program, machinery.limits)));
}

Resident::Resident(Machinery& machinery, const Program& program, BlockMemory& memory)
    : machinery_(machinery), program_(program) {
  for (uint64_t rank = 0; rank < machinery.launch->shape.cluster_size().count(); ++rank) {
    blocks_.push_back(standing(machinery, program, memory));
    BlockState& block = blocks_.back()->block;
    block.cluster = &cluster_;
    block.rank = uint32_t(rank);
    cluster_.blocks.push_back(&block);
  }
}

void Resident::start(uint64_t unit) {
  const Dim3 grid = machinery_.launch->shape.grid, shape = machinery_.launch->shape.cluster_size();
  const uint64_t across = grid.x / shape.x, deep = grid.y / shape.y;
  unit_ = unit;
  cluster_.x = unsigned(unit % across);
  cluster_.y = unsigned(unit / across % deep);
  cluster_.z = unsigned(unit / across / deep);
  for (uint32_t rank = 0; rank < blocks_.size(); ++rank) start_block(rank);
  begin_cluster(cluster_);
}

void Resident::start_block(uint32_t rank) {
  BlockState& block = blocks_[rank]->block;
  const LaunchShape& launch = machinery_.launch->shape;
  const Dim3 shape = launch.cluster_size();
  block.linear = unit_ * blocks_.size() + rank;
  block.x = cluster_.x * shape.x + rank % shape.x;
  block.y = cluster_.y * shape.y + rank / shape.x % shape.y;
  block.z = cluster_.z * shape.z + rank / shape.x / shape.y;
  block.sm = uint32_t(block.linear % uint64_t(machinery_.limits.sm_count));
  block.traced = place_in(machinery_.sample, block.linear);
  for (uint32_t left = std::exchange(block.met, 0); left; left &= left - 1)
    block.barriers[size_t(std::countr_zero(left))] = {};
  block.live = uint32_t(launch.block.count());
  // Not what a GPU does, but the same every time.
  const bool again = std::exchange(blocks_[rank]->used, true);
  if (again) clear_local(block, program_);
  const bool strayed = !machinery_.strays.empty();
  const uint64_t before = strayed ? shared_before(machinery_) : 0,
                 behind = strayed ? shared_behind(machinery_) : 0;
  std::memset(block.shared - before, 0, before + machinery_.shared_bytes + behind);
  for (uint32_t w = 0; w < block.warps.size(); ++w)
    start_warp(block.warps[w], program_, block, w, again);
}

// Every warp's turn.
void Resident::run_block(BlockState& block, const Body& body, Turns& turns) {
  for (Warp& warp : block.warps) {
    if (warp.groups.empty()) continue;
    running_ = &warp;
    const uint64_t before = warp.entered_before = warp.basic_blocks_entered;
    const Turn turn = body.run_warp(warp, program_, machinery_.turn.basic_blocks);
    machinery_.time.clocks += clocks_of_turn(warp);
    note_ran(machinery_, (warp.basic_blocks_entered - before) % blocks_between_looks);
    turns.sliced |= turn == Turn::slice;
    if (turn == Turn::abreast) turns.abreast += warp.basic_blocks_entered - before;
    turns.spins += turn == Turn::spins;
    turns.moved |= warp.basic_blocks_entered != before && turn != Turn::spins;
    turns.stable &= !warp.unstable;
    turns.rounds |= warp.rounds > 0;
  }
}

bool Resident::run(const Body& body) {
  only_waited_ = true;
  for (uint64_t gave_way = 0, abreast = 0;;) {
    Turns turns;
    for (const auto& each : blocks_) run_block(each->block, body, turns);
    if (cluster_.live == 0) return true;
    abreast += turns.abreast;
    turns.sliced |= abreast >= slice_basic_blocks * warps();
    only_waited_ &= turns.spins > 0 && !turns.moved && !turns.sliced && turns.stable;
    waiting_warps_ = turns.spins;
    sliced_ = turns.sliced;
    gave_way += turns.spins > 0 || turns.rounds;
    // What they wait for is not done here, or not by those who still do something.
    if (turns.sliced || gave_way >= machinery_.turn.of_block) return false;
    if (turns.moved && machinery_.turn.together) return false;
    if (turns.moved) continue;
    if (turns.spins) return false;
    report_deadlock();
  }
}

void Resident::report_deadlock() {
  for (const auto& each : blocks_) {
    for (const Warp& warp : each->block.warps) {
      if (warp.groups.empty()) continue;
      running_ = &warp;
      const Group& group = warp.groups.front();
      throw Fault{"barrier_deadlock",
                  std::to_string(each->block.live) +
                      " threads are left and all wait at barriers that not all of them reach: a "
                      "GPU would hang",
                  702,
                  std::nullopt,
                  barrier_of(warp, group),
                  std::countr_zero(group.mask)};
    }
  }
  throw Error{"", "threads are left, and no warp holds them", "report this with the program", 126};
}

}  // namespace headroom::sim
