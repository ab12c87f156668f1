// Single and double precision, and MUFU, the unit of approximations.
#include <bit>
#include <string>
#include <utility>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
std::span<const MachineDecoder::Entry> MachineDecoder::float_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"FADD", &M::decode_fadd},   {"FMUL", &M::decode_fmul}, {"FFMA", &M::decode_ffma},
      {"FMNMX", &M::decode_fmnmx}, {"FSEL", &M::decode_fsel}, {"FSET", &M::decode_fset},
      {"FSETP", &M::decode_fsetp}, {"FCHK", &M::decode_fchk}, {"MUFU", &M::decode_mufu},
      {"DADD", &M::decode_dadd},   {"DMUL", &M::decode_dmul}, {"DFMA", &M::decode_dfma},
      {"DSETP", &M::decode_dsetp},
  };
  return entries;
}

// "add" -> "add.rn.ftz.sat.f32"
std::string MachineDecoder::float_spelling(const Instruction& instruction, const char* name,
                                           const char* type) const {
  if (instruction.has(".FMZ")) unsupported();
  return std::string(name) + rounding(instruction) + (instruction.has(".FTZ") ? ".ftz" : "") +
         (instruction.has(".SAT") ? ".sat" : "") + type;
}

void MachineDecoder::decode_fadd(const Instruction& instruction) {
  const auto& o = instruction.operands;
  Operand first = o.at(1), second = o.at(2);
  if (!second.negative) std::swap(first, second);
  const bool subtracts = std::exchange(second.negative, false);
  const uint32_t a = word(first, Sort::f32), b = word(second, Sort::f32);
  add(float_spelling(instruction, subtracts ? "sub" : "add", ".f32"), {out(o[0]), a, b});
}

// FMUL.D2, .M8: the product times a power of two. ptxas makes it of two multiplications, but not of
// those that say .rn: it is rounded once. In 64 bits the product is exact.
void MachineDecoder::scaled_product(const Instruction& instruction, double scale) {
  const auto& o = instruction.operands;
  const std::string ftz = instruction.has(".FTZ") ? ".ftz" : "",
                    sat = instruction.has(".SAT") ? ".sat" : "";
  const uint32_t a = temporary(8), b = temporary(8);
  if (instruction.has(".FMZ")) unsupported();
  add("cvt" + ftz + ".f64.f32", {a, word(o.at(1), Sort::f32)});
  add("cvt" + ftz + ".f64.f32", {b, word(o.at(2), Sort::f32)});
  add("mul.rn.f64", {a, a, constant(std::bit_cast<uint64_t>(scale), 8)});
  add("mul.rn.f64", {a, a, b});
  const uint32_t rounded = temporary(4);
  add(std::string("cvt") + rounding(instruction) + ".f32.f64", {rounded, a});
  add("cvt" + ftz + sat + ".f32.f32", {out(o[0]), rounded});
}

void MachineDecoder::decode_fmul(const Instruction& instruction) {
  const auto& o = instruction.operands;
  static constexpr std::pair<std::string_view, double> scales[] = {
      {".D2", 0.5}, {".D4", 0.25}, {".D8", 0.125}, {".M2", 2}, {".M4", 4}, {".M8", 8}};
  for (const auto& [modifier, scale] : scales)
    if (instruction.has(modifier)) return scaled_product(instruction, scale);
  const uint32_t a = word(o.at(1), Sort::f32), b = word(o.at(2), Sort::f32);
  add(float_spelling(instruction, "mul", ".f32"), {out(o[0]), a, b});
}

void MachineDecoder::decode_ffma(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1), Sort::f32), b = word(o.at(2), Sort::f32),
                 c = word(o.at(3), Sort::f32);
  add(float_spelling(instruction, "fma", ".f32"), {out(o[0]), a, b, c});
}

// d, a, b, p: the smaller where p holds, else the larger
void MachineDecoder::decode_fmnmx(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string rest = std::string(instruction.has(".FTZ") ? ".ftz" : "") +
                           (instruction.has(".NAN") ? ".NaN" : "") +
                           (instruction.has(".XORSIGN") ? ".xorsign.abs" : "") + ".f32";
  // .XORSIGN takes absolute values by itself, of operands that are marked so.
  const bool xors = instruction.has(".XORSIGN");
  if (xors && (o.at(1).negative || o.at(2).negative)) unsupported();
  const uint32_t a = xors ? word_at(o.at(1), 0) : word(o.at(1), Sort::f32),
                 b = xors ? word_at(o.at(2), 0) : word(o.at(2), Sort::f32);
  if (is_true(o.at(3))) return add((o[3].inverted ? "max" : "min") + rest, {out(o[0]), a, b});
  const uint32_t least = temporary(4), most = temporary(4);
  add("min" + rest, {least, a, b});
  add("max" + rest, {most, a, b});
  add("!select4", {out(o[0]), least, most, flag(o[3])});
}

void MachineDecoder::decode_fsel(const Instruction& instruction) {
  const auto& o = instruction.operands;
  uint32_t a = word(o.at(1), Sort::f32), b = word(o.at(2), Sort::f32);
  const uint32_t p = flag(o.at(3));
  if (!instruction.has(".FTZ")) return add("!select4", {out(o[0]), a, b, p});
  const uint32_t chosen = temporary(4);
  add("!select4", {chosen, a, b, p});
  add("!flush", {out(o[0]), chosen});
}

// ".lt", ".neu" …; empty where it is always so, or never.
std::string MachineDecoder::comparison_of(const Instruction& instruction) const {
  for (const char* name : {".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU",
                           ".LEU", ".GTU", ".NEU", ".GEU"})
    if (instruction.has(name)) return lowercase(name);
  return "";
}

// Where a compares so with b, by the modifiers: a predicate.
uint32_t MachineDecoder::compared(const Instruction& instruction, const std::string& type,
                                  uint32_t a, uint32_t b) {
  return compared_into(temporary(0), instruction, type, a, b);
}
uint32_t MachineDecoder::compared_into(uint32_t holds, const Instruction& instruction,
                                       const std::string& type, uint32_t a, uint32_t b) {
  const std::string name = comparison_of(instruction);
  if (name.empty()) {
    const bool always = instruction.has(".T") || instruction.has(".MAX");
    add("mov.pred", {holds, constant(always ? ~0u : 0, 0)});
  } else {
    add("setp" + name + (instruction.has(".FTZ") ? ".ftz" : "") + type, {holds, a, b});
  }
  return holds;
}

// p = holds op other, by .AND, .OR or .XOR.
uint32_t MachineDecoder::joined(const Instruction& instruction, uint32_t holds, uint32_t other) {
  const uint32_t both = temporary(0);
  add(instruction.has(".OR")    ? "or.pred"
      : instruction.has(".XOR") ? "xor.pred"
                                : "and.pred",
      {both, holds, other});
  return both;
}

// Where a comparison is put whose predicates are set: p itself, if it is p.
uint32_t MachineDecoder::first_predicate(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool plain = flag(o.at(4)) == constant(~0u, 0) && instruction.has(".AND");
  return plain && !is_true(o[0]) ? out_flag(o[0]) : temporary(0);
}

// p, q, …, r: p = holds op r, q = not holds op r
void MachineDecoder::set_predicates(const Instruction& instruction, uint32_t holds) {
  const auto& o = instruction.operands;
  const uint32_t other = flag(o.at(4));
  uint32_t second = no_operand;
  if (!is_true(o.at(1))) {
    const uint32_t fails = temporary(0);
    add("not.pred", {fails, holds});
    second = joined(instruction, fails, other);
  }
  const bool plain = other == constant(~0u, 0) && instruction.has(".AND");
  const uint32_t first = plain ? holds : joined(instruction, holds, other);
  if (!is_true(o[0]) && first != out_flag(o[0])) add("mov.pred", {out_flag(o[0]), first});
  if (second != no_operand) add("mov.pred", {out_flag(o[1]), second});
}

void MachineDecoder::decode_fsetp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(2), Sort::f32), b = word(o.at(3), Sort::f32);
  set_predicates(instruction,
                 compared_into(first_predicate(instruction), instruction, ".f32", a, b));
}

// d = (a ? b op r) ? 1.0 : 0
void MachineDecoder::decode_fset(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1), Sort::f32), b = word(o.at(2), Sort::f32);
  const uint32_t holds = joined(instruction, compared(instruction, ".f32", a, b), flag(o.at(3)));
  add("!select4", {out(o[0]), constant(0x3f80'0000, 4), constant(0, 4), holds});
}

// Whether a / b needs the slow path of a division.
void MachineDecoder::decode_fchk(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1), Sort::f32), b = word(o.at(2), Sort::f32);
  add("!fchk", {out_flag(o[0]), a, b});
}

void MachineDecoder::decode_mufu(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".F16") || instruction.has(".BF16")) return decode_mufu_half(instruction);
  const uint32_t a = word(o.at(1), Sort::f32), result = out(o[0]);
  if (instruction.has(".RCP64H") || instruction.has(".RSQ64H")) {
    const uint32_t joined = wide(constant(0, 4), a), approximate = temporary(8);
    add(instruction.has(".RCP64H") ? "rcp.approx.ftz.f64" : "rsqrt.approx.ftz.f64",
        {approximate, joined});
    return add("!high", {result, approximate});
  }
  const char* row = instruction.has(".COS")    ? "!mufu_cos"
                    : instruction.has(".SIN")  ? "!mufu_sin"
                    : instruction.has(".EX2")  ? "ex2.approx.ftz.f32"
                    : instruction.has(".LG2")  ? "lg2.approx.ftz.f32"
                    : instruction.has(".RCP")  ? "rcp.approx.ftz.f32"
                    : instruction.has(".RSQ")  ? "rsqrt.approx.ftz.f32"
                    : instruction.has(".SQRT") ? "sqrt.approx.ftz.f32"
                                               : "tanh.approx.f32";
  add(row, {result, a});
}

void MachineDecoder::decode_dadd(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string row = float_spelling(instruction, "add", ".f64");
  if (add_pairs(row, o[0], {&o.at(1), &o.at(2)})) return;
  const uint32_t a = pair(o.at(1), Sort::f64), b = pair(o.at(2), Sort::f64);
  add(row, {out_pair(o[0]), a, b});
}

void MachineDecoder::decode_dmul(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string row = float_spelling(instruction, "mul", ".f64");
  if (add_pairs(row, o[0], {&o.at(1), &o.at(2)})) return;
  const uint32_t a = pair(o.at(1), Sort::f64), b = pair(o.at(2), Sort::f64);
  add(row, {out_pair(o[0]), a, b});
}

void MachineDecoder::decode_dfma(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string row = float_spelling(instruction, "fma", ".f64");
  if (add_pairs(row, o[0], {&o.at(1), &o.at(2), &o.at(3)})) return;
  const uint32_t a = pair(o.at(1), Sort::f64), b = pair(o.at(2), Sort::f64),
                 c = pair(o.at(3), Sort::f64);
  add(row, {out_pair(o[0]), a, b, c});
}

// .MIN and .MAX stand where other types have .F and .T: p says that a is the result, q that a and b
// are NaNs.
void MachineDecoder::decode_dsetp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t holds = temporary(0);
  if (add_pairs("setp" + comparison_of(instruction) + ".f64", holds, {&o.at(2), &o.at(3)}))
    return set_predicates(instruction, holds);
  const uint32_t a = pair(o.at(2), Sort::f64), b = pair(o.at(3), Sort::f64);
  if (instruction.has(".MIN") || instruction.has(".MAX")) {
    const uint32_t first = temporary(0), nan = temporary(0), other = flag(o.at(4));
    add(instruction.has(".MAX") ? "!first_is_max" : "!first_is_min", {first, a, b});
    add("!both_nan", {nan, a, b});
    const uint32_t p = joined(instruction, first, other), q = joined(instruction, nan, other);
    add("mov.pred", {out_flag(o[0]), p});
    return add("mov.pred", {out_flag(o[1]), q});
  }
  set_predicates(instruction, compared(instruction, ".f64", a, b));
}

}  // namespace headroom::sim
