// Barriers in shared memory: mbarrier.*, and the arrival that follows copies, become one operation
// each.
#include "sim/check/marks.h"
#include "sim/decode_ptx/decoder.h"
#include "sim/mbarrier_operations.h"

namespace headroom::sim {
namespace {

bool in_shared(const ptx::Instruction& instruction) {
  return instruction.has(".shared") || instruction.has(".shared::cta") ||
         instruction.has(".shared::cluster");
}

}  // namespace

// The operation on the barrier at `where`.
void FunctionDecoder::barrier_operation(Handler handler, const Operand& where, uint32_t result,
                                        uint32_t value, uint64_t flags) {
  const bool generic = !in_shared(*current);
  const Address at = address(where, generic ? Place::generic : Place::shared);
  flags |= (at.wide ? wide_address : 0) | (generic ? generic_address : 0);
  const bool arrives = handler == &mbarrier_arrive || handler == &mbarrier_copies,
             waits = handler == &mbarrier_state || handler == &mbarrier_parity;
  const auto mark = [&](Handler which) {
    if (shared.watched) add(Row{which, which}, {result, at.operand}, at.offset, flags);
  };
  const bool begins = handler == &mbarrier_init || handler == &mbarrier_inval;
  if (begins) mark(handler == &mbarrier_init ? &check::mark_making : &check::mark_end);
  if (arrives) mark(&check::mark_arrival);
  if (!begins && !arrives && !waits) mark(&check::mark_change);
  add(Row{handler, handler}, {result, at.operand, value}, at.offset, flags);
  if (waits) mark(&check::mark_wait);
  if (!begins) mark(&check::mark_use);
}

void FunctionDecoder::decode_mbarrier(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const std::string& what = instruction.modifiers.at(0);
  const auto value = [&](size_t n) { return input(operands.at(n), 4); };
  if (what == ".pending_count") {
    const uint32_t state = input(operands.at(1), 8);
    add(Row{&mbarrier_pending, &mbarrier_pending}, {output(operands.at(0), 4), state});
    return finish_outputs();
  }
  if (what == ".init")
    return barrier_operation(&mbarrier_init, operands.at(0), no_operand, value(1));
  if (what == ".inval")
    return barrier_operation(&mbarrier_inval, operands.at(0), no_operand, no_operand);
  if (what == ".expect_tx")
    return barrier_operation(&mbarrier_expect, operands.at(0), no_operand, value(1));
  if (what == ".complete_tx")
    return barrier_operation(&mbarrier_complete, operands.at(0), no_operand, value(1));
  if (what == ".test_wait" || what == ".try_wait") {  // how long it may take is a hint
    const bool parity = instruction.has(".parity");
    const uint32_t before = parity ? value(2) : input(operands.at(2), 8);
    return barrier_operation(parity ? &mbarrier_parity : &mbarrier_state, operands.at(1),
                             output(operands.at(0), 0), before);
  }
  // mbarrier.arrive[_drop][.expect_tx | .noComplete] [state,] [addr][, count | tx-count]
  const size_t at = operands.at(0).kind == Kind::address ? 0 : 1;
  const bool wants = at == 1 && operands[0].kind == Kind::reg;
  const uint32_t count = operands.size() > at + 1 ? value(at + 1) : shared.constant(1, 4);
  barrier_operation(&mbarrier_arrive, operands.at(at), wants ? output(operands[0], 8) : no_operand,
                    count,
                    (what == ".arrive_drop" ? drops : 0) |
                        (instruction.has(".noComplete") ? must_not_complete : 0) |
                        (instruction.has(".expect_tx") ? expects : 0));
  finish_outputs();
}

}  // namespace headroom::sim
