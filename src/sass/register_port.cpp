#include "sass/register_port.h"

namespace headroom::sass {

RegisterReads register_reads(const Instruction& instruction) {
  RegisterReads reads{};
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::reg && !operand.written && operand.slot != no_slot)
      reads[operand.slot] = {operand.index, operand.slot, operand.reuse};
  if (instruction.has(".WIDE") && reads[2].number != zero_register)
    reads[3] = {uint16_t(reads[2].number + 1), 2, reads[2].kept};
  return reads;
}

PortUse RegisterPort::read(const RegisterReads& reads) {
  PortUse use;
  for (const RegisterRead& read : reads) {
    if (read.number == zero_register) continue;
    const size_t bank = read.number % 2;
    uint16_t& kept = kept_[read.slot][bank];
    const bool named_before = std::any_of(
        reads.data(), &read, [&](const RegisterRead& one) { return one.number == read.number; });
    if (kept == read.number)
      ++use.reused;
    else if (!named_before)
      ++use.of_bank[bank];
    kept = read.kept ? read.number : none;
    is_empty_ = is_empty_ && !read.kept;
  }
  return use;
}

}  // namespace headroom::sass
