// What orders accesses does nothing here, as an access is done when it is issued. A program that is watched
// tells the launch's Checker of it (check/marks.h).
//
//   MEMBAR.SC.GPU          a fence                      LDGDEPBAR             a group of LDGSTS ends
//   NOP                    what is left of __syncwarp   DEPBAR.LE SB0, 0x1    … is waited for
//   WARPSYNC R0            the same, of some lanes      UTMACMDFLUSH          a group of bulk copies ends
#include "sim/check/marks.h"
#include "sim/decode_sass/decoder.h"

namespace headroom::sim {

std::span<const MachineDecoder::Entry> MachineDecoder::order_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"NOP", &M::decode_warp_sync},       {"WARPSYNC", &M::decode_warp_sync},
      {"MEMBAR", &M::decode_fence},        {"FENCE", &M::decode_fence},
      {"CCTL", &M::decode_fence},          {"LDGDEPBAR", &M::decode_commit},
      {"UTMACMDFLUSH", &M::decode_commit}, {"DEPBAR", &M::decode_groups_wait},
      {"WARPGROUP", &M::decode_warpgroup},
  };
  return entries;
}

void MachineDecoder::mark(Handler which, uint64_t extra) {
  if (options.watched) add(Row{which, which}, {}, 0, extra);
}

void MachineDecoder::decode_warp_sync(const Instruction&) { mark(&check::mark_warp_sync); }

// CCTL.IVALL: the second half of an acquire, as it empties the cache.
void MachineDecoder::decode_fence(const Instruction& instruction) {
  if (instruction.opcode != "CCTL" || instruction.has(".IVALL")) mark(&check::mark_fence);
}

void MachineDecoder::decode_commit(const Instruction& instruction) {
  mark(instruction.opcode == "LDGDEPBAR" ? &check::mark_copy_commit : &check::mark_bulk_commit);
}

// SB0, n: of both kinds of copies; what it counts beside them does not show.
void MachineDecoder::decode_groups_wait(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Kind::immediate) continue;
    mark(&check::mark_copy_wait, uint64_t(operand.value));
    mark(&check::mark_bulk_wait, uint64_t(operand.value));
  }
}

// .ARRIVE: the fence before products.
void MachineDecoder::decode_warpgroup(const Instruction& instruction) {
  if (instruction.has(".ARRIVE")) mark(&check::mark_product_fence);
}

}  // namespace headroom::sim
