// Integer arithmetic and comparisons, of lanes and of the uniform datapath.
#include <bit>
#include <string>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/meaning/video.h"

namespace headroom::sim {
namespace {

// ".LT", ".U32" … of an integer comparison.
std::string comparison(const sass::Instruction& instruction) {
  for (const char* name : {".LT", ".EQ", ".LE", ".GT", ".NE", ".GE"})
    if (instruction.has(name)) return lowercase(name + 1);
  return "";
}

// … and of a minimum or maximum.
std::string type_of(const sass::Instruction& instruction) {
  for (const char* name : {".U32", ".U16x2", ".S16x2"})
    if (instruction.has(name)) return lowercase(name);
  return ".s32";
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::integer_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"MOV", &M::decode_mov},
      {"UMOV", &M::decode_mov},
      {"SEL", &M::decode_sel},
      {"USEL", &M::decode_sel},
      {"IADD3", &M::decode_iadd3},
      {"UIADD3", &M::decode_iadd3},
      {"LEA", &M::decode_lea},
      {"ULEA", &M::decode_lea},

      {"IMAD", &M::decode_imad},
      {"UIMAD", &M::decode_imad},
      {"ISETP", &M::decode_isetp},
      {"UISETP", &M::decode_isetp},
      {"IMNMX", &M::decode_minmax},
      {"VIMNMX", &M::decode_minmax},
      {"VIADD", &M::decode_viadd},
      {"VIADDMNMX", &M::decode_viaddmnmx},
      {"VIMNMX3", &M::decode_vimnmx3},
      {"IABS", &M::decode_iabs},

      {"IDP", &M::decode_idp},
      {"VABSDIFF", &M::decode_vabsdiff},
      {"VABSDIFF4", &M::decode_vabsdiff},
      {"I2I", &M::decode_i2i},
  };
  return entries;
}

void MachineDecoder::decode_mov(const Instruction& instruction) {
  if (instruction.operands.size() > 2 && instruction.operands[2].value != 15) unsupported();
  const uint32_t from = word(instruction.operands.at(1));
  add("!mov4", {out(instruction.operands.at(0)), from});
}

void MachineDecoder::decode_sel(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1)), b = word(o.at(2)), p = flag(o.at(3));
  add("!select4", {out(o[0]), a, b, p});
}

// d, p, q, a, b, c[, carry, carry]: .X adds the carries; p and q are the carries out.
void MachineDecoder::decode_iadd3(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".64")) {
    const uint32_t sum = out_pair(o.at(0));
    add("add.s64", {sum, pair(o.at(1)), pair(o.at(2))});
    return add("add.s64", {sum, sum, pair(o.at(3))});
  }
  uint64_t inverted = 0;
  int64_t more = 0;
  uint32_t source[3];
  for (size_t n = 0; n < 3; ++n) {
    const Operand& operand = o.at(3 + n);
    source[n] = word_at(operand, 0);
    inverted |= uint64_t(operand.negative || operand.inverted) << n;
    more += operand.negative;
  }
  const bool carries = instruction.has(".X");
  const bool tells = !is_true(o[1]) || !is_true(o[2]);
  if (!carries && !tells)
    return add("!iadd3", {out(o[0]), source[0], source[1], source[2]}, more, inverted);
  const uint32_t none = constant(0, 0);
  const uint32_t first = carries ? flag(o.at(6)) : none, second = carries ? flag(o.at(7)) : none;
  add("!iadd3.co",
      {out(o[0]), out_flag(o[1]), out_flag(o[2]), source[0], source[1], source[2], first, second},
      more, inverted);
}

// d, p, a, b[, c], shift[, carry]: (a << shift) + b; .HI: the upper half of {c, a} << shift, plus b;
// .SX32: c is the sign of a.
void MachineDecoder::decode_lea(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool high = instruction.has(".HI"), extends = instruction.has(".SX32"),
             carries = instruction.has(".X");
  const size_t after = high && !extends ? 5 : 4;
  const uint32_t shift = uint32_t(o.at(after).value);
  const Operand &a = o.at(2), &b = o.at(3);
  // A sign is of the whole shifted value: its inverse, and one more where it is negated.
  const bool inverts = a.negative || a.inverted;
  const uint32_t low = word_at(a, 0), shifted = temporary(4);
  if (high) {
    uint32_t upper = extends ? temporary(4) : word_at(o.at(4), 0);
    if (extends) add("shr.s32", {upper, low, constant(31, 4)});
    add("!shifted_high", {shifted, low, upper, constant(shift, 4)});
  } else {
    add("shl.b32", {shifted, low, constant(shift, 4)});
  }
  const uint64_t inverted = uint64_t(inverts) | uint64_t(b.negative || b.inverted) << 1;
  int64_t more = int64_t(a.negative) + int64_t(b.negative);
  const uint32_t zero = constant(0, 4), none = constant(0, 0), sum = word_at(b, 0);
  if (high && a.negative) {  // the one more counts where the lower half is 0: -x = ~x + 1
    const uint32_t rest = temporary(4), any = temporary(0), carry = temporary(0);
    add("shl.b32", {rest, low, constant(shift, 4)});
    add("setp.eq.u32", {any, rest, zero});
    add("mov.pred", {carry, any});
    return add("!iadd3.co",
               {out(o[0]), out_flag(o.at(1)), temporary(0), shifted, sum, zero, carry, none},
               int64_t(b.negative), inverted);
  }
  if (!carries && is_true(o.at(1)))
    return add("!iadd3", {out(o[0]), shifted, sum, zero}, more, inverted);
  const uint32_t carry = carries ? flag(o.at(after + 1)) : none;
  add("!iadd3.co", {out(o[0]), out_flag(o[1]), temporary(0), shifted, sum, zero, carry, none}, more,
      inverted);
}

// d, a, b, c[, carry]
void MachineDecoder::decode_imad(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".WIDE")) return decode_imad_wide(instruction);
  if (instruction.has(".HI")) return decode_imad_high(instruction);
  const Operand &a = o.at(1), &b = o.at(2), &c = o.at(3);
  if (instruction.has(".X")) {
    const uint32_t sum = temporary(4);
    add("mad.lo.u32", {sum, word(a), word(b), word(c)});
    return add("!carry", {out(o[0]), sum, flag(o.at(4))});
  }
  if (is_zero(a) || is_zero(b)) {
    const uint32_t from = word(c);
    return add("!mov4", {out(o[0]), from});
  }
  const uint32_t x = word(a), y = word(b);
  if (is_zero(c)) return add("mul.lo.u32", {out(o[0]), x, y});
  const uint32_t z = word(c);
  add("mad.lo.u32", {out(o[0]), x, y, z});
}

// d (a pair), p, a, b, c (a pair)[, carry]
void MachineDecoder::decode_imad_wide(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool has_carry = o.at(1).kind == Kind::predicate || o.at(1).kind == Kind::uniform_predicate;
  const size_t first = has_carry ? 2 : 1;
  const std::string type = instruction.has(".U32") ? ".u32" : ".s32";
  const Operand& c = o.at(first + 2);
  const bool tells = has_carry && !is_true(o[1]), plain = !tells && !instruction.has(".X");
  const Operand *x = &o.at(first), *y = &o.at(first + 1);
  if (plain && is_zero(c) && add_pairs("mul.wide" + type, o[0], {x, y})) return;
  if (plain && c.kind != Kind::immediate && add_pairs("mad.wide" + type, o[0], {x, y, &c})) return;
  if (tells && c.negative) unsupported();
  const uint32_t a = word(*x), b = word(*y);
  uint32_t addend = c.kind == Kind::immediate && instruction.has(".U32")
                        ? constant(uint32_t(c.value), 8)
                        : pair(c);
  if (plain) return add("mad.wide" + type, {out_pair(o[0]), a, b, addend});
  const uint32_t product = temporary(8), result = out_pair(o[0]), carry = temporary(0);
  add("mul.wide" + type, {product, a, b});
  const uint32_t in = instruction.has(".X") ? flag(o.at(first + 3)) : constant(0, 0);
  add("addc.cc.u64", {result, carry, product, addend, in});
  if (tells) add("mov.pred", {out_flag(o[1]), carry});
}

// d, p, a, b, c (a pair)[, carry]: the upper half of a · b + c
void MachineDecoder::decode_imad_high(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool carries = instruction.has(".X"), tells = !is_true(o.at(1));
  const std::string type = instruction.has(".U32") ? ".u32" : ".s32";
  const uint32_t product = temporary(8), a = word(o.at(2)), b = word(o.at(3));
  const Operand& c = o.at(4);
  if (c.kind == Kind::immediate) unsupported();
  if (carries || tells) {
    if (c.negative) unsupported();
    const uint32_t sum = temporary(8), carry = temporary(0), addend = pair(c);
    add("mul.wide" + type, {product, a, b});
    add("addc.cc.u64", {sum, carry, product, addend, carries ? flag(o.at(5)) : constant(0, 0)});
    if (tells) add("mov.pred", {out_flag(o[1]), carry});
    return add("!high", {out(o[0]), sum});
  }
  if (is_zero(c))
    add("mul.wide" + type, {product, a, b});
  else
    add("mad.wide" + type, {product, a, b, pair(c)});
  add("!high", {out(o[0]), product});
}

// p, q, a, b, r[, s]: p = (a ? b) op r, q = not (a ? b) op r. .EX: s is the same of the lower halves.
void MachineDecoder::decode_isetp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const std::string name = comparison(instruction);
  const std::string type = instruction.has(".U32") ? ".u32" : ".s32";
  const uint32_t a = word(o.at(2)), b = word(o.at(3)), holds = first_predicate(instruction);
  if (instruction.has(".T") || instruction.has(".F")) {
    add("mov.pred", {holds, constant(instruction.has(".T") ? ~0u : 0, 0)});
  } else if (instruction.has(".EX")) {  // the lower halves decide where the upper ones are equal
    const uint32_t lower_half = flag(o.at(5)), equal = temporary(0), upper = temporary(0);
    add("setp.eq.u32", {equal, a, b});
    if (name == "eq" || name == "ne") {
      add("setp." + name + type, {upper, a, b});
      add(name == "eq" ? "and.pred" : "or.pred", {holds, upper, lower_half});
    } else {
      const std::string strict = name.substr(0, 1) + "t";  // lt or gt
      add("setp." + strict + type, {upper, a, b});
      add("and.pred", {equal, equal, lower_half});
      add("or.pred", {holds, upper, equal});
    }
  } else {
    add("setp." + name + type, {holds, a, b});
  }
  set_predicates(instruction, holds);
}

void MachineDecoder::decode_minmax(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1)), b = word(o.at(2));
  const std::string type = type_of(instruction);
  const std::string relu = instruction.has(".RELU") ? ".relu" : "";
  if (is_true(o.at(3)))
    return add((o[3].inverted ? "max" : "min") + relu + type, {out(o[0]), a, b});
  const uint32_t least = temporary(4), most = temporary(4);
  add("min" + relu + type, {least, a, b});
  add("max" + relu + type, {most, a, b});
  add("!select4", {out(o[0]), least, most, flag(o[3])});
}

void MachineDecoder::decode_viadd(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (instruction.has(".16x2") && (o.at(1).negative || o.at(2).negative)) unsupported();
  const uint32_t a = word(o.at(1)), b = word(o.at(2));
  add(instruction.has(".16x2") ? "add.u16x2" : "add.u32", {out(o[0]), a, b});
}

void MachineDecoder::decode_viaddmnmx(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool is_pair = instruction.has(".U16x2") || instruction.has(".S16x2");
  const std::string type = type_of(instruction);
  const std::string relu = instruction.has(".RELU") ? ".relu" : "";
  if (is_pair && (o.at(2).negative || o.at(3).negative)) unsupported();
  if (!is_true(o.at(4))) unsupported();
  const uint32_t sum = temporary(4);
  add(is_pair ? "add.u16x2" : "add.u32", {sum, word(o.at(1)), word(o.at(2))});
  const uint32_t c = word(o.at(3));
  add((o[4].inverted ? "max" : "min") + relu + type, {out(o[0]), sum, c});
}

// d, a, b, c, p: the least of three, or the greatest; .RELU is of that.
void MachineDecoder::decode_vimnmx3(const Instruction& instruction) {
  const auto& o = instruction.operands;
  if (!is_true(o.at(4))) unsupported();
  const std::string name = o[4].inverted ? "max" : "min", type = type_of(instruction);
  const uint32_t of_two = temporary(4), c = word(o.at(3));
  add(name + type, {of_two, word(o.at(1)), word(o.at(2))});
  add(name + (instruction.has(".RELU") ? ".relu" : "") + type, {out(o.at(0)), of_two, c});
}

void MachineDecoder::decode_iabs(const Instruction& instruction) {
  const uint32_t from = word(instruction.operands.at(1));
  add("abs.s32", {out(instruction.operands.at(0)), from});
}

void MachineDecoder::decode_idp(const Instruction& instruction) {
  const auto& o = instruction.operands;
  std::vector<std::string> types;
  for (const std::string_view modifier : instruction.modifiers)
    if (modifier.starts_with(".U") || modifier.starts_with(".S"))
      types.push_back(modifier[1] == 'U' ? ".u32" : ".s32");
  if (types.size() != 2) unsupported();
  const std::string name = instruction.has(".4A")   ? "dp4a"
                           : instruction.has(".LO") ? "dp2a.lo"
                                                    : "dp2a.hi";
  const uint32_t a = word(o.at(1)), b = word(o.at(2)), c = word(o.at(3));
  add(name + types[0] + types[1], {out(o[0]), a, b, c});
}

// d, p, a, b, c: |a - b| + c; VABSDIFF4: of the bytes, with .ACC their sum + c
void MachineDecoder::decode_vabsdiff(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(2)), b = word(o.at(3)), c = word(o.at(4));
  if (!is_true(o.at(1))) unsupported();
  if (instruction.opcode == "VABSDIFF4") {
    meaning::Video bytes{};
    bytes.operation = meaning::VideoOperation::absdiff;
    if (instruction.has(".ACC")) bytes.second = meaning::VideoSecond::add;
    bytes.parts = 4, bytes.d_part = 0b1111, bytes.a_parts = 03210, bytes.b_parts = 07654;
    bytes.d_signed = bytes.a_signed = bytes.b_signed = !instruction.has(".U8");
    return add("!video", {out(o[0]), a, b, c}, 0, std::bit_cast<uint64_t>(bytes));
  }
  add(instruction.has(".U32") ? "sad.u32" : "sad.s32", {out(o[0]), a, b, c});
}

// The value in the range of a narrower type.
void MachineDecoder::decode_i2i(const Instruction& instruction) {
  const uint32_t from = word(instruction.operands.at(1)), least = temporary(4);
  const bool is_signed = instruction.has(".S8") || instruction.has(".S16"),
             is_byte = instruction.has(".S8") || instruction.has(".U8");
  const int32_t low = is_signed ? is_byte ? -0x80 : -0x8000 : 0,
                high = is_signed ? is_byte ? 0x7f : 0x7fff
                       : is_byte ? 0xff
                                 : 0xffff;
  add("max.s32", {least, from, constant(uint32_t(low), 4)});
  add("min.s32", {out(instruction.operands.at(0)), least, constant(uint32_t(high), 4)});
}

}  // namespace headroom::sim
