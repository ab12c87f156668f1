// Small words about machine instructions that the files of this folder share.
#pragma once
#include <string>
#include <string_view>

#include "sass/instruction.h"

namespace headroom::sim {

inline std::string lowercase(std::string_view text) {
  std::string out;
  for (const char c : text) out += char(std::tolower(c));
  return out;
}

inline bool is_zero(const sass::Operand& operand) {  // RZ or URZ
  using Kind = sass::OperandKind;
  return (operand.kind == Kind::reg && operand.index == sass::zero_register) ||
         (operand.kind == Kind::uniform && operand.index == sass::zero_uniform);
}

// PT or UPT: as an output, nowhere.
inline bool is_true(const sass::Operand& operand) { return operand.index == sass::true_predicate; }

inline const char* rounding(const sass::Instruction& instruction) {
  return instruction.has(".RM")   ? ".rm"
         : instruction.has(".RP") ? ".rp"
         : instruction.has(".RZ") ? ".rz"
                                  : ".rn";
}

}  // namespace headroom::sim
