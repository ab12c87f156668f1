#include "sim/warp.h"

#include <bit>
#include <cstring>

#include "record/launch.h"
#include "sim/machinery.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

constexpr const char* uses[] = {"load", "store", "atomic"};

Fault misaligned_access(const Operation& operation, const Fault& illegal) {
  const std::string words = illegal.what.substr(0, illegal.what.find(':'));
  return {"misaligned" + illegal.kind.substr(illegal.kind.find('_')),
          words + " at an address that is no multiple of " + std::to_string(operation.bytes),
          716,
          illegal.address,
          illegal.instruction,
          illegal.lane};
}

}  // namespace

void start_warp(Warp& warp, const Program& program, BlockState& block, uint32_t index, bool again) {
  const Launch& launch = *block.machinery->launch;
  const uint64_t threads = launch.shape.block.count(), first = uint64_t(index) * lanes;
  const uint32_t mask = threads - first >= lanes ? all_lanes : (1u << (threads - first)) - 1;
  warp.block = &block;
  warp.index = index;
  warp.live = mask;
  warp.mask = 0;  // whatever a fault left
  warp.current = warp.splits = warp.waits = warp.worked = warp.apart = 0;
  warp.impatient = warp.spun = warp.fenced = false;
  warp.convergence_barriers.clear();
  warp.basic_blocks_entered = warp.instructions = 0;
  warp.frames.resize(1);
  warp.frames[0].live = mask;
  warp.groups.assign(1, Group{});
  warp.groups[0].mask = mask;
  warp.groups[0].basic_block = program.functions[0].entry;
  fill_specials(warp, program, again);
  if (!again) return;  // its memory is new
  for (const Columns& at : program.unset) std::memset(warp.base + at.at, 0, bytes_of(at));
}

void check_access(Warp& warp, const Operation& operation, Place place, Use use,
                  const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const uint64_t bytes = operation.bytes;  // a power of two
  const auto is_misaligned = [&](uint64_t at) { return (at & (bytes - 1)) != 0; };
  const bool device = place == Place::global || place == Place::constant;
  const Memory::Block* found = nullptr;
  each_lane(warp, [&](int lane) {
    const uint64_t at = address[lane];
    const auto is_inside = [&] {
      return found && found->contains(at, bytes) && !is_misaligned(at);
    };
    if (is_inside()) return;
    found = device ? machinery.memory->find(at, machinery.limits.device) : nullptr;
    if (is_inside()) return;
    found = nullptr;
    const Verdict verdict = judge(warp, place, at, bytes);
    if (verdict == Verdict::legal && !is_misaligned(at)) return;
    // Each instruction's first stray is the finding; the message of another would be thrown away.
    if (verdict == Verdict::passes && !is_misaligned(at) &&
        has_strayed(warp, operation.instruction))
      return;
    const Fault fault =
        illegal_access(warp, place, at, bytes, uses[int(use)], operation.instruction, lane);
    if (verdict == Verdict::faults) throw fault;
    if (is_misaligned(at)) throw misaligned_access(operation, fault);
    note_stray(warp, place, fault);
  });
  if (found) machinery.recent[operation.site] = *found;
}

}  // namespace headroom::sim
