#include "model/pipeline/alike.h"

namespace headroom {

uint64_t access_hash(const Trace& trace) {
  uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a, of words
  const auto add = [&](uint64_t word) { hash = (hash ^ word) * 0x100000001b3ull; };
  for (const auto* blocks : {&trace.blocks, &trace.others})
    for (const TracedBlock& block : *blocks)
      for (const TracedWarp& warp : block.warps) {
        add(warp.executed);
        for (const TracedAccess& access : warp.accesses) {
          add(access.instruction);
          add(uint64_t(access.lanes) << 48 | uint64_t(access.same_address) << 32 |
              uint64_t(access.wavefronts) << 16 | access.passes);
          add(access.sectors);
        }
      }
  return hash;
}

}  // namespace headroom
