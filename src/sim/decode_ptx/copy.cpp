// Asynchronous copies: cp.async and what waits for it. A copy is done when it is issued, which is
// one of the orders a program must reckon with; groups of copies are therefore always complete.
//
//   cp.async.ca.shared.global [%r1], [%rd1], 16, %r2;   clear, load where %r2 >= 16, load the part
//                                                       where 0 < %r2 < 16, store
#include "sim/check/marks.h"
#include "sim/decode_ptx/decoder.h"
#include "sim/mbarrier_operations.h"
#include "sim/partial_copy.h"

namespace headroom::sim {

void FunctionDecoder::decode_copy(const Instruction& instruction) {
  const auto mark = [&](Handler which, uint64_t extra) {
    if (shared.watched) add(Row{which, which}, {}, 0, extra);
  };
  const bool bulk = instruction.has(".bulk"), waits_for_all = instruction.has(".wait_all");
  if (instruction.has(".commit_group") || instruction.has(".wait_group") || waits_for_all) {
    if (bulk) {
      if (!shared.watched) return;
      const Handler bulk_mark =
          instruction.has(".commit_group") ? &check::mark_bulk_commit : &check::mark_bulk_wait;
      return add(Row{bulk_mark, bulk_mark}, {}, instruction.has(".read"),
                 instruction.operands.empty() ? 0 : instruction.operands[0].bits);
    }
    if (!instruction.has(".wait_group")) mark(&check::mark_copy_commit, 0);
    if (!instruction.has(".commit_group"))
      mark(&check::mark_copy_wait, waits_for_all ? 0 : instruction.operands.at(0).bits);
    return;
  }
  if (instruction.has(".mbarrier")) {
    mark(&check::mark_copy_commit, 0);  // who waits at it is not followed
    mark(&check::mark_copy_wait, 0);
    return barrier_operation(&mbarrier_copies, instruction.operands.at(0), no_operand, no_operand,
                             instruction.has(".noinc") ? awaited : 0);
  }
  if (instruction.has(".bulk")) return decode_bulk_copy(instruction);
  decode_async_copy(instruction);
}

// cp.async.{ca,cg}.shared.global [dst], [src], cp-size{, src-size | ignore-src}{, cache-policy}
void FunctionDecoder::decode_async_copy(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const Operand& size = operands.at(2);
  const int bytes = size.kind == Kind::immediate ? int(size.bits) : 0;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    unsupported(instruction, "the size must be 4, 8 or 16");
  if (instruction.has(".cg") && bytes != 16) unsupported(instruction, ".cg copies 16 bytes");
  const size_t hints = instruction.has(".L2::cache_hint") ? 1 : 0;
  const Operand* less = operands.size() - hints > 3 ? &operands[3] : nullptr;
  if (less && less->kind == Kind::immediate) {
    if (less->bits > uint64_t(bytes)) unsupported(instruction, "src-size is greater than cp-size");
    if (less->bits == uint64_t(bytes)) less = nullptr;
  }
  const Address from = address(operands.at(1), Place::global);
  const uint32_t data = temporary(bytes);
  const Handler load = engine().load(bytes, false, bytes, 1);
  if (!less) {
    memory_operation(from, Use::load, bytes, load, {data});
  } else {
    load_less(instruction, from, *less, bytes, data);
  }
  memory_operation(address(operands.at(0), Place::shared), Use::store, bytes,
                   engine().store(bytes, bytes, 1), {data});
}

// What a lane does not bring is zero: it brings src-size bytes, none where ignore-src holds.
void FunctionDecoder::load_less(const Instruction& instruction, Address from, const Operand& less,
                                int bytes, uint32_t data) {
  add(Row{&clear_copy, &clear_copy}, {data}, 0, uint64_t(bytes));
  const bool ignores = less.kind == Kind::reg && register_bytes(less.reg) == 0;
  const uint32_t whole = temporary(0);  // lanes that bring all
  const uint32_t brought = ignores ? no_operand : input(less, 4);
  if (ignores)
    add("not.pred", {whole, input(less, 0)});
  else
    add("setp.ge.u32", {whole, brought, shared.constant(uint64_t(bytes), 4)});
  if (instruction.guard.reg >= 0) {
    uint32_t guard = register_operand(instruction.guard.reg);
    if (instruction.guard.negated) {
      const uint32_t inverse = temporary(0);
      add("not.pred", {inverse, guard});
      guard = inverse;
    }
    add("and.pred", {whole, whole, guard});
  }
  if (!from.wide) {
    const uint32_t wide = temporary(8);
    resize(wide, 8, from.operand, 4, false);
    from.operand = wide, from.wide = true;
  }
  memory_operation(from, Use::load, bytes, engine().load(bytes, false, bytes, 1), {data});
  program.operations.back().guard = whole;
  if (ignores) return;
  add(Row{&copy_partly, &copy_partly}, {data, brought}, from.offset, uint64_t(bytes));
  program.operations.back().operand[address_operand] = from.operand;
}

}  // namespace headroom::sim
