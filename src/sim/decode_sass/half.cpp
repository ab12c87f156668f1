// Arithmetic on two halves, f16 or bf16, that share a register, and the halves of MUFU.
//
//   HFMA2.BF16_V2 R0, R1.H0_H0, R2, R3   !low_twice t, R1;  fma.rn.bf16x2 R0, t, R2, R3
//   HADD2.F32 R0, -RZ, R1.H1_H1          !widen_high R0, R1
//   HADD2 R0, R1.F32, -RZ.H0_H0           both halves are R1, rounded to zero (sm_75)
#include <string>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

constexpr uint32_t signs_of_both = 0x8000'8000;

bool is_bf16(const sass::Instruction& instruction) { return instruction.has(".BF16_V2"); }

// "fma" -> "fma.rn.ftz.relu.f16x2"
std::string spelling(const sass::Instruction& instruction, const char* name) {
  return std::string(name) + ".rn" + (instruction.has(".FTZ") ? ".ftz" : "") +
         (instruction.has(".SAT") ? ".sat" : "") + (instruction.has(".RELU") ? ".relu" : "") +
         (is_bf16(instruction) ? ".bf16x2" : ".f16x2");
}

bool is_negative_zero(const sass::Operand& operand) { return is_zero(operand) && operand.negative; }

// Whether one of the halves is a NaN, which does not pass through a sum as it is.
bool has_nan(const sass::Operand& operand) {
  const uint32_t infinity = operand.real == sass::Real::bf16x2 ? 0x7f80 : 0x7c00;
  return (operand.value & 0x7fff) > infinity || (operand.value >> 16 & 0x7fff) > infinity;
}

// Whether it is an absolute value, or has no signs to begin with.
bool is_magnitude(const sass::Operand& operand) {
  return operand.absolute ||
         (operand.kind == sass::OperandKind::real && (operand.value & signs_of_both) == 0);
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::half_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"HADD2", &M::decode_hadd2},   {"HMUL2", &M::decode_hmul2},   {"HFMA2", &M::decode_hfma2},
      {"HMNMX2", &M::decode_hmnmx2}, {"VHMNMX", &M::decode_vhmnmx}, {"HSET2", &M::decode_hset2},
      {"HSETP2", &M::decode_hsetp2},
  };
  return entries;
}

// An operand's two halves in a word: those it selects, with its signs.
uint32_t MachineDecoder::halves(const Operand& operand) {
  if (is_zero(operand)) return constant(operand.negative ? signs_of_both : 0, 4);
  return signs(selected_halves(operand), operand, Sort::f16x2);
}

uint32_t MachineDecoder::selected_halves(const Operand& operand) {
  const uint32_t at = word_at(operand, 0);
  if (operand.suffixes.empty()) return at;
  const uint32_t chosen = temporary(4);
  // Rounded to a half, which both are: ptxas has it for cvt.rz, and F2F for cvt.rn.
  if (operand.suffixes[0] == ".F32") {
    if (is_bf16(*current)) unsupported();
    const uint32_t half = temporary(2);
    add("cvt.rz.f16.f32", {half, at});
    add("!pack4x2", {chosen, half, half});
    return chosen;
  }
  add(operand.suffixes[0] == ".H0_H0" ? "!low_twice" : "!high_twice", {chosen, at});
  return chosen;
}

void MachineDecoder::decode_hadd2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".F32")) return widen_half(instruction);
  const uint32_t a = halves(o.at(1)), b = halves(o.at(2));
  add(spelling(instruction, "add"), {out(o[0]), a, b});
}

// .F32 of a half and -0, in either order
void MachineDecoder::widen_half(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool zero_first = is_negative_zero(o.at(1));
  const Operand& half = o.at(zero_first ? 2 : 1);
  if (!is_negative_zero(o[zero_first ? 1 : 2]) || half.suffixes.empty() ||
      half.suffixes[0] == ".F32" || is_bf16(instruction) || instruction.has(".FTZ"))
    unsupported();
  const bool saturates = instruction.has(".SAT");
  const uint32_t from = signs(word_at(half, 0), half, Sort::f16x2),
                 wide = saturates ? temporary(4) : out(o[0]);
  add(half.suffixes[0] == ".H0_H0" ? "!widen_low" : "!widen_high", {wide, from});
  if (saturates) add("cvt.sat.f32.f32", {out(o[0]), wide});
}

void MachineDecoder::decode_hmul2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".F32") || instruction.has(".FMZ")) unsupported();
  const uint32_t a = halves(o.at(1)), b = halves(o.at(2));
  add(spelling(instruction, "mul"), {out(o[0]), a, b});
}

void MachineDecoder::decode_hfma2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".F32") || instruction.has(".FMZ")) unsupported();
  const bool plain =
      !instruction.has(".FTZ") && !instruction.has(".SAT") && !instruction.has(".RELU");
  // -0 · 0 + c is how a constant is moved.
  if (plain && is_negative_zero(o.at(1)) && is_zero(o.at(2)) && !o[2].negative &&
      o.at(3).kind == Kind::real && !has_nan(o[3]))
    return add("!mov4", {out(o[0]), word(o[3])});
  const uint32_t a = halves(o.at(1)), b = halves(o.at(2)), c = halves(o.at(3));
  add(spelling(instruction, "fma"), {out(o[0]), a, b, c});
}

// d, a, b, p: the smaller where p holds, else the larger
void MachineDecoder::decode_hmnmx2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  // .XORSIGN takes absolute values by itself, of operands that are marked so.
  const bool xors = instruction.has(".XORSIGN");
  const std::string rest = std::string(instruction.has(".FTZ") ? ".ftz" : "") +
                           (instruction.has(".NAN") ? ".NaN" : "") + (xors ? ".xorsign.abs" : "") +
                           (is_bf16(instruction) ? ".bf16x2" : ".f16x2");
  if (xors && !(is_magnitude(o.at(1)) && is_magnitude(o.at(2)))) unsupported();
  const uint32_t a = xors ? selected_halves(o.at(1)) : halves(o.at(1)),
                 b = xors ? selected_halves(o.at(2)) : halves(o.at(2));
  if (is_true(o.at(3))) return add((o[3].inverted ? "max" : "min") + rest, {out(o[0]), a, b});
  const uint32_t least = temporary(4), most = temporary(4);
  add("min" + rest, {least, a, b});
  add("max" + rest, {most, a, b});
  add("!select4", {out(o[0]), least, most, flag(o[3])});
}

// The least of three, or the greatest.
void MachineDecoder::decode_vhmnmx(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (!is_true(o.at(4)) || instruction.has(".XORSIGN")) unsupported();
  const std::string name =
      std::string(o[4].inverted ? "max" : "min") + (instruction.has(".FTZ") ? ".ftz" : "") +
      (instruction.has(".NAN") ? ".NaN" : "") + (is_bf16(instruction) ? ".bf16x2" : ".f16x2");
  const uint32_t of_two = temporary(4), c = halves(o.at(3));
  add(name, {of_two, halves(o.at(1)), halves(o.at(2))});
  add(name, {out(o.at(0)), of_two, c});
}

// Where the low halves of a and b compare as the modifiers say, and where the high ones do.
std::array<uint32_t, 2> MachineDecoder::compared_halves(const Instruction& instruction,
                                                        const Operand& a, const Operand& b) {
  const std::array<uint32_t, 2> of_a = {temporary(2), temporary(2)},
                                of_b = {temporary(2), temporary(2)};
  add("!unpack4x2", {of_a[0], of_a[1], halves(a)});
  add("!unpack4x2", {of_b[0], of_b[1], halves(b)});
  const char* type = is_bf16(instruction) ? ".bf16" : ".f16";
  return {compared(instruction, type, of_a[0], of_b[0]),
          compared(instruction, type, of_a[1], of_b[1])};
}

// d, a, b, r: each half 1.0 (.BF) or all ones where a ? b op r, else 0
void MachineDecoder::decode_hset2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const auto holds = compared_halves(instruction, o.at(1), o.at(2));
  const uint32_t truth = constant(!instruction.has(".BF") ? 0xffff
                                  : is_bf16(instruction)  ? 0x3f80
                                                          : 0x3c00,
                                  2);
  uint32_t value[2];
  for (size_t n = 0; n < 2; ++n) {
    value[n] = temporary(2);
    add("!select2",
        {value[n], truth, constant(0, 2), joined(instruction, holds[n], flag(o.at(3)))});
  }
  add("!pack4x2", {out(o[0]), value[0], value[1]});
}

// p, q, a, b, r: p of the low halves, q of the high ones
void MachineDecoder::decode_hsetp2(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const auto holds = compared_halves(instruction, o.at(2), o.at(3));
  const uint32_t other = flag(o.at(4));  // p may be it
  const uint32_t low = joined(instruction, holds[0], other),
                 high = joined(instruction, holds[1], other);
  add("mov.pred", {out_flag(o[0]), low});
  add("mov.pred", {out_flag(o[1]), high});
}

// d = the result in the low half, 0 above it
void MachineDecoder::decode_mufu_half(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Operand& from = o.at(1);
  const bool is_bf16 = instruction.has(".BF16");
  const uint32_t both = halves(from), low = temporary(2), high = temporary(2),
                 result = temporary(2);
  const char* row = instruction.has(".TANH")  ? is_bf16 ? "tanh.approx.bf16" : "tanh.approx.f16"
                    : instruction.has(".EX2") ? is_bf16 ? "ex2.approx.ftz.bf16" : "ex2.approx.f16"
                                              : nullptr;
  if (!row) unsupported();
  add("!unpack4x2", {low, high, both});
  add(row, {result, from.suffixes.empty() ? low : high});
  add("cvt.u32.u16", {out(o[0]), result});
}

}  // namespace headroom::sim
