// Barriers of a block: BAR in its forms, and what a reducing one gives.
#include "sim/decode_sass/decoder.h"

namespace headroom::sim {

// BAR.op number[, threads][, predicate]. A register holds both: threads << 16 | number.
void MachineDecoder::end_barrier(const Instruction& instruction) {
  std::vector<const Operand*> numbers;
  const Operand* predicate = nullptr;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Kind::predicate)
      predicate = &operand;
    else
      numbers.push_back(&operand);
  }
  if (numbers.empty()) unsupported();
  uint32_t number = word(*numbers[0]);
  if (numbers[0]->kind == Kind::reg) {
    const uint32_t low = temporary(4);
    add("and.b32", {low, number, constant(15, 4)});
    number = low;
  }
  if (numbers.size() > 1) {
    uint32_t threads = word(*numbers[1]);
    if (numbers[1]->kind == Kind::reg) {
      const uint32_t high = temporary(4);
      add("shr.u32", {high, threads, constant(16, 4)});
      add("and.b32", {high, high, constant(0xfff, 4)});
      threads = high;
    }
    program.basic_blocks.back().threads = threads;
  }
  if (instruction.has(".RED")) {
    if (!predicate) unsupported();
    program.basic_blocks.back().reduce = flag(*predicate);
    reduced_barrier = number;
    reduction = instruction.has(".POPC") ? "popc" : instruction.has(".AND") ? "and" : "or";
    if (numbers[0]->kind == Kind::reg)
      unsupported("a reducing barrier whose number is in a register");
  }
  program.basic_blocks.back().barrier = number;
  close_basic_block(instruction.has(".ARV") ? Terminator::arrive : Terminator::barrier);
}

void MachineDecoder::decode_barrier_result(const Instruction& instruction) {
  if (!reduced_barrier) unsupported("no reducing barrier before it");
  const uint32_t popc = out(instruction.operands.at(0)),
                 flag_at = out_flag(instruction.operands.at(1));
  if (reduction == "popc") return add("!barrier_popc", {popc, *reduced_barrier});
  add("!barrier_" + reduction, {flag_at, *reduced_barrier});
}

}  // namespace headroom::sim
