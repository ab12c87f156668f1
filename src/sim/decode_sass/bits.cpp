// Logic, shifts and bits of integers and predicates, of lanes and of the uniform datapath.
#include <string>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {

std::span<const MachineDecoder::Entry> MachineDecoder::bits_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"LOP3", &M::decode_lop3},      {"ULOP3", &M::decode_lop3},     {"SHF", &M::decode_shf},
      {"USHF", &M::decode_shf},       {"PRMT", &M::decode_prmt},      {"UPRMT", &M::decode_prmt},
      {"BMSK", &M::decode_bmsk},      {"UBMSK", &M::decode_bmsk},     {"SGXT", &M::decode_sgxt},
      {"USGXT", &M::decode_sgxt},     {"FLO", &M::decode_flo},        {"UFLO", &M::decode_flo},
      {"POPC", &M::decode_one_bits},  {"UPOPC", &M::decode_one_bits}, {"BREV", &M::decode_one_bits},
      {"UBREV", &M::decode_one_bits}, {"PLOP3", &M::decode_plop3},    {"UPLOP3", &M::decode_plop3},
      {"P2R", &M::decode_p2r},        {"UP2UR", &M::decode_p2r},      {"R2P", &M::decode_r2p},
      {"UR2UP", &M::decode_r2p},
  };
  return entries;
}

// p, d, a, b, c, table, q: p = (d != 0) or q
void MachineDecoder::decode_lop3(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(2)), b = word(o.at(3)), c = word(o.at(4));
  const int64_t table = o.at(5).value;
  const uint32_t result = out(o.at(1));
  const std::string own = "!lop3_" + std::to_string(table);
  if (find_row(own, 4))
    add(own, {result, a, b, c});
  else
    add("!lop3", {result, a, b, c}, table);
  if (is_true(o[0])) return;
  const uint32_t any = temporary(0);
  add("!nonzero", {any, result});
  add(instruction.has(".PAND") ? "and.pred" : "or.pred", {out_flag(o[0]), any, flag(o.at(6))});
}

// d, low, shift, high
void MachineDecoder::decode_shf(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool is_signed = instruction.has(".S64") || instruction.has(".S32"),
             is_wide = instruction.has(".S64") || instruction.has(".U64");
  const int kind = int(instruction.has(".R")) | int(instruction.has(".W")) << 1 |
                   int(is_signed) << 2 | int(is_wide) << 3 | int(instruction.has(".HI")) << 4;
  const uint32_t low = word(o.at(1)), by = word(o.at(2)), high = word(o.at(3));
  add("!shf" + std::to_string(kind), {out(o[0]), low, by, high});
}

void MachineDecoder::decode_prmt(const Instruction& instruction) {
  const auto& o = instruction.operands;
  std::string row = "prmt.b32";
  for (const char* mode : {".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16"})
    if (instruction.has(mode)) row += lowercase(mode);
  const uint32_t a = word(o.at(1)), choice = word(o.at(2)), b = word(o.at(3));
  add(row, {out(o[0]), a, b, choice});  // the selector stands between the sources
}

void MachineDecoder::decode_bmsk(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1)), b = word(o.at(2));
  add(instruction.has(".W") ? "bmsk.wrap.b32" : "bmsk.clamp.b32", {out(o[0]), a, b});
}

void MachineDecoder::decode_sgxt(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(1)), b = word(o.at(2));
  add(std::string(instruction.has(".W") ? "szext.wrap" : "szext.clamp") +
          (instruction.has(".U32") ? ".u32" : ".s32"),
      {out(o[0]), a, b});
}

void MachineDecoder::decode_flo(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const uint32_t a = word(o.at(2)), result = out(o.at(0));
  add(std::string("bfind") + (instruction.has(".SH") ? ".shiftamt" : "") +
          (instruction.has(".U32") ? ".u32" : ".s32"),
      {result, a});
  if (is_true(o.at(1))) return;
  add("setp.ne.u32", {out_flag(o[1]), result, constant(~0u, 4)});
}

void MachineDecoder::decode_one_bits(const Instruction& instruction) {
  const uint32_t from = word(instruction.operands.at(1));
  const bool counts = instruction.opcode.ends_with("POPC");
  add(counts ? "popc.b32" : "brev.b32", {out(instruction.operands.at(0)), from});
}

// p, q, a, b, c, table of p, table of q; or of the signs of three registers.
void MachineDecoder::decode_plop3(const Instruction& instruction) {
  const auto& o = instruction.operands;
  uint32_t source[3];
  for (size_t n = 0; n < 3; ++n) {
    const Operand& operand = o.at(2 + n);
    if (operand.kind == Kind::predicate || operand.kind == Kind::uniform_predicate) {
      source[n] = flag(operand);
      continue;
    }
    source[n] = temporary(0);
    add("!sign", {source[n], word(operand)});
  }
  const uint32_t first = temporary(0);  // p may be one of the sources
  add("!plop3", {first, source[0], source[1], source[2]}, o.at(5).value);
  if (!is_true(o[1]))
    add("!plop3", {out_flag(o[1]), source[0], source[1], source[2]}, o.at(6).value);
  if (!is_true(o[0])) add("mov.pred", {out_flag(o[0]), first});
}

namespace {

// The byte that .B1, .B2 or .B3 names.
uint32_t byte_of(const sass::Instruction& instruction, const sass::Operand* operand) {
  uint32_t byte = 0;
  const auto look = [&](std::string_view suffix) {
    if (suffix.size() == 3 && suffix.starts_with(".B")) byte = uint32_t(suffix[2] - '0');
  };
  for (const std::string_view modifier : instruction.modifiers) look(modifier);
  if (operand)
    for (const std::string_view suffix : operand->suffixes) look(suffix);
  return byte;
}

}  // namespace

// d, PR, a, mask: the predicates in mask into a byte of a
void MachineDecoder::decode_p2r(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool of_warp = instruction.opcode == "UP2UR";
  const uint32_t byte = byte_of(instruction, nullptr), mask = uint32_t(o.at(3).value) & 0x7f;
  uint32_t sum = temporary(4);
  add("and.b32", {sum, word(o.at(2)), constant(~(mask << 8 * byte), 4)});
  for (uint16_t p = 0; p < 7; ++p) {
    if (!(mask >> p & 1)) continue;
    Operand predicate;
    predicate.kind = of_warp ? Kind::uniform_predicate : Kind::predicate;
    predicate.index = p;
    const uint32_t bit = temporary(4), next = temporary(4);
    add("!select4", {bit, constant(1u << (8 * byte + p), 4), constant(0, 4), row_of(predicate)});
    add("or.b32", {next, sum, bit});
    sum = next;
  }
  add("!mov4", {out(o[0]), sum});
}

// PR, a, mask: a byte of a into the predicates in mask
void MachineDecoder::decode_r2p(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool of_warp = instruction.opcode == "UR2UP";
  const uint32_t byte = byte_of(instruction, &o.at(1)),
                 mask = o.size() > 2 ? uint32_t(o[2].value) & 0x7f : 0x7f, from = word(o.at(1));
  for (uint16_t p = 0; p < 7; ++p) {
    if (!(mask >> p & 1)) continue;
    Operand predicate;
    predicate.kind = of_warp ? Kind::uniform_predicate : Kind::predicate;
    predicate.index = p;
    const uint32_t bit = temporary(4);
    add("and.b32", {bit, from, constant(1u << (8 * byte + p), 4)});
    add("!nonzero", {row_of(predicate), bit});
  }
}

}  // namespace headroom::sim
