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

enum class DataKind : uint8_t { any, f32, f64, half, integer, wide, predicate };

struct Becomes {
  std::string_view opcodes;   // any of these,
  std::string_view modifier;  // that has all of these,
  DataKind kind;              // of such operands
  std::string_view made;
  uint8_t times = 1;           // instructions in all
  uint8_t on_unit = 0;         // … on the unit of `made`; 0: all
  std::string_view with = {};  // its modifier
};

constexpr Becomes becomes[] = {
    // clang-format off
    {"add sub", "", DataKind::f32, "FADD"},         {"add sub", "", DataKind::f64, "DADD"},
    {"add sub", "", DataKind::half, "HADD2"},       {"add sub", "", DataKind::wide, "IADD3", 2},
    {"add sub addc subc", "", DataKind::any, "IADD3"},
    {"mul", "", DataKind::f32, "FMUL"},             {"mul", "", DataKind::f64, "DMUL"},
    {"mul", "", DataKind::half, "HMUL2"},           {"fma mad", "", DataKind::f32, "FFMA"},
    {"fma mad", "", DataKind::f64, "DFMA"},         {"fma mad", "", DataKind::half, "HFMA2"},
    {"mul mad", ".wide", DataKind::any, "IMAD", 1, 1, ".WIDE"},
    {"mul mad", "", DataKind::wide, "IMAD", 4},     {"mul mad mul24 mad24 madc", "", DataKind::any, "IMAD"},
    {"dp4a dp2a", "", DataKind::any, "IDP"},        {"sad", "", DataKind::any, "VABSDIFF"},
    {"div", ".approx .ftz", DataKind::f32, "MUFU", 2, 1}, {"div", ".full .ftz", DataKind::f32, "MUFU", 2, 1},
    {"div", ".approx", DataKind::f32, "MUFU", 5, 1}, {"div", ".full", DataKind::f32, "MUFU", 5, 1},
    {"div", ".ftz", DataKind::f32, "MUFU", 8, 1}, {"div", "", DataKind::f32, "MUFU", 10, 1},
    {"div", "", DataKind::f64, "DFMA", 16, 9},
    {"div rem", "", DataKind::wide, "IMAD", 90, 30}, {"div rem", "", DataKind::any, "IMAD", 22, 6},
    {"rcp", "", DataKind::f64, "DFMA", 10, 6},      {"rsqrt sqrt", "", DataKind::f64, "DFMA", 16, 9},
    {"rcp rsqrt sqrt ex2 lg2", ".approx .ftz", DataKind::any, "MUFU"},
    {"rcp rsqrt sqrt ex2 lg2", ".approx", DataKind::any, "MUFU", 4, 1},
    {"rcp sqrt", ".ftz", DataKind::f32, "MUFU", 8, 1}, {"rcp sqrt", "", DataKind::f32, "MUFU", 10, 1},
    {"ex2 lg2", "", DataKind::any, "MUFU", 4, 1},
    {"sin cos", "", DataKind::any, "MUFU", 2, 1},   {"tanh", "", DataKind::any, "MUFU"},
    {"neg abs", "", DataKind::f32, "FADD", 0},      {"neg abs", "", DataKind::f64, "DADD", 0},
    {"neg abs", "", DataKind::half, "HADD2", 0},    {"neg abs", "", DataKind::any, "IADD3"},
    {"copysign testp", "", DataKind::any, "LOP3"},
    {"min max", "", DataKind::f32, "FMNMX"},        {"min max", "", DataKind::f64, "DSETP", 7, 1},
    {"min max", "", DataKind::half, "HMNMX2"},      {"min max", "", DataKind::wide, "ISETP", 4},
    {"min max", "", DataKind::any, "IMNMX"},
    {"setp set", "", DataKind::f32, "FSETP"},       {"setp set", "", DataKind::f64, "DSETP"},
    {"setp set", "", DataKind::half, "HSETP2"},     {"setp set", "", DataKind::wide, "ISETP", 2},
    {"setp set", "", DataKind::any, "ISETP"},
    {"selp slct", "", DataKind::f64, "SEL", 2},     {"selp slct", "", DataKind::wide, "SEL", 2},
    {"selp slct", "", DataKind::any, "SEL"},
    {"and or xor not cnot", "", DataKind::predicate, "PLOP3"},
    {"and or xor not cnot lop3", "", DataKind::wide, "LOP3", 2},
    {"and or xor not cnot lop3", "", DataKind::any, "LOP3"},
    {"shl shr", "", DataKind::wide, "SHF", 2},      {"shl shr shf", "", DataKind::any, "SHF"},
    {"bfe bfi bfind szext bmsk", "", DataKind::any, "SHF", 2},
    {"prmt", "", DataKind::any, "PRMT"},            {"popc", "", DataKind::any, "POPC"},
    {"clz", "", DataKind::any, "FLO"},              {"brev", "", DataKind::any, "BREV"},
    {"mov cvta", "", DataKind::any, "MOV", 0},
    {"ld", ".param", DataKind::any, "LDC", 0}, {"ld", ".param::entry", DataKind::any, "LDC", 0},
    {"ld", ".param::func", DataKind::any, "LDC", 0},      {"ld", ".const", DataKind::any, "LDC"},
    {"ld ldu", ".global", DataKind::any, "LDG"},    {"ld", ".shared", DataKind::any, "LDS"},
    {"ld", ".shared::cta", DataKind::any, "LDS"},   {"ld", ".local", DataKind::any, "LDL"},
    {"ld", "", DataKind::any, "LD"},
    {"st", ".param", DataKind::any, "MOV", 0}, {"st", ".param::func", DataKind::any, "MOV", 0},      {"st", ".global", DataKind::any, "STG"},
    {"st", ".shared", DataKind::any, "STS"},        {"st", ".shared::cta", DataKind::any, "STS"},
    {"st", ".local", DataKind::any, "STL"},         {"st", "", DataKind::any, "ST"},
    {"atom red", ".shared", DataKind::any, "ATOMS"}, {"atom", ".global", DataKind::any, "ATOMG"},
    {"atom", "", DataKind::any, "ATOM"},            {"red", "", DataKind::any, "RED"},
    {"cp", ".commit_group", DataKind::any, "LDGDEPBAR"}, {"cp", ".wait_group", DataKind::any, "DEPBAR"},
    {"cp", ".wait_all", DataKind::any, "DEPBAR", 1, 1, ".ALL"},   {"cp", ".bulk", DataKind::any, "UBLKCP"},
    {"cp", ".async", DataKind::any, "LDGSTS"},
    {"prefetch prefetchu discard applypriority", "", DataKind::any, "CCTL"},
    {"ldmatrix", "", DataKind::any, "LDSM"},        {"stmatrix", "", DataKind::any, "STSM"},
    {"tex", "", DataKind::any, "TEX"},              {"tld4", "", DataKind::any, "TLD4"},
    {"suld", "", DataKind::any, "SULD"},            {"sust sured", "", DataKind::any, "SUST"},
    {"shfl", "", DataKind::any, "SHFL"},            {"vote activemask", "", DataKind::any, "VOTE"},
    {"match", "", DataKind::any, "MATCH"},          {"redux", "", DataKind::any, "REDUX"},
    {"mma", ".f64", DataKind::any, "DMMA"},         {"mma", ".b1", DataKind::any, "BMMA"},
    {"mma", ".s32", DataKind::any, "IMMA"},         {"mma", "", DataKind::any, "HMMA"},
    {"wmma", ".mma .f64", DataKind::any, "DMMA"},   {"wmma", ".mma .b1", DataKind::any, "BMMA"},
    {"wmma", ".mma .m8n8k32", DataKind::any, "IMMA"}, {"wmma", ".mma", DataKind::any, "HMMA", 2},
    {"wmma", ".store", DataKind::any, "ST"},        {"wmma", "", DataKind::any, "LD"},
    {"wgmma", ".mma_async", DataKind::any, "HGMMA"},
    {"mbarrier", "", DataKind::any, "SYNCS"},
    {"barrier", ".cluster", DataKind::any, "UCGABAR_WAIT"},
    {"bar barrier", ".arrive", DataKind::any, "BAR", 1, 1, ".ARV"},
    {"bar", ".warp", DataKind::any, "WARPSYNC"},    {"bar barrier", "", DataKind::any, "BAR", 1, 1, ".SYNC"},
    {"fence", ".proxy", DataKind::any, "FENCE"},    {"fence", ".mbarrier_init", DataKind::any, "FENCE"},
    {"membar fence", ".cta", DataKind::any, "MEMBAR", 1, 1, ".CTA"}, {"membar fence", "", DataKind::any, "MEMBAR"},
    {"bra", "", DataKind::any, "BRA"},              {"brx", "", DataKind::any, "BRX", 3},
    {"call", "", DataKind::any, "CALL", 2},         {"ret", "", DataKind::any, "RET"},
    {"exit trap", "", DataKind::any, "EXIT"},
    // clang-format on
};
constexpr Becomes of_the_rest{"", "", DataKind::any, "MOV"};

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool has_all(const ptx::Instruction& instruction, std::string_view modifiers) {
  while (!modifiers.empty()) {
    const size_t end = std::min(modifiers.find(' '), modifiers.size());
    if (!instruction.has(modifiers.substr(0, end))) return false;
    modifiers.remove_prefix(std::min(end + 1, modifiers.size()));
  }
  return true;
}

DataKind kind_of(const ptx::Instruction& instruction) {
  using T = ptx::Type;
  switch (instruction.opcode == "set" ? instruction.type(1) : instruction.type()) {
    case T::f32: return DataKind::f32;
    case T::f64: return DataKind::f64;
    case T::f16:
    case T::f16x2:
    case T::bf16:
    case T::bf16x2: return DataKind::half;
    case T::b64:
    case T::u64:
    case T::s64: return DataKind::wide;
    case T::pred: return DataKind::predicate;
    default: return DataKind::integer;
  }
}

const Becomes& becoming(const ptx::Instruction& instruction) {
  const DataKind kind = kind_of(instruction);
  for (const Becomes& row : becomes)
    if ((row.kind == DataKind::any || row.kind == kind) &&
        has_word(row.opcodes, instruction.opcode) && has_all(instruction, row.modifier))
      return row;
  return of_the_rest;
}

bool is_real(ptx::Type type) {
  using T = ptx::Type;
  return type == T::f16 || type == T::f16x2 || type == T::bf16 || type == T::bf16x2 ||
         type == T::f32 || type == T::f64;
}

// A conversion that changes no bits of what is kept takes nothing.
Becomes conversion(const ptx::Instruction& instruction) {
  const auto one = [](std::string_view made, std::string_view with = {}) {
    return Becomes{"", "", DataKind::any, made, 1, 1, with};
  };
  const ptx::Type to = instruction.type(0), from = instruction.type(1);
  if (from == ptx::Type::none) return one("F2FP");  // to tf32
  const bool to_double = to == ptx::Type::f64, from_double = from == ptx::Type::f64;
  if (is_real(to) && is_real(from)) {
    if (to == from) return one("FRND");
    if (to_double || from_double) return one("F2F", to_double ? ".F64" : ".F32.F64");
    return one(from == ptx::Type::f32 ? "F2FP" : "HADD2");
  }
  if (is_real(to)) return one(to == ptx::Type::f32 && ptx::size_of(from) == 4 ? "I2FP" : "I2F");
  if (is_real(from)) return one("F2I");
  const bool sign = from == ptx::Type::s32 && ptx::size_of(to) == 8,
             part = ptx::size_of(from) < 4 && ptx::size_of(to) > ptx::size_of(from);
  return {"", "", DataKind::any, sign ? "SHF" : "LOP3", uint8_t(sign || part)};
}

// Numbers of the thread and its block come from elsewhere; the launch's shape is a constant.
std::optional<Becomes> special(const ptx::Instruction& instruction) {
  if (instruction.opcode != "mov" || instruction.operands.size() < 2 ||
      instruction.operands[1].kind != ptx::Operand::Kind::special)
    return std::nullopt;
  const std::string& name = instruction.operands[1].name;
  if (name.starts_with("%ntid") || name.starts_with("%nctaid")) return std::nullopt;
  return Becomes{"", "", DataKind::any, name.starts_with("%clock") ? "CS2R" : "S2R"};
}

bool writes_first(const ptx::Instruction& instruction) {
  constexpr std::string_view none =
      "st red bra brx call ret exit bar barrier membar fence prefetch prefetchu discard cp trap "
      "brkpt nanosleep sust sured stmatrix wgmma griddepcontrol setmaxnreg pmevent applypriority";
  return !has_word(none, instruction.opcode) &&
         !(instruction.opcode == "wmma" && instruction.has(".store"));
}

// What the machine calls a product of this shape; each of the two that a wmma becomes.
struct MatrixWord {
  std::string_view ptx, made;
};
constexpr MatrixWord matrix_shapes[] = {
    {".m16n8k4", ".1684"},     {".m16n8k8", ".1688"},    {".m16n8k16", ".16816"},
    {".m16n8k32", ".16832"},   {".m16n8k64", ".16864"},  {".m8n8k16", ".8816"},
    {".m8n8k32", ".8832"},     {".m8n8k128", ".88128"},  {".m16n8k128", ".168128"},
    {".m16n8k256", ".168256"}, {".m16n16k16", ".16816"}, {".m32n8k16", ".16816"},
    {".m8n32k16", ".16816"},   {".m16n16k8", ".1688"},
};
constexpr MatrixWord matrix_elements[] = {{".tf32", ".TF32"}, {".s8", ".S8"}, {".u8", ".U8"},
                                          {".s4", ".S4"},     {".u4", ".U4"}, {".e4m3", ".E4M3"},
                                          {".e5m2", ".E5M2"}};

// Of Volta's, four products of 8 × 8 × 4 stand side by side.
std::string_view matrix_shape(const ptx::Instruction& from) {
  if (from.has(".m8n8k4")) return from.has(".f64") ? ".884" : ".1688";
  for (const MatrixWord& shape : matrix_shapes)
    if (from.has(shape.ptx)) return shape.made;
  return {};
}

void add_product(const ptx::Instruction& from, sass::Instruction& made) {
  const std::string_view shape = matrix_shape(from);
  if (shape.empty()) return;
  made.modifiers.push_back(shape);
  for (const MatrixWord& element : matrix_elements)
    if (from.has(element.ptx)) made.modifiers.push_back(element.made);
  const auto is_sparse = [](const std::string& each) { return each.starts_with(".sp"); };
  if (std::ranges::any_of(from.modifiers, is_sparse)) made.modifiers.push_back(".SP");
}

constexpr uint16_t passed_values = 0;  // a register's number

class LikelyMaker {
 public:
  LikelyMaker(const ptx::Function& function, uint32_t first_register)
      : function_(function), first_register_(first_register) {}

  sass::Instruction make(const ptx::Instruction& from, const Becomes& row) const {
    sass::Instruction made;
    made.opcode = row.made;
    if (!row.with.empty()) made.modifiers.push_back(row.with);
    constexpr const char* at_their_source[] = {".volatile", ".relaxed", ".acquire",
                                               ".cg",       ".cv",      ".mmio"};
    const bool of_block = from.has(".cta") || from.has(".cluster");
    if (!of_block &&
        std::ranges::any_of(at_their_source, [&](auto word) { return from.has(word); }))
      made.modifiers.insert(made.modifiers.end(), {".STRONG", ".GPU"});
    if ((from.opcode == "atom" || from.opcode == "red") && kind_of(from) != DataKind::integer &&
        kind_of(from) != DataKind::wide)
      made.modifiers.push_back(".F32");
    if (made.opcode.ends_with("MMA")) add_product(from, made);
    if (from.guard.reg >= 0) {
      made.guarded = true;
      made.guard = reg(from.guard.reg, false);
      made.guard.inverted = from.guard.negated;
    }
    const bool writes = writes_first(from);
    for (size_t i = 0; i < from.operands.size(); ++i) add(made, from.operands[i], writes && i == 0);
    if (passes(from)) {
      const bool gives = from.opcode == "st";
      made.operands.push_back(passed(false));
      if (gives) made.operands.push_back(passed(true));
    }
    if (from.has(".nc")) made.modifiers.push_back(".CONSTANT");
    if (row.made == "S2R") made.operands.push_back(named(from.operands[1].name));
    if (row.made == "DEPBAR") wait_for_copies(made);
    if (row.made == "LDGDEPBAR") made.control.write_barrier = 0;
    return made;
  }

 private:
  // What a call passes and what it returns: one register for all of it.
  static sass::Operand passed(bool written) {
    sass::Operand operand;
    operand.index = passed_values;
    operand.written = written;
    return operand;
  }
  bool passes(const ptx::Instruction& from) const {
    if ((from.opcode != "ld" && from.opcode != "st") || from.operands.size() < 2 ||
        !(from.has(".param") || from.has(".param::func")))
      return false;
    const ptx::Operand& address = from.operands[from.opcode == "ld" ? 1 : 0];
    return !function_.entry ||
           std::ranges::none_of(function_.parameters, [&](const ptx::Variable& parameter) {
             return parameter.name == address.name;
           });
  }

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

  const ptx::Function& function_;
  uint32_t first_register_;
};

}  // namespace

LikelyCode likely_code(const Program& program) {
  LikelyCode result;
  auto code = std::make_shared<sass::Function>();
  const ptx::Function* function = nullptr;
  uint32_t first_register = passed_values + 1;
  for (const InstructionAt& at : program.instructions) {
    if (function && at.function != function) first_register += uint32_t(function->registers.size());
    function = at.function;
    const ptx::Instruction& from = function->body[at.index];
    Becomes row = from.opcode == "cvt" ? conversion(from) : becoming(from);
    if (const auto other = special(from)) row = *other;
    code->instructions.push_back(LikelyMaker(*function, first_register).make(from, row));
    result.times.push_back({row.times, row.on_unit ? row.on_unit : row.times});
  }
  result.code = std::move(code);
  return result;
}

}  // namespace headroom::sim
