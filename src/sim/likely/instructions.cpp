// The table of what becomes of each PTX instruction: a row for its opcodes, of one kind of operand. Counts are
// what ptxas 13.0 makes of it for sm_90, as executed with ordinary operands.
#include <algorithm>
#include <optional>
#include <string_view>

#include "ptx/module.h"
#include "sim/likely/likely_code.h"
#include "sim/program.h"

namespace headroom::sim {
namespace {

enum class Kind : uint8_t { any, f32, f64, half, integer, wide, predicate };

struct Becomes {
  std::string_view opcodes;   // any of these,
  std::string_view modifier;  // that has this one,
  Kind kind;                  // of such operands
  std::string_view made;
  uint8_t times = 1;           // instructions in all
  uint8_t on_unit = 0;         // … on the unit of `made`; 0: all
  std::string_view with = {};  // its modifier
};

constexpr Becomes becomes[] = {
    // clang-format off
    {"add sub", "", Kind::f32, "FADD"},         {"add sub", "", Kind::f64, "DADD"},
    {"add sub", "", Kind::half, "HADD2"},       {"add sub", "", Kind::wide, "IADD3", 2},
    {"add sub addc subc", "", Kind::any, "IADD3"},
    {"mul", "", Kind::f32, "FMUL"},             {"mul", "", Kind::f64, "DMUL"},
    {"mul", "", Kind::half, "HMUL2"},           {"fma mad", "", Kind::f32, "FFMA"},
    {"fma mad", "", Kind::f64, "DFMA"},         {"fma mad", "", Kind::half, "HFMA2"},
    {"mul mad", ".wide", Kind::any, "IMAD", 1, 1, ".WIDE"},
    {"mul mad", "", Kind::wide, "IMAD", 4},     {"mul mad mul24 mad24 madc", "", Kind::any, "IMAD"},
    {"dp4a dp2a", "", Kind::any, "IDP"},        {"sad", "", Kind::any, "VABSDIFF"},
    {"div", ".ftz", Kind::f32, "MUFU", 2, 1},   {"div", ".approx", Kind::f32, "MUFU", 5, 1},
    {"div", ".full", Kind::f32, "MUFU", 5, 1},  {"div", "", Kind::f32, "MUFU", 10, 1},
    {"div", "", Kind::f64, "DFMA", 16, 9},
    {"div rem", "", Kind::wide, "IMAD", 90, 30}, {"div rem", "", Kind::any, "IMAD", 22, 6},
    {"rcp", "", Kind::f64, "DFMA", 10, 6},      {"rsqrt sqrt", "", Kind::f64, "DFMA", 16, 9},
    {"rcp rsqrt", ".ftz", Kind::any, "MUFU"},   {"sqrt", ".approx", Kind::any, "MUFU", 4, 1},
    {"rsqrt", "", Kind::f32, "MUFU", 4, 1},     {"rcp", ".approx", Kind::f32, "MUFU", 4, 1},
    {"rcp sqrt", "", Kind::f32, "MUFU", 10, 1},
    {"ex2 lg2", ".ftz", Kind::any, "MUFU"},     {"ex2 lg2", "", Kind::any, "MUFU", 4, 1},
    {"sin cos", "", Kind::any, "MUFU", 2, 1},   {"tanh", "", Kind::any, "MUFU"},
    {"neg abs", "", Kind::f32, "FADD", 0},      {"neg abs", "", Kind::f64, "DADD", 0},
    {"neg abs", "", Kind::half, "HADD2", 0},    {"neg abs", "", Kind::any, "IADD3"},
    {"copysign testp", "", Kind::any, "LOP3"},
    {"min max", "", Kind::f32, "FMNMX"},        {"min max", "", Kind::f64, "DSETP", 7, 1},
    {"min max", "", Kind::half, "HMNMX2"},      {"min max", "", Kind::wide, "ISETP", 4},
    {"min max", "", Kind::any, "IMNMX"},
    {"setp set", "", Kind::f32, "FSETP"},       {"setp set", "", Kind::f64, "DSETP"},
    {"setp set", "", Kind::half, "HSETP2"},     {"setp set", "", Kind::wide, "ISETP", 2},
    {"setp set", "", Kind::any, "ISETP"},
    {"selp slct", "", Kind::f64, "SEL", 2},     {"selp slct", "", Kind::wide, "SEL", 2},
    {"selp slct", "", Kind::any, "SEL"},
    {"and or xor not cnot", "", Kind::predicate, "PLOP3"},
    {"and or xor not cnot lop3", "", Kind::wide, "LOP3", 2},
    {"and or xor not cnot lop3", "", Kind::any, "LOP3"},
    {"shl shr", "", Kind::wide, "SHF", 2},      {"shl shr shf", "", Kind::any, "SHF"},
    {"bfe bfi bfind szext bmsk", "", Kind::any, "SHF", 2},
    {"prmt", "", Kind::any, "PRMT"},            {"popc", "", Kind::any, "POPC"},
    {"clz", "", Kind::any, "FLO"},              {"brev", "", Kind::any, "BREV"},
    {"mov cvta", "", Kind::any, "MOV", 0},
    {"ld", ".param", Kind::any, "LDC", 0},      {"ld", ".const", Kind::any, "LDC"},
    {"ld ldu", ".global", Kind::any, "LDG"},    {"ld", ".shared", Kind::any, "LDS"},
    {"ld", ".shared::cta", Kind::any, "LDS"},   {"ld", ".local", Kind::any, "LDL"},
    {"ld", "", Kind::any, "LD"},
    {"st", ".param", Kind::any, "MOV", 0},      {"st", ".global", Kind::any, "STG"},
    {"st", ".shared", Kind::any, "STS"},        {"st", ".shared::cta", Kind::any, "STS"},
    {"st", ".local", Kind::any, "STL"},         {"st", "", Kind::any, "ST"},
    {"atom red", ".shared", Kind::any, "ATOMS"}, {"atom", ".global", Kind::any, "ATOMG"},
    {"atom", "", Kind::any, "ATOM"},            {"red", "", Kind::any, "RED"},
    {"cp", ".commit_group", Kind::any, "LDGDEPBAR"}, {"cp", ".wait_group", Kind::any, "DEPBAR"},
    {"cp", ".wait_all", Kind::any, "DEPBAR"},   {"cp", ".bulk", Kind::any, "UBLKCP"},
    {"cp", ".async", Kind::any, "LDGSTS"},
    {"prefetch prefetchu discard applypriority", "", Kind::any, "CCTL"},
    {"ldmatrix", "", Kind::any, "LDSM"},        {"stmatrix", "", Kind::any, "STSM"},
    {"tex", "", Kind::any, "TEX"},              {"tld4", "", Kind::any, "TLD4"},
    {"suld", "", Kind::any, "SULD"},            {"sust sured", "", Kind::any, "SUST"},
    {"shfl", "", Kind::any, "SHFL"},            {"vote activemask", "", Kind::any, "VOTE"},
    {"match", "", Kind::any, "MATCH"},          {"redux", "", Kind::any, "REDUX"},
    {"mma", ".f64", Kind::any, "DMMA"},         {"mma", ".s32", Kind::any, "IMMA"},
    {"mma", "", Kind::any, "HMMA"},
    {"wmma", ".mma", Kind::any, "HMMA", 2},
    {"wmma", ".store", Kind::any, "ST"},        {"wmma", "", Kind::any, "LD"},
    {"wgmma", ".mma_async", Kind::any, "HGMMA"},
    {"mbarrier", "", Kind::any, "SYNCS"},
    {"barrier", ".cluster", Kind::any, "UCGABAR_WAIT"},
    {"bar barrier", ".arrive", Kind::any, "BAR", 1, 1, ".ARV"},
    {"bar", ".warp", Kind::any, "WARPSYNC"},    {"bar barrier", "", Kind::any, "BAR", 1, 1, ".SYNC"},
    {"membar fence", "", Kind::any, "MEMBAR"},
    {"bra", "", Kind::any, "BRA"},              {"brx", "", Kind::any, "BRX", 3},
    {"call", "", Kind::any, "CALL", 2},         {"ret", "", Kind::any, "RET"},
    {"exit trap", "", Kind::any, "EXIT"},
    // clang-format on
};
constexpr Becomes of_the_rest{"", "", Kind::any, "MOV"};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

Kind kind_of(const ptx::Instruction& instruction) {
  using T = ptx::Type;
  switch (instruction.opcode == "set" ? instruction.type(1) : instruction.type()) {
    case T::f32: return Kind::f32;
    case T::f64: return Kind::f64;
    case T::f16:
    case T::f16x2:
    case T::bf16:
    case T::bf16x2: return Kind::half;
    case T::b64:
    case T::u64:
    case T::s64: return Kind::wide;
    case T::pred: return Kind::predicate;
    default: return Kind::integer;
  }
}

const Becomes& becoming(const ptx::Instruction& instruction) {
  const Kind kind = kind_of(instruction);
  for (const Becomes& row : becomes)
    if ((row.kind == Kind::any || row.kind == kind) && has_word(row.opcodes, instruction.opcode) &&
        (row.modifier.empty() || instruction.has(row.modifier)))
      return row;
  return of_the_rest;
}

bool is_real(ptx::Type type) {
  return type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f64;
}

// A conversion that changes no bits of what is kept takes nothing.
Becomes conversion(const ptx::Instruction& instruction) {
  const ptx::Type to = instruction.type(0), from = instruction.type(1);
  const bool to_real = is_real(to), from_real = is_real(from);
  if (to_real && !from_real) return {"", "", Kind::any, "I2F"};
  if (!to_real && from_real) return {"", "", Kind::any, "F2I"};
  if (to_real && (to == ptx::Type::f64 || from == ptx::Type::f64))
    return {"",
            "",
            Kind::any,
            to == from ? "FRND" : "F2F",
            1,
            1,
            to == ptx::Type::f64 ? ".F64" : ".F32.F64"};
  if (to_real) return {"", "", Kind::any, to == from ? "FRND" : "HADD2"};
  const bool sign = from == ptx::Type::s32 && ptx::size_of(to) == 8,
             part = ptx::size_of(from) < 4 && ptx::size_of(to) > ptx::size_of(from);
  return {"", "", Kind::any, sign ? "SHF" : "LOP3", uint8_t(sign || part)};
}

// Numbers of the thread and its block come from elsewhere; the launch's shape is a constant.
std::optional<Becomes> special(const ptx::Instruction& instruction) {
  if (instruction.opcode != "mov" || instruction.operands.size() < 2 ||
      instruction.operands[1].kind != ptx::Operand::Kind::special)
    return std::nullopt;
  const std::string& name = instruction.operands[1].name;
  if (name.starts_with("%ntid") || name.starts_with("%nctaid")) return std::nullopt;
  return Becomes{"", "", Kind::any, name.starts_with("%clock") ? "CS2R" : "S2R"};
}

bool writes_first(const ptx::Instruction& instruction) {
  constexpr std::string_view none =
      "st red bra brx call ret exit bar barrier membar fence prefetch prefetchu discard cp trap "
      "brkpt nanosleep sust sured stmatrix wgmma griddepcontrol setmaxnreg pmevent applypriority";
  return !has_word(none, instruction.opcode) &&
         !(instruction.opcode == "wmma" && instruction.has(".store"));
}

class LikelyMaker {
 public:
  explicit LikelyMaker(uint32_t first_register) : first_register_(first_register) {}

  sass::Instruction make(const ptx::Instruction& from, const Becomes& row) const {
    sass::Instruction made;
    made.opcode = row.made;
    if (!row.with.empty()) made.modifiers.push_back(row.with);
    if (from.has(".volatile") || from.has(".relaxed") || from.has(".acquire") || from.has(".cg"))
      made.modifiers.push_back(".STRONG.GPU");
    if ((from.opcode == "atom" || from.opcode == "red") && kind_of(from) != Kind::integer &&
        kind_of(from) != Kind::wide)
      made.modifiers.push_back(".F32");
    if (from.guard.reg >= 0) {
      made.guarded = true;
      made.guard = reg(from.guard.reg, false);
      made.guard.inverted = from.guard.negated;
    }
    const bool writes = writes_first(from);
    for (size_t i = 0; i < from.operands.size(); ++i) add(made, from.operands[i], writes && i == 0);
    if (row.made == "S2R") made.operands.push_back(named(from.operands[1].name));
    if (row.made == "DEPBAR") wait_for_copies(made);
    if (row.made == "LDGDEPBAR") made.control.write_barrier = 0;
    return made;
  }

 private:
  sass::Operand reg(int number, bool written) const {
    sass::Operand operand;
    operand.index = uint16_t(first_register_ + uint32_t(number));
    operand.written = written;
    return operand;
  }

  static sass::Operand named(const std::string& name) {
    sass::Operand operand;
    operand.kind = sass::OperandKind::special;
    operand.text = name.starts_with("%tid")    ? "SR_TID.X"
                   : name.starts_with("%lane") ? "SR_LANEID"
                                               : "SR_CTAID.X";
    return operand;
  }

  static void wait_for_copies(sass::Instruction& made) {
    sass::Operand operand;
    operand.kind = sass::OperandKind::word;
    operand.text = "SB";
    made.operands.insert(made.operands.begin(), operand);
  }

  void add(sass::Instruction& made, const ptx::Operand& from, bool written) const {
    using K = ptx::Operand::Kind;
    if (from.kind == K::reg) made.operands.push_back(reg(from.reg, written));
    if (from.kind == K::address && from.reg >= 0) {
      sass::Operand operand;
      operand.kind = sass::OperandKind::memory;
      operand.base = reg(from.reg, false).index;
      operand.has_base = true;
      made.operands.push_back(operand);
    }
    if (from.kind == K::immediate) {
      sass::Operand operand;
      operand.kind = sass::OperandKind::immediate;
      operand.value = int64_t(from.bits);
      made.operands.push_back(operand);
    }
    for (const ptx::Operand& item : from.items) add(made, item, written);
  }

  uint32_t first_register_;
};

}  // namespace

LikelyCode likely_code(const Program& program) {
  LikelyCode result;
  auto code = std::make_shared<sass::Function>();
  const ptx::Function* function = nullptr;
  uint32_t first_register = 0;
  for (const InstructionAt& at : program.instructions) {
    if (function && at.function != function) first_register += uint32_t(function->registers.size());
    function = at.function;
    const ptx::Instruction& from = function->body[at.index];
    Becomes row = from.opcode == "cvt" ? conversion(from) : becoming(from);
    if (const auto other = special(from)) row = *other;
    code->instructions.push_back(LikelyMaker(first_register).make(from, row));
    result.times.push_back({row.times, row.on_unit ? row.on_unit : row.times});
  }
  result.code = std::move(code);
  return result;
}

}  // namespace headroom::sim
