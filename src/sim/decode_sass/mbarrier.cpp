// Barriers in shared memory. The executor keeps its own word for one (mbarrier.h); machine code sees
// the hardware's where it begins one and where an arrival returns a state:
//
//   | 63    | 62 … 43              | 20 … 1                |
//   | phase | 2^20 - pending       | 2^20 - expected       |
//
//   SYNCS.EXCH.64 URZ, [UR9], UR4              mbarrier.init: UR4 = (2^20 - count) << 1
//   SYNCS.ARRIVE.TRANS64.ART0 R4, [UR9], R8    R8 arrivals and no transactions
//   SYNCS.ARRIVE.TRANS64 RZ, [UR9], R8         one arrival, R8 transactions
//   SYNCS.PHASECHK.TRANS64 P0, [UR9], R5       the phase of the parity in bit 31 is over
#include "sim/check/marks.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/mbarrier_operations.h"
#include "sim/one_lane.h"

namespace headroom::sim {

std::span<const MachineDecoder::Entry> MachineDecoder::mbarrier_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"SYNCS", &M::decode_syncs},
      {"ARRIVES", &M::decode_copies_arrive},
  };
  return entries;
}

void MachineDecoder::barrier_operation(Handler handler, const Operand& where, uint32_t result,
                                       uint32_t value, uint64_t flags) {
  const Address at = cluster_address(where);
  const bool begins = handler == &in_one_lane<&mbarrier_init> || handler == &mbarrier_inval,
             arrives = handler == &mbarrier_arrive, waits = handler == &mbarrier_parity;
  const auto tell = [&](Handler which) {
    if (options.watched) add(Row{which, which}, {result, at.operand}, at.offset, flags);
  };
  if (begins)
    tell(handler == &mbarrier_inval ? &check::mark_end : &in_one_lane<&check::mark_making>);
  if (arrives) tell(&check::mark_arrival);
  if (!begins && !arrives && !waits) tell(&check::mark_change);
  add(Row{handler, handler}, {result, at.operand, value}, at.offset, flags);
  if (waits) tell(&check::mark_wait);
  if (!begins) tell(&check::mark_use);
}

void MachineDecoder::decode_syncs(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".EXCH")) return begin_barrier(o);
  if (instruction.has(".CCTL"))
    return barrier_operation(&mbarrier_inval, o.at(0), no_operand, no_operand);
  if (instruction.has(".ARRIVE")) return decode_arrive(instruction);
  if (!instruction.has(".PHASECHK")) unsupported();
  const uint32_t parity = temporary(4);
  add("shr.u32", {parity, word(o.at(2)), constant(31, 4)});
  barrier_operation(&mbarrier_parity, o.at(1), out_flag(o.at(0)), parity);
}

// d, [at], {low, high}
void MachineDecoder::begin_barrier(const std::vector<Operand>& o) {
  if (!is_zero(o.at(0))) unsupported("what was there before is asked for");
  const uint32_t less = temporary(4), count = temporary(4);
  add("shr.s32", {less, word_at(o.at(2), 0), constant(1, 4)});
  add("sub.u32", {count, constant(1 << 20, 4), less});
  barrier_operation(&in_one_lane<&mbarrier_init>, o.at(1), no_operand, count);
}

// state, [at], value. Which of arrivals (A) and transactions (T) are one, none, or in the register
// (R; X: transactions that have ended).
void MachineDecoder::decode_arrive(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Operand& where = o.at(1);
  const uint32_t value = word(o.at(2)), one = constant(1, 4);
  const bool wants = !is_zero(o.at(0));
  if (!wants && instruction.has(".TMASK")) unsupported();
  const auto change = [&](Handler handler, uint32_t by) {
    if (wants || instruction.has(".OPTOUT")) unsupported();
    barrier_operation(handler, where, no_operand, by);
  };
  if (instruction.has(".A0TR")) return change(&mbarrier_expect, value);
  if (instruction.has(".A0T1")) return change(&mbarrier_expect, one);
  if (instruction.has(".A0TX")) return change(&mbarrier_complete, value);
  const bool plain = instruction.has(".A1T0"), many = instruction.has(".ART0");
  const uint32_t before = wants ? temporary(8) : no_operand;
  barrier_operation(&mbarrier_arrive, where, before, plain ? one : value,
                    (instruction.has(".OPTOUT") ? drops : 0) | (plain || many ? 0 : expects));
  if (!wants) return;
  add("!barrier_state_high", {out_at(o[0], 1), before});
  // .TMASK: the lanes that arrive together, of which code counts those before its own. Here each
  // arrives by itself.
  if (instruction.has(".TMASK"))
    add("!mov4", {out_at(o[0], 0), areas.special(Special::lanemask_eq)});
  else
    add("!barrier_state_low", {out_at(o[0], 0), before});
}

// Behind a lane's copies: an arrival, or a transaction that ended.
void MachineDecoder::decode_copies_arrive(const Instruction& instruction) {
  if (!instruction.has(".ARVCNT") && !instruction.has(".TRANSCNT")) unsupported();
  const bool arrives = instruction.has(".ARVCNT");
  mark(&check::mark_copy_commit);  // who waits at it is not followed
  mark(&check::mark_copy_wait);
  barrier_operation(arrives ? &mbarrier_arrive : &mbarrier_complete, instruction.operands.at(0),
                    no_operand, constant(1, 4));
}

}  // namespace headroom::sim
