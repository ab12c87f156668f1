#include "sass/operands.h"

#include <array>
#include <string>

namespace headroom::sass {
namespace {

constexpr uint64_t vhmnmx = 0x047;  // selects halves of its third source elsewhere than others do

// "{5,4,0}"
std::string_view masks(uint32_t bits) {
  static const auto& all = *new std::array<std::string, 64>([] {
    std::array<std::string, 64> texts;
    for (uint32_t mask = 0; mask < texts.size(); ++mask) {
      for (int bit = 5; bit >= 0; --bit)
        if (mask >> bit & 1) texts[mask] += (texts[mask].empty() ? "" : ",") + std::to_string(bit);
      texts[mask] = "{" + texts[mask] + "}";
    }
    return texts;
  }());
  return all[bits & 63];
}

// What a form leaves out where it says nothing.
bool is_default(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg: return operand.index == zero_register;
    case OperandKind::uniform: return operand.index == zero_uniform;
    case OperandKind::predicate:
    case OperandKind::uniform_predicate:
      return operand.index == true_predicate && !operand.inverted;
    default:
      return operand.kind == OperandKind::word && operand.text.empty() && operand.suffixes.empty();
  }
}
}  // namespace

OperandReader::OperandReader(const Encoding& word, uint64_t offset, int architecture)
    : word_(word), offset_(offset), architecture_(architecture), form_(field(word, {9, 3})) {}

OperandReader::Source OperandReader::source_of(char slot) const {
  if (slot == 'w' && form_ == 1) return Source::reg_32;
  const bool c_is_other = form_ == 2 || form_ == 3 || form_ == 7;
  if (slot == 'c' && !c_is_other) return Source::reg_64;
  if (slot == 'b' && c_is_other) return Source::reg_64;
  switch (form_) {
    case 1: return slot == 'c' ? Source::reg_64 : Source::reg_32;
    case 2:
    case 4: return Source::immediate;
    case 3:
    case 5: return Source::constant;
    default: return Source::uniform;
  }
}

Operand OperandReader::reg(uint8_t at) const {
  Operand operand;
  operand.index = uint16_t(bits(at, 8));
  const int read = at == 24 ? 0 : at == 32 ? 1 : at == 64 ? 2 : -1;
  operand.reuse = read >= 0 && bits(uint8_t(122 + read), 1) && operand.index != zero_register;
  operand.slot = read >= 0 ? uint8_t(read) : no_slot;
  return operand;
}

// The bit goes with the source's place in the instruction, wherever its register stands.
void OperandReader::reuse(Operand& operand, char slot) const {
  const uint8_t bit = slot == 'b' ? 123 : 124;
  operand.reuse =
      operand.kind == OperandKind::reg && bits(bit, 1) && operand.index != zero_register;
  operand.slot = slot == 'b' ? 1 : 2;
}

Operand OperandReader::uniform(uint8_t at) const {
  Operand operand;
  operand.kind = OperandKind::uniform;
  operand.index = uint16_t(bits(at, 6));
  return operand;
}

Operand OperandReader::predicate(const Hole& hole, uint8_t at) const {
  Operand operand;
  operand.kind = hole.kind == HoleKind::uniform_predicate || hole.slot == 'U'
                     ? OperandKind::uniform_predicate
                     : OperandKind::predicate;
  operand.index = uint16_t(bits(at, 3));
  if (hole.kind == HoleKind::late_predicate) operand.index ^= 7;
  operand.inverted = hole.may_invert && bits(uint8_t(at + 3), 1);
  return operand;
}

void OperandReader::mark(const Hole& hole, Operand& operand, uint8_t sign, uint8_t absolute) const {
  operand.negative = hole.may_negate && bits(sign, 1);
  operand.absolute = hole.may_be_absolute && bits(absolute, 1);
  operand.inverted = hole.may_invert && bits(sign, 1);
}

bool OperandReader::select_half(Operand& operand, uint8_t at) const {
  static constexpr std::string_view halves[] = {"", ".F32", ".H0_H0", ".H1_H1"};
  const std::string_view half = halves[bits(at, 2)];
  if (!half.empty()) operand.suffixes.push_back(half);
  return true;
}

// HSET2 and HSETP2 tell the type at another place than the other halves do.
bool OperandReader::is_bf16() const {
  const uint64_t opcode = bits(0, 9);
  return bits(opcode == 0x033 || opcode == 0x034 ? 65 : 85, 1);
}

void OperandReader::immediate(const Hole& hole, Operand& operand) const {
  const uint64_t value = bits(32, 32);
  operand.kind = OperandKind::real;
  operand.value = int64_t(value);
  switch (hole.immediate) {
    case 'f': operand.real = Real::f32; return;
    case 'd': operand.real = Real::f64; return;
    case 'h': operand.real = is_bf16() ? Real::bf16x2 : Real::f16x2; return;
    default: break;
  }
  operand.kind = OperandKind::immediate;
  if (hole.immediate == 's') operand.value = int64_t(int32_t(value));
}

bool OperandReader::source(const Hole& hole, Operand& operand) const {
  const bool is_uniform = hole.kind == HoleKind::uniform_source;
  if (hole.slot == 'a') {
    operand = is_uniform ? uniform(24) : reg(24);
    mark(hole, operand, 72, 73);
    return hole.select != 'h' || select_half(operand, 74);
  }
  switch (source_of(hole.slot)) {
    case Source::reg_64:
      operand = is_uniform ? uniform(64) : reg(64);
      reuse(operand, hole.slot);
      if (hole.select == 'h')
        mark(hole, operand, 84, 83);
      else
        mark(hole, operand, 75, 74);
      return hole.select != 'h' || select_half(operand, bits(0, 9) == vhmnmx ? 76 : 81);
    case Source::reg_32:
      operand = is_uniform ? uniform(32) : reg(32);
      reuse(operand, hole.slot);
      mark(hole, operand, 63, 62);
      break;
    case Source::uniform:
      operand = uniform(32);
      mark(hole, operand, 63, 62);
      break;
    case Source::constant:
      operand = constant(0);
      mark(hole, operand, 63, 62);
      break;
    case Source::immediate: immediate(hole, operand); return true;
  }
  if (hole.select == 'B' && bits(60, 2)) {
    static constexpr std::string_view bytes[] = {"", ".B1", ".B2", ".B3"};
    operand.suffixes.push_back(bytes[bits(60, 2)]);
  }
  return hole.select != 'h' || select_half(operand, 60);
}

// In bytes, from the next instruction.
int64_t OperandReader::displacement(bool is_short) const {
  const int64_t high = signed_field(word_, {34, uint8_t(is_short ? 30 : 48)});
  const int64_t words = architecture_ >= 90 && !is_short ? high << 8 | int64_t(bits(16, 8)) : high;
  return words * 4;
}

bool OperandReader::choose(const Choice& choice, std::vector<std::string_view>& texts) const {
  uint64_t value = choice.field.width && choice.bits.empty() ? field(word_, choice.field) : 0;
  for (size_t i = 0; i < choice.bits.size(); ++i) value |= bits(choice.bits[i], 1) << i;
  if (value >= choice.texts.size() || choice.refused[value]) return false;
  for (const std::string& text : choice.texts[value])
    if (!text.empty()) texts.push_back(text);
  return true;
}

bool OperandReader::suffixes(const Hole& hole, Operand& operand) const {
  for (const Choice& choice : hole.suffixes)
    if (!choose(choice, operand.suffixes)) return false;
  return true;
}

bool OperandReader::fill(const Hole& hole, Operand& operand) const {
  const uint8_t at = hole.field.bit;
  switch (hole.kind) {
    case HoleKind::word:
      operand.kind = OperandKind::word;
      operand.text = hole.text;
      break;
    case HoleKind::number:
      operand.kind = OperandKind::word;
      operand.text = hole.text;
      operand.index = uint16_t(field(word_, hole.field));
      operand.value = 1;
      break;
    case HoleKind::reg:
      operand = reg(at);
      operand.reuse &= hole.slot != 'N';
      break;
    case HoleKind::uniform:
      operand = uniform(at);
      operand.inverted = hole.slot == '~';
      break;
    case HoleKind::pointer:
    case HoleKind::register_pointer:
    case HoleKind::wide_pointer:
    case HoleKind::uniform_address: operand = pointer(hole); break;
    case HoleKind::descriptor:
    case HoleKind::matrix:
      operand.kind = hole.kind == HoleKind::matrix ? OperandKind::matrix : OperandKind::descriptor;
      operand.descriptor = uint16_t(bits(at, 6));
      break;
    case HoleKind::predicate:
    case HoleKind::uniform_predicate:
    case HoleKind::late_predicate: operand = predicate(hole, at); break;
    case HoleKind::barrier:
      operand.kind = OperandKind::barrier;
      operand.index = uint16_t(field(word_, hole.field));
      break;
    case HoleKind::source:
    case HoleKind::uniform_source: return source(hole, operand) && suffixes(hole, operand);
    case HoleKind::immediate:
      operand.kind = OperandKind::immediate;
      operand.value = int64_t(field(word_, hole.field));
      break;
    case HoleKind::global: global(hole, operand); break;
    case HoleKind::shared: shared(hole, operand); break;
    case HoleKind::copy: return false;
    case HoleKind::constant: operand = constant(hole.slot); break;
    case HoleKind::byte_label:
      operand.kind = OperandKind::label;
      operand.value = int64_t(offset_ + instruction_bytes) + signed_field(word_, {24, 58});
      break;
    case HoleKind::displacement:
      operand.kind = OperandKind::immediate;
      operand.value = displacement(false);
      break;
    case HoleKind::label:
    case HoleKind::short_label:
      operand.kind = OperandKind::label;
      operand.value =
          int64_t(offset_ + instruction_bytes) + displacement(hole.kind == HoleKind::short_label);
      break;
    case HoleKind::special:
      operand.kind = OperandKind::special;
      operand.index = uint16_t(bits(at, 8));
      operand.text = special_register(operand.index, architecture_);
      break;
    case HoleKind::mask:
      operand.kind = OperandKind::word;
      operand.text = masks(uint32_t(field(word_, hole.field)));
      break;
    case HoleKind::lut:
      operand.kind = OperandKind::immediate;
      operand.value = int64_t(bits(72, 5) << 3 | bits(64, 3));
      break;
  }
  return suffixes(hole, operand);
}

bool OperandReader::read(const Hole& hole, std::vector<Operand>& operands) const {
  if (hole.kind == HoleKind::copy) {
    copy(operands);
    return true;
  }
  Operand operand;
  if (!fill(hole, operand)) return false;
  operand.written = hole.written;
  operand.hidden = (hole.optional || hole.kind == HoleKind::word) && is_default(operand);
  operands.push_back(std::move(operand));
  return true;
}

}  // namespace headroom::sass
