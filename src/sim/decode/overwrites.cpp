#include "sim/decode/overwrites.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/loaded.h"
#include "sim/register_allocation.h"

namespace headroom::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

// The register or name in the address of a plain load or store of memory that others may write.
std::string place(const Instruction& i) {
  const bool of_thread = i.has(".param") || i.has(".local") || i.has(".const") || i.has(".nc");
  if (of_thread || (i.opcode != "ld" && i.opcode != "st")) return {};
  for (const Operand& operand : i.operands) {
    if (operand.kind != Operand::Kind::address) continue;
    return operand.reg >= 0 ? std::to_string(operand.reg) : operand.name;
  }
  return {};
}

// Different inputs give different results, but for what an index is never large enough for.
bool keeps_apart(const Instruction& i) {
  constexpr std::string_view kept[] = {"mov", "cvt", "cvta", "add", "sub", "mul", "mad", "shl"};
  return std::ranges::find(kept, i.opcode) != std::end(kept) && !i.has(".hi");
}

// For every register the axes along which threads have different values in it: all of its writers
// agree. A loop's `add.u64 %rd1, %rd1, 128` takes nothing away.
std::vector<uint8_t> distinct_axes(const ptx::Function& function) {
  std::vector<uint8_t> axes(function.registers.size(), all_axes);
  const auto of = [&](const Operand& operand) -> uint8_t {
    if (operand.kind == Operand::Kind::reg) return axes[size_t(operand.reg)];
    if (operand.kind != Operand::Kind::special) return 0;
    return operand.name == "%tid.x"   ? axis_x
           : operand.name == "%tid.y" ? axis_y
           : operand.name == "%tid.z" ? axis_z
                                      : 0;
  };
  const auto clear = [&](auto&& self, const Operand& operand, uint8_t value) -> bool {
    bool changed = false;
    if (operand.kind == Operand::Kind::reg) {
      uint8_t& now = axes[size_t(operand.reg)];
      changed = (now & ~value) != 0;
      now &= value;
    }
    for (const Operand& item : operand.items) changed |= self(self, item, value);
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : function.body) {
      const size_t outs = size_t(written_operands(i));
      uint8_t value = 0;
      if (keeps_apart(i))
        for (size_t n = outs; n < i.operands.size(); ++n) value |= of(i.operands[n]);
      for (size_t n = 0; n < outs; ++n) changed |= clear(clear, i.operands[n], value);
    }
  }
  return axes;
}

}  // namespace

uint8_t axes_between_warps(const Dim3& block) {
  if (block.count() <= 32) return 0;
  return uint8_t((block.x > 1 ? axis_x : 0) | (block.y > 1 ? axis_y : 0) |
                 (block.z > 1 ? axis_z : 0));
}

std::set<int> overwriting_stores(const ptx::Function& function, uint8_t axes) {
  std::set<std::string> read;
  for (const Instruction& i : function.body) {
    if (i.opcode == "ld") read.insert(place(i));
  }
  read.erase("");
  if (axes == 0 || read.empty()) return {};
  const std::vector<uint8_t> distinct = distinct_axes(function);
  const auto own = [&](const Instruction& store) {
    return std::ranges::any_of(store.operands, [&](const Operand& operand) {
      return operand.kind == Operand::Kind::address && operand.reg >= 0 &&
             (axes & ~distinct[size_t(operand.reg)]) == 0;
    });
  };
  std::set<int> stores;
  for (int i = 0; i < int(function.body.size()); ++i) {
    const Instruction& store = function.body[size_t(i)];
    if (store.opcode == "st" && read.count(place(store)) && !own(store)) stores.insert(i);
  }
  return stores;
}

}  // namespace headroom::sim
