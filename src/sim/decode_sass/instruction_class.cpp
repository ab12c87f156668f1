#include "sim/decode_sass/instruction_class.h"

#include <algorithm>
#include <unordered_map>

#include "sass/matrix_shape.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {

bool is_uniform(std::string_view opcode) {
  static constexpr std::string_view others[] = {"S2UR", "R2UR"};
  for (const std::string_view other : others)
    if (opcode == other) return true;
  return opcode.size() > 1 && opcode[0] == 'U' && !opcode.starts_with("UTMA") &&
         !opcode.starts_with("UBLK") && !opcode.starts_with("UCGA") && opcode != "USETMAXREG";
}

bool is_branch(std::string_view opcode) {
  static constexpr std::string_view opcodes[] = {"BRA",  "BRX", "BRXU", "JMP",   "JMX",
                                                 "CALL", "RET", "EXIT", "BSYNC", "WARPSYNC"};
  return std::find(std::begin(opcodes), std::end(opcodes), opcode) != std::end(opcodes);
}

// HFMA2.MMA R4, -RZ, RZ, 0, 0 is how ptxas writes R4 = 0.
static bool writes_constant(const sass::Instruction& instruction) {
  return instruction.opcode == "HFMA2" && is_zero(instruction.operands.at(1)) &&
         is_zero(instruction.operands.at(2));
}

InstructionClass class_of(const sass::Instruction& instruction) {
  using C = InstructionClass;
  static const std::unordered_map<std::string_view, C> by_opcode = [] {
    std::unordered_map<std::string_view, C> table;
    const auto enter = [&](C kind, std::initializer_list<std::string_view> opcodes) {
      for (const std::string_view opcode : opcodes) table[opcode] = kind;
    };
    enter(C::fp32, {"FADD", "FMUL", "FFMA"});
    enter(C::fp64, {"DADD", "DMUL", "DFMA", "DSETP"});
    enter(C::fp16, {"HADD2", "HMUL2", "HFMA2"});
    enter(C::special, {"MUFU"});
    enter(C::conversion, {"F2F", "F2I", "I2F", "FRND", "F2FP", "I2I", "I2IP", "F2IP", "I2FP"});
    enter(C::memory, {"LDG",     "LD",       "STG",    "ST",    "LDS",    "STS",     "LDL",
                      "STL",     "ATOM",     "ATOMG",  "ATOMS", "RED",    "REDG",    "LDGSTS",
                      "LDSM",    "STSM",     "TEX",    "TLD",   "TLD4",   "SULD",    "SUST",
                      "SUATOM",  "SURED",    "STAS",   "REDAS", "UBLKCP", "UBLKRED", "UTMALDG",
                      "UTMASTG", "UTMAREDG", "UTMAPF", "TXQ",   "UBLKPF"});
    enter(C::control,
          {"BRA",          "BRX",      "BRXU",      "JMP",         "JMX",          "BSSY",
           "BSYNC",        "BREAK",    "BMOV",      "YIELD",       "WARPSYNC",     "ENDCOLLECTIVE",
           "EXIT",         "CALL",     "RET",       "LEPC",        "NANOSLEEP",    "BPT",
           "DEPBAR",       "BAR",      "B2R",       "UCGABAR_ARV", "UCGABAR_WAIT", "WARPGROUP",
           "MEMBAR",       "ERRBAR",   "CGAERRBAR", "CCTL",        "CCTLL",        "FENCE",
           "SYNCS",        "VOTE",     "VOTEU",     "ELECT",       "LDGDEPBAR",    "ARRIVES",
           "UTMACMDFLUSH", "UTMACCTL", "ACQBULK",   "PREEXIT",     "USETMAXREG",   "PMTRIG",
           "RPCMOV"});
    enter(C::tensor, {"HMMA", "IMMA", "DMMA", "BMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"});
    enter(C::move, {"MOV", "UMOV", "S2R", "S2UR", "CS2R", "R2UR", "LDC", "ULDC", "P2R", "R2P",
                    "UP2UR", "UR2UP", "NOP"});
    enter(C::other, {"SHFL", "MATCH", "REDUX", "QSPC", "SEL", "USEL", "MOVM"});
    return table;
  }();
  if (writes_constant(instruction)) return C::move;
  const auto found = by_opcode.find(instruction.opcode);
  // Comparisons and minima of floats run on the lanes of integers (measured on an H200).
  return found == by_opcode.end() ? C::integer : found->second;
}

int float_operations_of(const sass::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (writes_constant(instruction)) return 0;
  const int fused = opcode.ends_with("FMA") || opcode == "HFMA2" ? 2 : 1;
  const bool adds = opcode.ends_with("ADD") || opcode.ends_with("MUL") || opcode.ends_with("FMA");
  if (opcode == "MUFU") return 1;
  if (opcode == "HADD2" || opcode == "HMUL2" || opcode == "HFMA2") return 2 * fused;
  return (opcode.starts_with('F') || opcode.starts_with('D')) && adds ? fused : 0;
}

uint64_t tensor_operations_of(const sass::Instruction& instruction) {
  const sass::MatrixShape shape = sass::matrix_shape(instruction);
  return 2 * uint64_t(shape.m) * uint64_t(shape.n) * uint64_t(shape.k);
}

}  // namespace headroom::sim
