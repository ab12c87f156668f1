// Operands that are addresses.
#include "sass/operands.h"

namespace headroom::sass {

Operand OperandReader::constant(char address_register) const {
  Operand operand;
  operand.kind = OperandKind::constant;
  operand.index = uint16_t(bits(54, 5));
  operand.value = address_register ? signed_field(word_, {38, 16}) : int64_t(bits(38, 16));
  if (address_register == 'R') {
    operand.base = uint16_t(bits(24, 8));
    operand.has_base = true;
  } else if (address_register == 'U') {
    operand.uniform = uint16_t(bits(24, 6));
    operand.has_uniform = true;
  }
  return operand;
}

// [R2.64+0x10], desc[UR4][R2.64], [R2.64+UR4]
void OperandReader::global(const Hole& hole, Operand& operand) const {
  operand.kind = OperandKind::memory;
  const Operand base = reg(24);
  operand.base = base.index;
  operand.reuse = base.reuse;
  operand.value = signed_field(word_, {40, 24});
  operand.wide = bits(72, 1);  // .E
  if (!bits(91, 1)) {
    // Where neither a uniform register nor data stands at bit 32, the offset has 32 bits.
    constexpr uint64_t generic_store = 0x185;
    const bool is_load = hole.field.bit == 32;
    if ((is_load && form_ == 4) || bits(0, 9) == generic_store)
      operand.value = signed_field(word_, {32, 32});
    return;
  }
  operand.wide = bits(hole.pair, 1);
  operand.tells_width = operand.base != zero_register || !operand.wide;
  const uint16_t which = uint16_t(bits(hole.field.bit, 6));
  operand.has_descriptor = architecture_ >= 80 && bits(hole.descriptor, 1);
  operand.has_uniform = !operand.has_descriptor;
  (operand.has_descriptor ? operand.descriptor : operand.uniform) = which;
}

// From global to shared memory: [R9+0x80], desc[UR8][R4.64+0x200]
void OperandReader::copy(std::vector<Operand>& operands) const {
  Operand to, from;
  to.kind = from.kind = OperandKind::memory;
  to.base = uint16_t(bits(16, 8));
  to.value = signed_field(word_, {44, 20});
  to.has_base = true;
  from.base = reg(24).index;
  from.reuse = reg(24).reuse;
  from.value = signed_field(word_, {32, 12});
  from.wide = from.tells_width = true;
  const bool describes = bits(76, 1);
  from.has_descriptor = describes;
  from.has_uniform = !describes;
  (describes ? from.descriptor : from.uniform) = uint16_t(bits(64, 6));
  operands.push_back(to);
  operands.push_back(from);
}

void OperandReader::shared(const Hole& hole, Operand& operand) const {
  operand.kind = OperandKind::memory;
  const Operand base = reg(24);
  operand.base = base.index;
  operand.reuse = base.reuse;
  operand.value = signed_field(word_, {40, 24});
  operand.has_base = true;
  operand.scale = uint8_t(hole.slot != 'O' && bits(78, 2) ? 2 << bits(78, 2) : 1);
  if (!bits(91, 1) || hole.field.bit == 24) return;
  constexpr uint64_t which_space = 0x1aa;  // QSPC: of a generic address
  operand.tells_width = bits(0, 9) == which_space;
  operand.wide = operand.tells_width && bits(90, 1);
  operand.has_uniform = true;
  operand.uniform = uint16_t(bits(hole.field.bit, 6));
}

// [R4], [R4.64], [UR4], [UR4+0x10]
Operand OperandReader::pointer(const Hole& hole) const {
  Operand operand;
  operand.kind = OperandKind::memory;
  operand.has_base = hole.kind == HoleKind::register_pointer || hole.kind == HoleKind::wide_pointer;
  operand.has_uniform = !operand.has_base;
  operand.wide = operand.tells_width = hole.kind == HoleKind::wide_pointer;
  const uint64_t which = bits(hole.field.bit, operand.has_base ? 8 : 6);
  (operand.has_base ? operand.base : operand.uniform) = uint16_t(which);
  if (hole.kind == HoleKind::uniform_address) operand.value = signed_field(word_, {40, 24});
  return operand;
}

}  // namespace headroom::sass
