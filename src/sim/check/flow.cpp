#include "sim/check/flow.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/register_allocation.h"

namespace headroom::sim::check {
namespace {

using Kind = Flow::Kind;
using Operand = ptx::Operand;

const DecodedFunction* function_of(const Program& program, const ptx::Function* source) {
  for (const DecodedFunction& each : program.functions)
    if (each.source == source) return &each;
  return nullptr;
}

bool is_integer(ptx::Type type) {
  return type >= ptx::Type::b8 && type <= ptx::Type::s64 && type != ptx::Type::b128;
}
bool is_signed(ptx::Type type) { return type >= ptx::Type::s8 && type <= ptx::Type::s64; }

Kind kind_of(const ptx::Instruction& i) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 23> by_opcode{{
      {"mov", Kind::copies},       {"cvta", Kind::copies},       {"selp", Kind::selects},
      {"shl", Kind::shifts},       {"shr", Kind::shifts},        {"prmt", Kind::permutes},
      {"shfl", Kind::exchanges},   {"vote", Kind::gathers},      {"match", Kind::gathers},
      {"redux", Kind::gathers},    {"atom", Kind::modifies},     {"red", Kind::modifies},
      {"mma", Kind::nothing},      {"wmma", Kind::nothing},      {"wgmma", Kind::nothing},
      {"tex", Kind::nothing},      {"tld4", Kind::nothing},      {"suld", Kind::nothing},
      {"ldmatrix", Kind::nothing}, {"movmatrix", Kind::nothing}, {"activemask", Kind::nothing},
      {"elect", Kind::nothing},    {"mbarrier", Kind::nothing},
  }};
  if (i.opcode == "ld" || i.opcode == "ldu")
    return i.has(".param") || i.has(".const") ? Kind::nothing : Kind::loads;
  if (i.opcode == "st") return i.has(".param") ? Kind::nothing : Kind::stores;
  if (i.opcode == "cp") return i.has(".bulk") ? Kind::nothing : Kind::copies_memory;
  if (i.opcode == "and" || i.opcode == "or") return Kind::masks;
  if (i.opcode == "cvt" && is_integer(i.type()) && is_integer(i.type(1)) && !i.has(".sat"))
    return Kind::widens;
  for (const auto& [opcode, kind] : by_opcode)
    if (i.opcode == opcode) return kind;
  return Kind::computes;
}

}  // namespace

Flow flow_of(const Program& program, uint32_t instruction) {
  Flow flow;
  const InstructionAt& at = program.instructions[instruction];
  if (at.code) return flow_of_code(program, instruction);
  const DecodedFunction* function = at.function ? function_of(program, at.function) : nullptr;
  if (!function) return flow;
  const ptx::Instruction& i = at.function->body[at.index];
  flow.kind = kind_of(i);
  flow.is_or = i.opcode == "or";
  flow.to_right = i.opcode == "shr";
  flow.is_signed = is_signed(i.opcode == "cvt" ? i.type(1) : i.type());
  flow.only_exchanges = i.has(".exch");
  if (flow.kind == Kind::exchanges)
    for (const char* mode : {".up", ".down", ".bfly", ".idx"})
      if (i.has(mode)) flow.mode = mode[1];
  flow.element = uint8_t(ptx::size_of(i.opcode == "cvt" ? i.type(1) : i.type()));
  const auto reg = [&](int number, bool negated) {
    const Columns& columns = function->registers[size_t(number)];
    return Part{columns.at, uint8_t(columns.bytes), negated, 0};
  };
  const auto visit = [&](const auto& self, const Operand& operand, bool writes) -> void {
    switch (operand.kind) {
      case Operand::Kind::reg:
        (writes ? flow.to : flow.from).push_back(reg(operand.reg, operand.negated));
        break;
      case Operand::Kind::immediate:
        flow.from.push_back({no_operand, flow.element, operand.negated, operand.bits});
        break;
      case Operand::Kind::special:
      case Operand::Kind::symbol: flow.from.push_back({no_operand, flow.element, false, 0}); break;
      case Operand::Kind::address:
        if (operand.reg >= 0 && flow.address.empty())
          flow.address.push_back(reg(operand.reg, false));
        break;
      case Operand::Kind::list:
        for (const Operand& item : operand.items) self(self, item, writes);
        break;
      case Operand::Kind::sink:  // keeps its place among the values of a vector
        if (writes) flow.to.push_back({no_operand, flow.element, false, 0});
        break;
      default: break;
    }
  };
  const int outs = written_operands(i);
  for (size_t n = 0; n < i.operands.size(); ++n) visit(visit, i.operands[n], int(n) < outs);
  if (i.guard.reg >= 0) flow.guards.push_back(reg(i.guard.reg, i.guard.negated));
  return flow;
}

}  // namespace headroom::sim::check
