#include "model/pipeline/evidence.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "model/pipeline/alike_addresses.h"
#include "model/pipeline/grid_stride.h"
#include "model/pipeline/shared_rounds.h"

namespace headroom {
uint32_t Cost::worst() const {
  return uint32_t(std::ranges::max_element(by_instruction) - by_instruction.begin());
}

namespace {

std::vector<bool> of_one_thread_in(const Trace& trace) {
  std::vector<bool> found(trace.basic_blocks.size(), true);
  for (const TracedBlock& block : trace.blocks) {
    std::vector<const TracedWarp*> who(found.size());
    for (const TracedWarp& warp : block.warps)
      for (const Entry entry : warp.entered) {
        const TracedWarp*& first = who[entry.basic_block];
        if (!first) first = &warp;
        if (entry.lanes > 1 || first != &warp || block.warps.size() == 1)
          found[entry.basic_block] = false;
      }
  }
  return found;
}

// That the traced warps went, all together.
double shared_rounds_of(const Trace& trace, const Loops& loops, const Cost& executed) {
  double most = 0;
  const auto& by_instruction = executed.by_instruction;
  for (const Loop& loop : loops.all) {
    const double inside = std::accumulate(by_instruction.begin() + loop.first,
                                          by_instruction.begin() + loop.last + 1, 0.0);
    if (inside > 0.5 * executed.total && rounds_can_be_shared(trace, loop))
      most = std::max(most, by_instruction[loop.last]);
  }
  return most;
}

bool is_global(const TracedAccess& access) {
  return access.kind == AccessKind::global_load || access.kind == AccessKind::global_store;
}

}  // namespace

Evidence::Evidence(const Trace& trace)
    : of_one_thread(of_one_thread_in(trace)),
      loops(trace),
      strides_over_grid(headroom::strides_over_grid(trace, loops)) {
  for (Cost* cost : {&conflicts, &wavefronts, &excess_sectors, &sectors, &local, &global_atomics,
                     &shared_atomics, &lost_lanes, &executed, &again, &narrow, &global, &diverging,
                     &shared_loads, &global_loads, &constants, &fewer_rounds, &uniform})
    cost->by_instruction.resize(trace.code.size());
  double warps = 0, atomics = 0;
  std::map<uint32_t, Loop> inner;  // by where they begin
  for (const Loop& loop : loops.innermost()) inner[loop.first] = loop;
  const std::vector<bool> alike = alike_addresses(trace);
  std::set<uint64_t> uniform_sectors;
  double all = 0, traced = 0;  // instructions
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps) {
      const TracedBasicBlock* before = nullptr;
      uint32_t lanes_before = 0;
      const double whole = warp.entered.empty() ? 32 : warp.entered.front().lanes;
      std::map<uint32_t, uint32_t> at_first;  // lanes that came to a loop, by its beginning
      for (const Entry entry : warp.entered) {
        const TracedBasicBlock& range = trace.basic_blocks[entry.basic_block];
        for (uint32_t i = range.first; i <= range.last && range.first <= range.last; ++i) {
          executed.add(i, 1);
          if (entry.lanes < whole && !of_one_thread[entry.basic_block])
            lost_lanes.add(i, 1 - entry.lanes / whole);
        }
        if (before && entry.lanes < lanes_before && !of_one_thread[entry.basic_block])
          diverging.add(before->last, 1);
        if (const auto loop = inner.find(range.first); loop != inner.end()) {
          uint32_t& came = at_first[range.first];
          if (!before || !loop->second.has(before->last)) came = entry.lanes;
          came = std::max<uint32_t>(came, entry.lanes);
          if (came > entry.lanes)
            fewer_rounds.add(loop->second.last, (came - entry.lanes) / whole *
                                                    (loop->second.last - loop->second.first + 1));
        }
        if (range.first <= range.last) before = &range;
        lanes_before = entry.lanes;
      }
      std::set<std::tuple<AccessKind, uint64_t, uint32_t>> touched;  // first address, sectors
      ExcessPattern::OfWarp of_warp(excess);
      std::map<uint32_t, double> loads;  // by instruction
      for (const TracedAccess& access : warp.accesses) {
        if (access.sectors == 0 && is_global(access)) continue;  // of no lane
        if (access.kind == AccessKind::global_load) {
          global_loads.add(access.instruction, 1);
          loads[access.instruction] += 1;
          if (alike[access.instruction] && access.sectors == 1) {
            uniform.add(access.instruction, 1);
            uniform_sectors.insert(block.sectors[access.first_sector]);
          }
        }
        if (is_global(access)) {
          const uint64_t first = block.sectors[access.first_sector] << 5 | access.offset;
          if (!touched.insert({access.kind, first, access.sectors}).second)
            again.add(access.instruction, 1);
          of_warp.add(access, &block.sectors[access.first_sector]);
          global.add(access.instruction, 1);
          if (access.bytes < 4) narrow.add(access.instruction, 1);
        }
        switch (access.kind) {
          case AccessKind::shared_load: shared_loads.add(access.instruction, 1); [[fallthrough]];
          case AccessKind::shared_store:
            conflicts.add(access.instruction, access.conflicts);
            wavefronts.add(access.instruction, access.wavefronts);
            break;
          case AccessKind::shared_atomic:
            shared_atomics.add(access.instruction, access.same_address);
            break;
          case AccessKind::local_load:
          case AccessKind::local_store: local.add(access.instruction, access.sectors); break;
          case AccessKind::constant_load:
            constants.add(access.instruction, access.wavefronts - 1);
            break;
          case AccessKind::global_atomic:
            global_atomics.add(access.instruction, access.lanes);
            meeting_lanes += access.same_address;
            atomics += 1;
            break;
          case AccessKind::global_load:
          case AccessKind::global_store:
            sectors.add(access.instruction, access.sectors);
            excess_sectors.add(access.instruction, access.sectors - fewest_sectors(access));
            break;
          default: break;
        }
      }
      double most = 0;
      for (const auto& [instruction, times] : loads) most = std::max(most, times);
      // What was traced of the warp, of all that it executes.
      if (warp.traced > 0) load_rounds += most * double(warp.executed) / double(warp.traced);
      warps += 1;
      all += double(warp.executed);
      traced += double(warp.traced);
    }
  const double whole = traced > 0 ? all / traced : 0;  // of the warps, by what was traced of them
  uniform_bytes = 32 * double(uniform_sectors.size()) * whole;
  load_rounds /= std::max(1.0, warps);
  shared_rounds = shared_rounds_of(trace, loops, executed) / std::max(1.0, warps) * whole;
  meeting_lanes /= std::max(1.0, atomics);
  atomic_lanes = global_atomics.total / std::max(1.0, atomics);
  calls = calls_of(trace);
}

}  // namespace headroom
