#include "model/pipeline/queue.h"

#include <algorithm>
#include <map>

namespace headroom {
namespace {

// Takes more than most and asks more than once for the result of an atomic: ATOMG R5, …
bool draws(const TracedWarp& warp, const Trace& trace) {
  std::map<uint32_t, int> times;
  return std::ranges::any_of(warp.accesses, [&](const TracedAccess& access) {
    if (access.kind != AccessKind::global_atomic) return false;
    const sass::Instruction& instruction = *trace.code[access.instruction].instruction;
    return instruction.opcode.starts_with("ATOM") && ++times[access.instruction] > 1;
  });
}

uint64_t executed(const TracedBlock& block) {
  uint64_t sum = 0;
  for (const TracedWarp& warp : block.warps) sum += warp.executed;
  return sum;
}

// Of all that its warp does, the first `instructions`.
void cut(TracedWarp& warp, const Trace& trace, double instructions) {
  if (double(warp.executed) <= instructions) return;
  warp.executed = uint64_t(instructions);
  uint64_t sum = 0;
  size_t kept = 0;
  while (kept < warp.entered.size() && sum < warp.executed) {
    const TracedBasicBlock& range = trace.basic_blocks[warp.entered[kept++].basic_block];
    sum += range.first <= range.last ? range.last - range.first + 1 : 0;
  }
  warp.entered.resize(kept);
  warp.traced = std::min(warp.traced, sum);
  warp.executed = std::max(warp.executed, warp.traced);
  while (!warp.accesses.empty() && warp.accesses.back().entry >= kept) warp.accesses.pop_back();
}

}  // namespace

std::optional<Trace> shared_out(const Trace& trace, double mean) {
  constexpr double more = 2;  // than a mean block
  if (!trace.first_block) return std::nullopt;
  const TracedBlock& first = *trace.first_block;
  if (double(executed(first)) < more * mean * double(first.warps.size()) ||
      std::ranges::none_of(first.warps, [&](const TracedWarp& warp) { return draws(warp, trace); }))
    return std::nullopt;
  Trace made = trace;
  made.blocks = {first};
  made.drawn = true;
  made.longest_warp = 0;  // is the one that drew most
  for (TracedWarp& warp : made.blocks[0].warps) cut(warp, made, mean);
  return made;
}

}  // namespace headroom
