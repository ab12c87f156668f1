// A row for each set of pipes: who goes through them. Read off profiles of an H200 (docs/machine_code.md
// says of what); instructions that no profile has stand with their kin, in the second string of a row.
#include "sim/decode_sass/pipes.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace headroom::sim {
namespace {

struct PipeSet {
  std::vector<Pipe> pipes;
  std::string_view measured, kin;
};

const std::vector<PipeSet>& pipe_sets() {
  using P = Pipe;
  static const std::vector<PipeSet> table = {
      {{P::alu},
       "BMSK CS2R F2FP FMNMX FSEL FSETP HMNMX2 I2FP IABS IADD3 ISETP LEA LOP3 MOV P2R PLOP3 PRMT "
       "SEL SHF VHMNMX VIADDMNMX VIMNMX VOTE",
       "F2IP FSET HSET2 HSETP2 I2I I2IP IMNMX R2P SGXT VABSDIFF VABSDIFF4 VIMNMX3"},
      {{P::fma}, "FADD FFMA FMUL HADD2 HFMA2 HMUL2 IDP IMAD VIADD", ""},
      {{P::fp64}, "DADD DFMA DMUL DSETP", ""},
      {{P::tensor}, "DMMA HMMA IMMA", "BGMMA BMMA HGMMA IGMMA MOVM QGMMA"},
      {{P::xu}, "BREV F2F F2I FCHK FLO FRND I2F MUFU POPC", ""},
      {{P::lsu},
       "ATOM ATOMG ATOMS LD LDG LDGDEPBAR LDGSTS LDL LDS REDG SHFL STG STL STS",
       "ARRIVES LDSM QSPC RED REDAS ST STAS STSM SYNCS"},
      {{P::tex}, "TEX TLD", "SULD SURED SUST TLD4 TXD TXQ"},
      {{P::uniform},
       "UFLO UIADD3 UIMAD UISETP ULEA ULOP3 USEL USHF",
       "UBMSK UBREV UPLOP3 UPOPC UPRMT USGXT"},
      {{P::adu}, "BAR LDC MATCH REDUX S2R S2UR UCGABAR_ARV", "B2R"},
      {{P::cbu}, "BSSY BSYNC CALL EXIT WARPSYNC", "BMOV BREAK"},
      {{P::adu, P::cbu}, "BRX RET", "BRXU JMX"},
      {{P::adu, P::lsu}, "MEMBAR", ""},
      {{P::lsu, P::tex}, "CCTL", "CCTLL"},
  };
  return table;
}

// Numbers of the thread come from where its lanes' addresses do; the block's from elsewhere.
bool is_of_lanes(const sass::Instruction& instruction) {
  const std::string_view name = instruction.operands.back().text;
  return name.starts_with("SR_TID") || name.starts_with("SR_LANEID") || name.ends_with("MASK");
}

bool is_through_register(const sass::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::reg || operand.kind == sass::OperandKind::uniform;
  });
}

}  // namespace

std::span<const Pipe> pipes_of(const sass::Instruction& instruction, int architecture) {
  static const std::unordered_map<std::string_view, const PipeSet*> by_opcode = [] {
    std::unordered_map<std::string_view, const PipeSet*> found;
    for (const PipeSet& set : pipe_sets())
      for (std::string_view left : {set.measured, set.kin})
        while (!left.empty()) {
          const size_t end = std::min(left.find(' '), left.size());
          found.emplace(left.substr(0, end), &set);
          left.remove_prefix(std::min(end + 1, left.size()));
        }
    return found;
  }();
  const auto of = [](std::string_view opcode) -> std::span<const Pipe> {
    const auto found = by_opcode.find(opcode);
    return found == by_opcode.end() ? std::span<const Pipe>{} : found->second->pipes;
  };
  if (instruction.opcode == "S2R" && is_of_lanes(instruction)) return of("LDS");
  if (instruction.opcode == "CALL" && is_through_register(instruction)) return of("RET");
  if (instruction.opcode == "HFMA2" && instruction.has(".MMA")) return of("HMMA");
  static constexpr Pipe halves[] = {Pipe::fp16};
  const bool is_half = instruction.opcode.starts_with('H') && instruction.opcode.ends_with('2');
  if (is_half && architecture < 86) return halves;
  // Before 8.0 a converter between FP16 and FP32 stands there too.
  if (architecture < 80 && instruction.opcode == "F2F" &&
      (instruction.has(".F16") || instruction.has(".F16.F32")))
    return halves;
  return of(instruction.opcode);
}

}  // namespace headroom::sim
