// Registers that instructions name, for those who follow values through the code of a trace.
//
//   each_read(LDG.E.64 R4, [R2.64+UR6], …)      R2, R3, UR6
//   each_written(LDG.E.64 R4, [R2.64+UR6], …)   R4, R5
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

#include "sass/instruction.h"

namespace headroom {

using Register = std::pair<sass::OperandKind, uint16_t>;
using Registers = std::set<Register>;

inline Register name_of(const sass::Operand& operand) { return {operand.kind, operand.index}; }

// Not RZ and URZ, which take what is written and stay what they are.
inline bool is_register(const sass::Operand& operand) {
  return (operand.kind == sass::OperandKind::reg && operand.index != sass::zero_register) ||
         (operand.kind == sass::OperandKind::uniform && operand.index != sass::zero_uniform);
}

inline int registers_written(const sass::Instruction& instruction) {
  if (instruction.has(".128")) return 4;
  return instruction.has(".64") || instruction.has(".WIDE") ? 2 : 1;
}

template <class Body>
void each_of_address(const sass::Operand& operand, Body body) {
  if (operand.base != sass::zero_register) {
    body(Register{sass::OperandKind::reg, operand.base});
    if (operand.wide) body(Register{sass::OperandKind::reg, uint16_t(operand.base + 1)});
  }
  if (operand.has_uniform && operand.uniform != sass::zero_uniform)
    body(Register{sass::OperandKind::uniform, operand.uniform});
}
// Guards are not among them.
template <class Body>
void each_read(const sass::Instruction& instruction, Body body) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::memory || operand.kind == sass::OperandKind::constant)
      each_of_address(operand, body);
    else if (!operand.written && is_register(operand))
      body(name_of(operand));
}
template <class Body>
void each_written(const sass::Instruction& instruction, Body body) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.written && is_register(operand))
      for (int more = 0; more < registers_written(instruction); ++more)
        body(Register{operand.kind, uint16_t(operand.index + more)});
}

// As a value, not in an address.
inline bool reads(const sass::Instruction& instruction, uint16_t number) {
  return std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::reg && !operand.written && operand.index == number;
  });
}

inline bool is_any(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, opcode) != names.end();
}

}  // namespace headroom
