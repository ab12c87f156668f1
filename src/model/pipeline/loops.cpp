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

std::set<uint32_t> ends_of_loops(const Trace& trace, const Loops& loops) {
  std::set<uint32_t> ends;
  for (const Loop& loop : loops.all) ends.insert(loop.last);
  const auto add = [&](const TracedBasicBlock& from, const TracedBasicBlock* to) {
    for (const Loop& loop : loops.all) {
      if (!loop.has(from.last) || (to && loop.has(to->first))) continue;
      for (uint32_t i = from.first; i <= from.last; ++i) {
        const std::string_view opcode = trace.code[i].instruction->opcode;
        if (opcode == "EXIT" || opcode == "BREAK" || opcode == "BRA") ends.insert(i);
      }
    }
  };
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps)
      for (size_t e = 0; e < warp.entered.size(); ++e) {
        const TracedBasicBlock& from = trace.basic_blocks[warp.entered[e].basic_block];
        if (from.first > from.last) continue;
        const bool is_last = e + 1 == warp.entered.size();
        if (is_last && warp.executed > warp.traced) continue;  // goes on, where is not known
        add(from, is_last ? nullptr : &trace.basic_blocks[warp.entered[e + 1].basic_block]);
      }
  return ends;
}

}  // namespace headroom
