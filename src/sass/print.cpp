#include "sass/print.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "sass/forms.h"

namespace headroom::sass {
namespace {

std::string reg(uint16_t index) {
  return index == zero_register ? "RZ" : fmt::format("R{}", index);
}

std::string uniform(uint16_t index) {
  return index == zero_uniform ? "URZ" : fmt::format("UR{}", index);
}

std::string predicate(const Operand& operand) {
  const char* kind = operand.kind == OperandKind::uniform_predicate ? "UP" : "P";
  const std::string name = operand.index == true_predicate
                               ? fmt::format("{}T", kind)
                               : fmt::format("{}{}", kind, operand.index);
  return (operand.inverted ? "!" : "") + name;
}

std::string hexadecimal(int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", uint64_t(-value)) : fmt::format("{:#x}", value);
}

std::string real(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-QNAN" : "+QNAN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
  return fmt::format("{}", value);
}

double half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return bits >> 15 ? -size : size;
}

std::string real(const Operand& operand) {
  const uint32_t bits = uint32_t(operand.value);
  switch (operand.real) {
    case Real::f32: return real(double(std::bit_cast<float>(bits)));
    case Real::f64: return real(std::bit_cast<double>(uint64_t(bits) << 32));
    case Real::bf16x2:
      return real(double(std::bit_cast<float>(bits & 0xffff'0000))) + ", " +
             real(double(std::bit_cast<float>(bits << 16)));
    case Real::f16x2: break;
  }
  return real(half(uint16_t(bits >> 16))) + ", " + real(half(uint16_t(bits)));
}

// What stands between the brackets; a part that is zero is left out unless nothing else is there.
std::string address(const Operand& operand) {
  std::string text;
  const bool has_base =
      operand.base != zero_register || operand.scale > 1 || (operand.tells_width && !operand.wide);
  if (has_base) {
    text = reg(operand.base);
    if (operand.tells_width) text += operand.wide ? ".64" : ".U32";
    if (operand.scale > 1) text += fmt::format(".X{}", operand.scale);
    if (operand.reuse) text += ".reuse";
  }
  if (operand.has_uniform) text += (text.empty() ? "" : "+") + uniform(operand.uniform);
  if (text.empty() && operand.has_base && operand.value == 0) return "RZ";
  if (operand.value || text.empty()) text += (text.empty() ? "" : "+") + hexadecimal(operand.value);
  return text;
}

std::string constant(const Operand& operand) {
  std::string text;
  if (operand.has_uniform)
    text = uniform(operand.uniform);
  else if (operand.base != zero_register)
    text = reg(operand.base);
  if (text.empty() && operand.has_base && operand.value == 0) text = "RZ";
  if (text.empty()) return fmt::format("c[{:#x}][{:#x}]", operand.index, operand.value & 0x1ffff);
  if (operand.value) text += "+" + hexadecimal(operand.value);
  return fmt::format("c[{:#x}][{}]", operand.index, text);
}

std::string bare(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg: return reg(operand.index);
    case OperandKind::uniform: return uniform(operand.index);
    case OperandKind::predicate:
    case OperandKind::uniform_predicate: return predicate(operand);
    case OperandKind::barrier: return fmt::format("B{}", operand.index);
    case OperandKind::immediate: return hexadecimal(operand.value);
    case OperandKind::real: return real(operand);
    case OperandKind::constant: return constant(operand);
    case OperandKind::memory: break;
    case OperandKind::matrix: return fmt::format("gdesc[{}]", uniform(operand.descriptor));
    case OperandKind::descriptor: return fmt::format("desc[{}]", uniform(operand.descriptor));
    case OperandKind::special: return std::string(operand.text);
    case OperandKind::label: return fmt::format("{:#x}", operand.value);
    case OperandKind::word:
      return operand.value ? fmt::format("{}{}", operand.text, operand.index)
                           : std::string(operand.text);
  }
  if (!operand.has_descriptor) return "[" + address(operand) + "]";
  return "desc[" + uniform(operand.descriptor) + "][" + address(operand) + "]";
}

}  // namespace

std::string print(const Operand& operand) {
  std::string text = bare(operand);
  if (operand.absolute) text = "|" + text + "|";
  const bool predicate =
      operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
  if (operand.inverted && !predicate) text = "~" + text;
  if (operand.negative) text = "-" + text;
  if (operand.reuse && operand.kind == OperandKind::reg) text += ".reuse";
  for (const std::string_view suffix : operand.suffixes) text += suffix;
  return text;
}

std::string print(const Instruction& instruction) {
  if (instruction.opcode.empty())
    return fmt::format("unknown: {:#018x} {:#018x}", instruction.encoding.low,
                       instruction.encoding.high);
  std::string text;
  if (instruction.guarded) text = "@" + print(instruction.guard) + " ";
  text += instruction.opcode;
  for (const std::string_view modifier : instruction.modifiers) text += modifier;
  const char* between = " ";
  for (const Operand& operand : instruction.operands) {
    if (operand.hidden) continue;
    text += between + print(operand);
    between = ", ";
  }
  return text;
}

}  // namespace headroom::sass
