// What becomes of the bytes of a machine instruction's registers (flow.h). Of those that are not in the table
// all that is written follows from all that is read.
//
//   LOP3.LUT R3, R1, 0xff, RZ, 0xc0, !PT    bitwise: the first byte of R1, and zeros
//   IMAD.MOV.U32 R3, RZ, RZ, R1             copies      IMAD.WIDE R2, R0, 0x4, R6   computes
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string_view>
#include <utility>

#include "sim/check/flow.h"
#include "sim/decode_sass/registers.h"

namespace headroom::sim::check {
namespace {

using Kind = Flow::Kind;
using Is = sass::OperandKind;

constexpr std::pair<std::string_view, Kind> kinds_of_code[] = {
    {"MOV", Kind::copies},     {"UMOV", Kind::copies},    {"SEL", Kind::selects},
    {"FSEL", Kind::selects},   {"USEL", Kind::selects},   {"LOP3", Kind::bitwise},
    {"ULOP3", Kind::bitwise},  {"PLOP3", Kind::bitwise},  {"UPLOP3", Kind::bitwise},
    {"SHF", Kind::funnels},    {"USHF", Kind::funnels},   {"PRMT", Kind::permutes},
    {"UPRMT", Kind::permutes}, {"SHFL", Kind::exchanges}, {"VOTE", Kind::gathers},
    {"VOTEU", Kind::gathers},  {"MATCH", Kind::gathers},  {"REDUX", Kind::gathers},
    {"R2UR", Kind::gathers},   {"LDG", Kind::loads},      {"LD", Kind::loads},
    {"LDS", Kind::loads},      {"LDL", Kind::loads},      {"STG", Kind::stores},
    {"ST", Kind::stores},      {"STS", Kind::stores},     {"STL", Kind::stores},
    {"ATOM", Kind::modifies},  {"ATOMG", Kind::modifies}, {"ATOMS", Kind::modifies},
    {"RED", Kind::modifies},   {"REDG", Kind::modifies},  {"LDGSTS", Kind::copies_memory},
    {"F2FP", Kind::packs},     {"HADD2", Kind::halves},   {"HMUL2", Kind::halves},
    {"HFMA2", Kind::halves},   {"HMNMX2", Kind::halves},  {"VHMNMX", Kind::halves},
    {"S2R", Kind::nothing},    {"S2UR", Kind::nothing},   {"CS2R", Kind::nothing},
    {"LDC", Kind::nothing},    {"ULDC", Kind::nothing},   {"LDSM", Kind::nothing},
    {"MOVM", Kind::nothing},   {"B2R", Kind::nothing},    {"BMOV", Kind::nothing},
    {"ELECT", Kind::nothing},  {"LEPC", Kind::nothing},   {"SYNCS", Kind::nothing},
    {"SULD", Kind::nothing},   {"TEX", Kind::nothing},    {"TLD", Kind::nothing},
    {"TLD4", Kind::nothing},   {"TXQ", Kind::nothing},    {"TXD", Kind::nothing},
    {"TMML", Kind::nothing},
};

class CodeReader {
 public:
  using Operand = sass::Operand;
  CodeReader(const Program& program, const InstructionAt& at)
      : program_(program), i_(at.code->instructions[at.index]) {}

  Flow flow() {
    flow_.kind = kind();
    flow_.for_all_lanes = i_.opcode.starts_with("U") || i_.opcode == "VOTEU" ||
                          i_.opcode == "R2UR" || (i_.opcode == "S2UR") ||
                          (i_.opcode == "REDUX" && i_.operands.front().kind == Is::uniform);
    if (i_.guarded) add(i_.guard, 1, flow_.guards);
    read();
    settle();
    return std::move(flow_);
  }

 private:
  Kind kind() const {
    if (i_.opcode.ends_with("MMA")) return Kind::nothing;
    if (i_.opcode.find("SETP") != i_.opcode.npos) return Kind::compares;
    for (const auto& [opcode, kind] : kinds_of_code)
      if (opcode == i_.opcode) return kind;
    return Kind::computes;
  }

  bool moves_memory() const {
    return flow_.kind == Kind::loads || flow_.kind == Kind::stores ||
           flow_.kind == Kind::modifies || flow_.kind == Kind::copies_memory;
  }

  int bytes_of_memory() const {
    for (const std::string_view modifier : i_.modifiers) {
      if (modifier == ".U8" || modifier == ".S8") return 1;
      if (modifier == ".U16" || modifier == ".S16") return 2;
      if (modifier == ".128" || modifier.ends_with("x8") || modifier == ".F32x4") return 16;
      if (modifier.starts_with(".") &&
          (modifier == ".64" || modifier == ".U64" || modifier == ".S64" || modifier == ".F64" ||
           modifier.ends_with("x4") || modifier == ".F32x2"))
        return 8;
    }
    return 4;
  }

  // Registers of an operand that is a register.
  int count_of(const Operand& operand, size_t n) const {
    const std::string_view opcode = i_.opcode;
    if (opcode.ends_with("GMMA")) return operand.written ? 128 : 1;
    if (opcode == "CS2R") return i_.has(".32") ? 1 : 2;
    if (opcode == "LDC" || opcode == "ULDC") return std::max(1, bytes_of_memory() / 4);
    if (opcode.ends_with("MMA") || opcode == "LDSM" || opcode.starts_with("T") || opcode == "SULD")
      return 4;  // rather too many: they count as written
    if (moves_memory()) {
      const int one = std::max(1, bytes_of_memory() / 4);
      return i_.has(".CAS") && !operand.written ? 2 * one : one;
    }
    if (i_.has(".WIDE")) return operand.written || is_addend(n) ? 2 : 1;
    if (opcode == "MATCH") return i_.has(".U64") && !operand.written ? 2 : 1;
    if (opcode == "I2F")
      return i_.has(operand.written ? ".F64" : ".S64") || (!operand.written && i_.has(".U64")) ? 2
                                                                                               : 1;
    if (opcode == "F2I")
      return operand.written ? (i_.has(".S64") || i_.has(".U64") ? 2 : 1) : i_.has(".F64") ? 2 : 1;
    if (opcode == "F2F" || opcode == "FRND") {
      if (i_.modifiers.empty()) return 1;
      const bool to = std::ranges::find(i_.modifiers, ".F64") != i_.modifiers.end();
      const bool both = std::ranges::count(i_.modifiers, ".F64") == 2 || opcode == "FRND";
      const bool first =
          to && std::ranges::find(i_.modifiers, ".F64") <
                    std::ranges::find_if(
                        i_.modifiers,
                        [](std::string_view each) { return each == ".F32" || each == ".F16"; });
      return to && (both || first == operand.written) ? 2 : 1;
    }
    return opcode.starts_with("D") ? 2 : 1;
  }

  // The last that is no predicate.
  bool is_addend(size_t n) const {
    while (++n < i_.operands.size())
      if (i_.operands[n].kind != Is::predicate && i_.operands[n].kind != Is::uniform_predicate)
        return false;
    return true;
  }

  Part number(int of, uint8_t bytes, bool negated) const {
    return {program_.functions[0].registers[size_t(of)].at, bytes, negated, 0};
  }

  void add(const Operand& operand, int count, std::vector<Part>& into) const {
    const auto one = [&](int from, int index, int zero) {
      for (int n = index; n < index + count; ++n)
        into.push_back(n < zero ? number(from + n, 4, false) : Part{no_operand, 4, false, 0});
    };
    switch (operand.kind) {
      case Is::reg:
        one(0, operand.index, sass::zero_register);
        if (!operand.written) into.back().which = counts(operand);
        return;
      case Is::uniform: return one(uniforms_from, operand.index, sass::zero_uniform);
      case Is::predicate:
      case Is::uniform_predicate: {
        const int from = operand.kind == Is::predicate ? predicates_from : uniform_predicates_from;
        into.push_back(operand.index == sass::true_predicate
                           ? Part{no_operand, 0, false, operand.inverted ? 0 : ~0ull}
                           : number(from + operand.index, 0, operand.inverted));
        return;
      }
      case Is::immediate:
      case Is::real: into.push_back({no_operand, 4, false, uint64_t(operand.value)}); return;
      case Is::constant: into.push_back(constant(operand)); return;
      default: return;
    }
  }

  // R1.H0_H0, R1.B2
  static uint8_t counts(const Operand& operand) {
    for (const std::string_view suffix : operand.suffixes) {
      if (suffix == ".H0_H0" || suffix == ".H0") return 0b0011;
      if (suffix == ".H1_H1" || suffix == ".H1") return 0b1100;
      if (suffix.size() == 3 && suffix.starts_with(".B")) return uint8_t(1 << (suffix[2] - '0'));
    }
    return 0xff;
  }

  Part constant(const Operand& operand) const {
    for (const ConstantBank& bank : program_.banks) {
      if (bank.number != int(operand.index)) continue;
      for (const LaunchConstant& each : program_.launch_constants)
        if (each.bytes == 4 && each.from == bank.at + uint64_t(operand.value))
          return {program_.constants_at + each.constant, 4, false, 0};
    }
    return {no_operand, 4, false, 0};
  }

  void add_address(const Operand& operand) {
    Operand part;
    part.index = operand.base;
    if (operand.base != sass::zero_register) add(part, operand.wide ? 2 : 1, flow_.address);
    part.kind = Is::uniform;
    part.index = operand.uniform;
    if (operand.uniform != sass::zero_uniform)
      add(part, operand.wide || operand.has_descriptor ? 2 : 1, flow_.address);
  }

  void read() {
    for (size_t n = 0; n < i_.operands.size(); ++n) {
      const Operand& operand = i_.operands[n];
      if (operand.kind == Is::memory)
        add_address(operand);
      else
        add(operand, count_of(operand, n), operand.written ? flow_.to : flow_.from);
    }
    if (i_.opcode == "R2P" || i_.opcode == "UR2UP" || i_.opcode == "P2R" || i_.opcode == "UP2UR")
      for (int p = 0; p < sass::true_predicate; ++p)
        (i_.opcode.ends_with("P") ? flow_.to : flow_.from)
            .push_back(
                number((i_.opcode.starts_with("U") ? uniform_predicates_from : predicates_from) + p,
                       0, false));
  }

  // The operands in the order that their kind has them.
  void settle() {
    auto& from = flow_.from;
    auto& to = flow_.to;
    const auto lift_predicates = [](std::vector<Part>& parts) {  // behind the registers
      std::stable_partition(parts.begin(), parts.end(),
                            [](const Part& part) { return part.bytes != 0; });
    };
    if (is_branch()) {
      flow_.guards.insert(flow_.guards.end(), from.begin(), from.end());
      from.clear();
      return;
    }
    switch (flow_.kind) {
      case Kind::copies: from.resize(std::min<size_t>(from.size(), 1)); return;
      case Kind::computes: return settle_sum();
      case Kind::compares:
        flow_.is_or = i_.has(".OR");
        if (i_.has(".XOR")) flow_.kind = Kind::computes;
        if (i_.has(".EX") && from.size() > 1)  // the lower halves' comparison stands last
          std::swap(from[from.size() - 1], from[from.size() - 2]);
        return;
      case Kind::bitwise: return settle_bits();
      case Kind::funnels: return settle_shift();
      case Kind::permutes:
        if (from.size() == 3) std::swap(from[1], from[2]);
        return;
      case Kind::exchanges:
        lift_predicates(to);
        for (const std::string_view mode : {".UP", ".DOWN", ".BFLY", ".IDX"})
          if (i_.has(mode)) flow_.mode = char(std::tolower(mode[1]));
        return;
      case Kind::loads:
      case Kind::stores:
        std::erase_if(from, [](const Part& part) { return part.bytes == 0; });
        std::erase_if(to, [](const Part& part) { return part.bytes == 0; });
        flow_.element = uint8_t(std::min(4, bytes_of_memory()));
        flow_.is_signed = i_.has(".S8") || i_.has(".S16");
        return;
      case Kind::modifies:
        lift_predicates(to);
        std::erase_if(from, [](const Part& part) { return part.bytes == 0; });
        flow_.only_exchanges = i_.has(".EXCH");
        return;
      case Kind::copies_memory: from.clear(); return;
      case Kind::packs:
        if (!i_.has(".PACK_AB") || from.size() != 2) flow_.kind = Kind::computes;
        return;
      case Kind::halves:
        if (i_.has(".F32")) flow_.kind = Kind::computes;
        return;
      default: return;
    }
  }

  bool is_branch() const {
    return i_.opcode == "BRA" || i_.opcode == "EXIT" || i_.opcode == "CALL" || i_.opcode == "BRX" ||
           i_.opcode == "BREAK";
  }

  static bool is_zero(const Operand& operand) {
    return (operand.kind == Is::reg && operand.index == sass::zero_register) ||
           (operand.kind == Is::uniform && operand.index == sass::zero_uniform) ||
           (operand.kind == Is::immediate && operand.value == 0);
  }

  // a * b + c, where it moves or places bytes.
  void settle_sum() {
    const auto& o = i_.operands;
    auto& from = flow_.from;
    const bool is_product = i_.opcode == "IMAD" || i_.opcode == "UIMAD";
    if (is_product && !i_.has(".WIDE") && !i_.has(".HI") && !i_.has(".X") && o.size() == 4 &&
        from.size() == 3) {
      if (is_zero(o[1]) && !o[3].negative) {
        from.erase(from.begin(), from.begin() + 2);
        flow_.kind = Kind::copies;
      } else if (o[2].kind == Is::immediate && std::has_single_bit(uint32_t(o[2].value)) &&
                 !o[3].negative) {
        flow_.element = uint8_t(std::countr_zero(uint32_t(o[2].value)) / 8);
        from.erase(from.begin() + 1);
        flow_.kind = o[2].value == 1 && is_zero(o[3]) ? Kind::copies : Kind::places;
        if (flow_.kind == Kind::copies) from.pop_back();
      }
    }
    if ((i_.opcode == "IADD3" || i_.opcode == "UIADD3") && !i_.has(".X")) {
      std::vector<Part> terms;
      for (const Operand& operand : o)
        if (!operand.written && !is_zero(operand) && !operand.negative) add(operand, 1, terms);
      std::erase_if(terms, [](const Part& part) { return part.bytes == 0; });
      const bool moves = terms.size() == 1 && std::ranges::count_if(o, is_zero) >= 2;
      if (moves) flow_.kind = Kind::copies;
      if (moves) from = std::move(terms);
    }
    if ((i_.opcode == "LEA" || i_.opcode == "ULEA") && !i_.has(".HI") && !i_.has(".X")) {
      std::erase_if(from, [](const Part& part) { return part.bytes == 0; });
      if (from.size() != 3 || from[2].at != no_operand) return;
      flow_.element = uint8_t(from[2].bits / 8);
      from.pop_back();
      flow_.kind = Kind::places;
    }
  }

  // d, a, b, c, table, of which PLOP3 has two
  void settle_bits() {
    auto& from = flow_.from;
    const bool of_predicates = i_.opcode.ends_with("PLOP3");
    std::vector<Part> bits;
    bool is_found = false;
    for (size_t n = 0; n < i_.operands.size() && !is_found; ++n) {
      const Operand& operand = i_.operands[n];
      const bool is_table = operand.kind == Is::immediate && bits.size() == 3;
      if (is_table) flow_.table = uint8_t(operand.value);
      if (is_table) is_found = true;
      if (!is_table && !operand.written) add(operand, 1, bits);
    }
    std::erase_if(flow_.to, [](const Part& part) { return part.at == no_operand; });
    if (!is_found || (of_predicates && flow_.to.size() != 1)) {
      flow_.kind = Kind::computes;
      if (of_predicates) std::erase_if(from, [](const Part& part) { return part.bytes != 0; });
      return;
    }
    for (size_t n = 0; n < 3; ++n)  // ~R1
      if (bits[n].bytes && inverted(n)) flow_.table = flipped(flow_.table, n);
    from = std::move(bits);
  }

  bool inverted(size_t nth) const {
    for (const Operand& operand : i_.operands)
      if (!operand.written && nth-- == 0) return operand.inverted;
    return false;
  }

  static uint8_t flipped(uint8_t table, size_t nth) {
    uint8_t other = 0;
    for (uint32_t row = 0; row < 8; ++row)
      if (table >> row & 1) other |= uint8_t(1u << (row ^ (4u >> nth)));
    return other;
  }

  // d, low, bits, high
  void settle_shift() {
    auto& from = flow_.from;
    if (from.size() != 3) {
      flow_.kind = Kind::computes;
      return;
    }
    const bool right = i_.has(".R"), upper = i_.has(".HI");
    flow_.to_right = right;
    flow_.is_signed = i_.has(".S32") || i_.has(".S64");
    std::swap(from[1], from[2]);  // {low, high, bits}
    if (right && upper) {
      from = {from[1], from[2]};
      flow_.kind = Kind::shifts;
    } else if (!right && !upper) {
      from = {from[0], from[2]};
      flow_.kind = Kind::shifts;
    }
  }

  const Program& program_;
  const sass::Instruction& i_;
  Flow flow_;
};

}  // namespace

Flow flow_of_code(const Program& program, uint32_t instruction) {
  return CodeReader(program, program.instructions[instruction]).flow();
}

}  // namespace headroom::sim::check
