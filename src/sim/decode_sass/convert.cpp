// Conversions between kinds of numbers. They are those of PTX, on whole registers: a narrow source
// is the low part of one, a narrow result is extended to one.
//
//   F2I.S16.FLOOR.NTZ R0, R1           cvt.rmi.s16.f32 t, R1;  cvt.s32.s16 R0, t
//   F2FP.BF16.F32.PACK_AB R0, R1, R2   cvt.rn.bf16x2.f32 R0, R1, R2
#include <string>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

// Those of the names that the instruction has, in its order: "f16" of .F16.
std::vector<std::string> named(const sass::Instruction& instruction,
                               std::initializer_list<std::string_view> names) {
  std::vector<std::string> found;
  for (const std::string_view modifier : instruction.modifiers)
    for (const std::string_view name : names)
      if (modifier.substr(1) == name) found.push_back(lowercase(name));
  return found;
}
std::vector<std::string> float_types(const sass::Instruction& instruction) {
  return named(instruction, {"F16", "BF16", "F32", "F64"});
}
// 32 bits and signed where it says nothing.
std::string integer_type(const sass::Instruction& instruction) {
  const auto types = named(instruction, {"U8", "S8", "U16", "S16", "U32", "U64", "S64"});
  return types.empty() ? "s32" : types[0];
}
std::string float_type(const sass::Instruction& instruction) {
  const auto types = float_types(instruction);
  return types.empty() ? "f32" : types[0];
}

int bytes_of(const std::string& type) {
  return type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
}
bool is_float(const std::string& type) { return type[0] == 'f' || type[0] == 'b'; }

const char* flushing(const sass::Instruction& instruction) {
  return instruction.has(".FTZ") ? ".ftz" : "";
}

// To a whole number.
const char* whole_rounding(const sass::Instruction& instruction) {
  return instruction.has(".FLOOR")   ? ".rmi"
         : instruction.has(".CEIL")  ? ".rpi"
         : instruction.has(".TRUNC") ? ".rzi"
                                     : ".rni";
}

// ".rz.relu.satfinite" of F2FP
std::string packing(const sass::Instruction& instruction) {
  return std::string(instruction.has(".RZ") ? ".rz" : ".rn") +
         (instruction.has(".RELU") ? ".relu" : "") +
         (instruction.has(".SATFINITE") ? ".satfinite" : "");
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::convert_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"F2F", &M::decode_f2f},   {"F2I", &M::decode_f2i},   {"I2F", &M::decode_i2f},
      {"I2FP", &M::decode_i2fp}, {"FRND", &M::decode_frnd}, {"F2FP", &M::decode_f2fp},
      {"I2IP", &M::decode_i2ip}, {"F2IP", &M::decode_f2ip},
  };
  return entries;
}

// A source of a type. Two bits say which part of a register a narrow one is, of halves too, though
// disassemblers print them of bytes only.
uint32_t MachineDecoder::number(const Operand& operand, const std::string& type) {
  const int bytes = bytes_of(type);
  const bool is_immediate = operand.kind == Kind::immediate || operand.kind == Kind::real;
  const uint32_t part = is_immediate ? 0 : current->encoding.low >> 60 & 3;
  const bool is_half = bytes == 2 && (uint64_t(operand.value) >> 16 & 0xffff) == 0;
  if ((bytes != 4 && is_immediate && !is_half) || (part != 0 && int(part) >= 4 / bytes))
    unsupported();
  const Sort sort = !is_float(type) ? Sort::integer
                    : bytes == 8    ? Sort::f64
                    : bytes == 4    ? Sort::f32
                                    : Sort::f16x2;
  if (bytes == 8) return pair(operand, sort);
  uint32_t at = word(operand, sort);
  if (bytes == 4) return at;
  if (part != 0) {
    const uint32_t shifted = temporary(4);
    add("shr.u32", {shifted, at, constant(8 * uint32_t(bytes) * part, 4)});
    at = shifted;
  }
  const uint32_t low = temporary(bytes);
  add(bytes == 2 ? "cvt.u16.u32" : "cvt.u8.u32", {low, at});
  return low;
}

// The result, extended where it is narrow.
void MachineDecoder::convert(const std::string& spelling, const std::string& to, const Operand& d,
                             uint32_t from) {
  const int bytes = bytes_of(to);
  const std::string type = is_float(to) ? "u16" : to;
  if (bytes == 8) return add(spelling, {out_pair(d), from});
  if (bytes == 4) return add(spelling, {out(d), from});
  const uint32_t narrow = temporary(bytes);
  add(spelling, {narrow, from});
  add((type[0] == 's' ? "cvt.s32." : "cvt.u32.") + type, {out(d), narrow});
}

// d, a, of two types: the result's first
void MachineDecoder::decode_f2f(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::vector<std::string> types = float_types(instruction);
  if (types.size() != 2 || types[0] == types[1]) unsupported();
  const std::string& to = types[0];
  std::string from = types[1], flush = flushing(instruction);
  uint32_t at = number(o[1], from);
  if (from == "f32" && to == "f64" && (o[1].negative || o[1].absolute)) {
    // A NaN's sign stays as it was: so an H100 (scripts/prove/driver_probe.cu); PTX promises nothing.
    const uint32_t as_it_was = word_at(o[1], 0), is_nan = temporary(0), kept = temporary(4);
    add("setp.nan.f32", {is_nan, as_it_was, as_it_was});
    add("!select4", {kept, as_it_was, at, is_nan});
    at = kept;
  }
  if (bytes_of(to) == bytes_of(from)) {  // between f16 and bf16 lies f32
    if (!flush.empty()) unsupported();
    const uint32_t wide = temporary(4);
    add("cvt.f32." + from, {wide, at});
    at = wide, from = "f32";
  }
  const bool widens = bytes_of(to) > bytes_of(from);
  convert("cvt" + std::string(widens ? "" : rounding(instruction)) + flush + "." + to + "." + from,
          to, o[0], at);
}

// .NTZ: a NaN becomes 0. Elsewhere it becomes the top bit; so it is with f64 and to 64 bits.
void MachineDecoder::decode_f2i(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string to = integer_type(instruction);
  std::string from = float_type(instruction);
  const bool gives_zero = from != "f64" && bytes_of(to) < 8;
  if (instruction.has(".NTZ") != gives_zero) unsupported();
  uint32_t at = number(o.at(1), from);
  if (from == "bf16") {  // every one is an f32
    const uint32_t wide = temporary(4);
    add("cvt.f32.bf16", {wide, at});
    at = wide, from = "f32";
  }
  convert("cvt" + std::string(whole_rounding(instruction)) + flushing(instruction) + "." + to +
              "." + from,
          to, o[0], at);
}

void MachineDecoder::decode_i2f(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string to = float_type(instruction), from = integer_type(instruction);
  const uint32_t at = number(o.at(1), from);
  convert("cvt" + std::string(rounding(instruction)) + "." + to + "." + from, to, o[0], at);
}

void MachineDecoder::decode_i2fp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t at = word(o.at(1));
  add("cvt" + std::string(rounding(instruction)) + ".f32" +
          (instruction.has(".U32") ? ".u32" : ".s32"),
      {out(o[0]), at});
}

void MachineDecoder::decode_frnd(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string type = float_type(instruction), flush = flushing(instruction);
  const uint32_t at = number(o.at(1), type);
  const std::string cvt = "cvt" + std::string(whole_rounding(instruction));
  if (type != "bf16") return convert(cvt + flush + "." + type + "." + type, type, o[0], at);
  if (!flush.empty()) unsupported();
  const uint32_t wide = temporary(4);  // what is whole there is one here
  add("cvt.f32.bf16", {wide, at});
  add(cvt + ".f32.f32", {wide, wide});
  convert("cvt.rn.bf16.f32", type, o[0], wide);
}

// Into halves, tf32 and pairs of bytes, and out of these.
void MachineDecoder::decode_f2fp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const auto types = named(instruction, {"F16", "BF16", "E4M3", "E5M2", "TF32"});
  const std::string type = types.empty() ? "f16" : types[0], mode = packing(instruction);
  if (instruction.has(".UNPACK_B")) return unpack_bytes(instruction, types.at(1));
  if (instruction.has(".PACK_B")) {
    const uint32_t from = word(o.at(1), Sort::f32);
    return add("cvt" + mode + ".tf32.f32", {out(o[0]), from});
  }
  if (instruction.has(".PACK_AB")) {
    const uint32_t high = word(o.at(1), Sort::f32), low = word(o.at(2), Sort::f32);
    return add("cvt" + mode + "." + type + "x2.f32", {out(o[0]), high, low});
  }
  if (instruction.has(".MERGE_C")) {
    if (!is_zero(o.at(2))) unsupported();
    const uint32_t low = word(o.at(1), Sort::f32);
    return add("cvt" + mode + "." + type + "x2.f32", {out(o[0]), constant(0, 4), low});
  }
  pack_bytes(instruction, type);
}

// d, a, b, c or d, b, c: two bytes, of f32 a and b or of the halves of b; above them c's low half
void MachineDecoder::pack_bytes(const Instruction& instruction, const std::string& type) {
  const auto& o = instruction.operands;
  const uint32_t bytes = temporary(2);
  const std::string spelling =
      std::string("cvt.rn.satfinite") + (instruction.has(".RELU") ? ".relu." : ".") + type + "x2";
  if (!instruction.has(".SATFINITE")) unsupported();
  if (instruction.has(".PACK_AB_MERGE_C")) {
    const uint32_t high = word(o.at(1), Sort::f32), low = word(o.at(2), Sort::f32);
    add(spelling + ".f32", {bytes, high, low});
  } else if (instruction.has(".UNPACK_B_MERGE_C")) {
    add(spelling + ".f16x2", {bytes, word(o.at(1))});
  } else {
    unsupported();
  }
  const Operand& above = o.back();
  if (is_zero(above)) return add("cvt.u32.u16", {out(o[0]), bytes});
  const uint32_t low = temporary(2);
  add("cvt.u16.u32", {low, word(above)});
  add("!pack4x2", {out(o[0]), bytes, low});
}

// d, b: two halves of the low (.H1: high) two bytes
void MachineDecoder::unpack_bytes(const Instruction& instruction, const std::string& type) {
  const auto& o = instruction.operands;
  const uint32_t low = temporary(2), high = temporary(2);
  add("!unpack4x2", {low, high, word(o.at(1))});
  add(std::string("cvt.rn") + (instruction.has(".RELU") ? ".relu" : "") + ".f16x2." + type + "x2",
      {out(o[0]), o[1].suffixes.empty() ? low : high});
}

// d, a, b, c: a above b, clamped; above both c, of which as many bits stay as its suffix says
void MachineDecoder::decode_i2ip(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const auto types = named(instruction, {"U16", "S16", "U8", "S8", "U4", "S4", "U2", "S2"});
  const std::string& type = types.at(0);
  const Operand& c = o.at(3);
  const std::string_view suffix = c.suffixes.empty() ? "" : c.suffixes[0];
  if (suffix != (type.ends_with("4") ? ".24" : type.ends_with("2") ? ".28" : "")) unsupported();
  const uint32_t a = word(o.at(1)), b = word(o.at(2));
  if (type.ends_with("16")) {
    if (!is_zero(c)) unsupported();
    return add("cvt.pack.sat." + type + ".s32", {out(o[0]), a, b});
  }
  const uint32_t rest = word(c);
  add("cvt.pack.sat." + type + ".s32.b32", {out(o[0]), a, b, rest});
}

// d, a, b, c: a byte of b; with zeros above it is cvt to u8
void MachineDecoder::decode_f2ip(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (!is_zero(o.at(1)) || !is_zero(o.at(3)) || !instruction.has(".U8")) unsupported();
  const uint32_t from = word(o.at(2), Sort::f32);
  convert("cvt" + std::string(whole_rounding(instruction)) + ".u8.f32", "u8", o[0], from);
}

}  // namespace headroom::sim
