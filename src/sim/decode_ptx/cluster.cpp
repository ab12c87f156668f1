// Instructions of clusters: arriving at their barrier, and the addresses of another block's shared
// memory (cluster.h says how they are made).
#include "sim/cluster.h"

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

// barrier.cluster.arrive{.sem}{.aligned};   (its wait ends a basic block: decode_ptx/flow.cpp.
// bar.warp.sync waits where its basic block begins: nothing is left to do.)
void FunctionDecoder::decode_cluster_arrive(const Instruction& instruction) {
  if (instruction.has(".cluster")) add("!cluster_arrive", {});
}

// mapa{.shared::cluster}.type d, a, b: the address in block b of what lies at a in this one. The
// bits of the rank are the same in a generic address.
void FunctionDecoder::decode_mapa(const Instruction& instruction) {
  const int bytes = size_of(instruction.type());
  const std::string bits = std::to_string(8 * bytes);
  const uint32_t address = input(instruction.operands.at(1), bytes),
                 rank = input(instruction.operands.at(2), 4);
  const uint32_t plain = temporary(bytes), next = temporary(4), high = temporary(4);
  add("and.b" + bits, {plain, address, shared.constant(~rank_bits, bytes)});
  add("add.u32", {next, rank, shared.constant(1, 4)});
  add("shl.b32", {high, next, shared.constant(rank_shift, 4)});
  uint32_t wide = high;
  if (bytes == 8) {
    wide = temporary(8);
    resize(wide, 8, high, 4, false);
  }
  add("or.b" + bits, {output(instruction.operands.at(0), bytes), plain, wide});
  finish_outputs();
}

// getctarank{.shared::cluster}.type d, a: the rank of the block whose shared memory a means.
void FunctionDecoder::decode_getctarank(const Instruction& instruction) {
  const int bytes = size_of(instruction.type());
  uint32_t address = input(instruction.operands.at(1), bytes);
  if (bytes == 8) {
    const uint32_t low = temporary(4);
    resize(low, 4, address, 8, false);
    address = low;
  }
  const uint32_t above = temporary(4), theirs = temporary(4), own = temporary(0);
  add("shr.u32", {above, address, shared.constant(rank_shift, 4)});
  add("setp.eq.u32", {own, above, shared.constant(0, 4)});
  add("sub.u32", {theirs, above, shared.constant(1, 4)});
  add("!select4", {output(instruction.operands.at(0), 4), shared.special(Special::cluster_ctarank),
                   theirs, own});
  finish_outputs();
}

}  // namespace headroom::sim
