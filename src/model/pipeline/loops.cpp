#include "model/pipeline/loops.h"

#include <algorithm>
#include <map>

namespace headroom {

Loops::Loops(const Trace& trace) : ways(trace.basic_blocks.size()) {
  std::map<uint32_t, uint32_t> back;  // from a branch to where it goes
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps)
      for (size_t e = 0; e + 1 < warp.entered.size(); ++e) {
        const uint32_t from = warp.entered[e].basic_block;
        const TracedBasicBlock &here = trace.basic_blocks[from],
                               &next = trace.basic_blocks[warp.entered[e + 1].basic_block];
        if (here.first > here.last || next.first > next.last) continue;
        ways[from].times += 1;
        ways[from].straight_on += next.first == here.last + 1;
        const sass::Instruction* last = trace.code[here.last].instruction;
        if (next.first > here.last || !last || last->opcode != "BRA") continue;
        uint32_t& first = back.emplace(here.last, next.first).first->second;
        first = std::max(first, next.first);
      }
  for (const auto& [last, first] : back) all.push_back({first, last});
}

std::vector<Loop> Loops::innermost() const {
  std::vector<Loop> found;
  for (const Loop& loop : all)
    if (std::ranges::none_of(all, [&](const Loop& other) {
          return other.last != loop.last && loop.first <= other.first && other.last < loop.last;
        }))
      found.push_back(loop);
  return found;
}

}  // namespace headroom
