#include "sim/decode_ptx/reaches.h"

#include <algorithm>
#include <map>

#include "kernel/kernel.h"

namespace headroom::sim {
namespace {

using check::Reach;
using OperandKind = ptx::Operand::Kind;

struct Origin {
  // nothing: not written yet; unknown: a number or an address, who knows of what
  enum Of : uint8_t { nothing, number, address, unknown } of = nothing;
  uint64_t variables = 0;  // of an address: a bit each
  friend bool operator==(const Origin&, const Origin&) = default;
};
constexpr size_t most_variables = 64;  // of a function

Origin either(Origin a, Origin b) {
  if (a.of == Origin::nothing || a == b) return b;
  if (b.of == Origin::nothing) return a;
  if (a.of == Origin::address && b.of == Origin::address)
    return {Origin::address, a.variables | b.variables};
  return {Origin::unknown};
}

// An address and a number beside it; other pairs make no address.
Origin sum(Origin a, Origin b) {
  if (a.of == Origin::nothing || b.of == Origin::nothing) return {};
  if (a.of == Origin::number) return b;
  if (b.of == Origin::number) return a;
  return {Origin::unknown};
}

std::string short_name(const std::string& mangled) {
  const std::string name = demangle(mangled);
  const size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

class Origins {
 public:
  Origins(const ProgramDecoder& decoder, const ptx::Function& function)
      : decoder_(decoder), function_(function), of_(function.registers.size()) {
    add_shared();
    add_module_variables();
    add_locals();
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : function.body) changed |= pass(instruction);
    }
  }

  Reach reach_of(const ptx::Instruction& instruction) const {
    for (const ptx::Operand& operand : instruction.operands) {
      if (operand.kind != OperandKind::address) continue;
      const Origin origin = operand.reg >= 0 ? of_[size_t(operand.reg)] : named(operand.name);
      if (origin.of != Origin::address) continue;
      Reach reach;
      for (size_t n = 0; n < variables_.size(); ++n)
        if (origin.variables >> n & 1) {
          reach.place = variables_[n].place;
          reach.variables.push_back(variables_[n].variable);
        }
      const bool one_place = std::ranges::all_of(variables_, [&](const auto& each) {
        return !(origin.variables >> (&each - variables_.data()) & 1) || each.place == reach.place;
      });
      if (one_place && !reach.variables.empty()) return reach;
    }
    return {};
  }

 private:
  struct Known {
    Place place;
    Reach::Variable variable;
  };

  std::optional<size_t> add(const std::string& name, Place place, Reach::Variable variable) {
    if (variables_.size() == most_variables) return std::nullopt;
    variables_.push_back({place, std::move(variable)});
    by_name_[name] = {Origin::address, uint64_t(1) << (variables_.size() - 1)};
    return variables_.size() - 1;
  }

  void add_shared() {
    const auto place = [&](const ptx::Variable& variable, const std::string& key) {
      const auto at = decoder_.shared_at.find(key);
      if (at == decoder_.shared_at.end()) return;
      const uint64_t end = variable.bytes ? at->second + variable.bytes : window_size;  // extern
      add(variable.name, Place::shared, {short_name(variable.name), at->second, end});
    };
    for (const ptx::Variable& variable : decoder_.module.variables)
      if (variable.space == ptx::Space::shared) place(variable, variable.name);
    for (const ptx::Variable& variable : function_.variables)
      if (variable.space == ptx::Space::shared)
        place(variable, function_.name + "/" + variable.name);
  }

  void add_module_variables() {
    std::set<std::string> used;
    for (const ptx::Instruction& instruction : function_.body)
      for (const ptx::Operand& operand : instruction.operands) used.insert(operand.name);
    for (const ptx::Variable& variable : decoder_.module.variables) {
      const auto at = decoder_.program.module.addresses.find(variable.name);
      const bool constant = variable.space == ptx::Space::constant;
      if (!(constant || variable.space == ptx::Space::global) || !variable.bytes ||
          !used.count(variable.name) || at == decoder_.program.module.addresses.end())
        continue;
      add(variable.name, constant ? Place::constant : Place::global,
          {short_name(variable.name), at->second, at->second + variable.bytes});
    }
  }

  // nvcc puts all arrays of a function into one .local variable, and its address into %SPL.
  void add_locals() {
    const auto [places, end] = place_locals(function_);
    std::set<uint64_t> begins;
    for (const ptx::Instruction& i : function_.body)
      if (const auto offset = offset_in_frame(i, "%SPL")) begins.insert(*offset);
    for (const auto& [name, at] : places) {
      const auto variable = std::ranges::find(function_.variables, name, &ptx::Variable::name);
      add(name, Place::local, {"", at, at + variable->bytes});
      if (places.size() > 1) continue;
      for (auto begin = begins.begin(); begin != begins.end(); ++begin) {
        const uint64_t until = std::next(begin) == begins.end() ? end : *std::next(begin);
        if (const auto added = add("", Place::local, {"", *begin, until})) arrays_[*begin] = *added;
      }
    }
  }

  // add.u64 %rd2, %SPL, 40;
  std::optional<uint64_t> offset_in_frame(const ptx::Instruction& i, std::string_view base) const {
    if (i.opcode != "add" || i.operands.size() != 3 || i.operands[1].kind != OperandKind::reg ||
        i.operands[2].kind != OperandKind::immediate)
      return std::nullopt;
    if (function_.registers[size_t(i.operands[1].reg)].name != base) return std::nullopt;
    return i.operands[2].bits;
  }

  Origin named(const std::string& name) const {
    const auto known = by_name_.find(name);
    return known == by_name_.end() ? Origin{Origin::unknown} : known->second;
  }

  Origin of(const ptx::Operand& operand) const {
    switch (operand.kind) {
      case OperandKind::reg: return of_[size_t(operand.reg)];
      case OperandKind::symbol: return named(operand.name);
      case OperandKind::immediate:
      case OperandKind::special: return {Origin::number};
      default: return {Origin::unknown};
    }
  }

  Origin of_array(uint64_t offset) const {
    const auto after = arrays_.upper_bound(offset);
    if (after == arrays_.begin()) return {Origin::unknown};
    return {Origin::address, uint64_t(1) << std::prev(after)->second};
  }

  // What an instruction makes of its operands.
  Origin result(const ptx::Instruction& i) const {
    const auto operand = [&](size_t n) { return of(i.operands[n]); };
    const size_t count = i.operands.size();
    if (!arrays_.empty())
      for (const char* base : {"%SPL", "%SP"})
        if (const auto offset = offset_in_frame(i, base)) return of_array(*offset);
    if ((i.opcode == "mov" || i.opcode == "cvta" || i.opcode == "cvt" || i.opcode == "mapa") &&
        count >= 2)
      return operand(1);
    if (i.opcode == "add" && count == 3) return sum(operand(1), operand(2));
    if (i.opcode == "mad" && count == 4) {
      const Origin product = sum(operand(1), operand(2));
      if (product.of == Origin::nothing) return {};
      return product.of == Origin::number ? sum(product, operand(3)) : Origin{Origin::unknown};
    }
    // Of aligned and of swizzled addresses.
    if ((i.opcode == "and" || i.opcode == "or" || i.opcode == "xor") && count == 3)
      return sum(operand(1), operand(2));
    if (i.opcode == "sub" && count == 3) {
      const Origin less = operand(2);
      if (less.of == Origin::nothing) return {};
      return less.of == Origin::number ? operand(1) : Origin{Origin::unknown};
    }
    if (i.opcode == "selp" && count == 4) return either(operand(1), operand(2));
    // What is computed of numbers is one. So is what is loaded: an address that lay in memory is
    // made of no variable that could be told here.
    Origin all{Origin::number};
    for (size_t n = 1; n < count; ++n) {
      if (i.operands[n].kind == OperandKind::address) continue;
      const Origin one = operand(n);
      if (one.of == Origin::nothing) return {};
      if (one.of != Origin::number) all.of = Origin::unknown;
    }
    return all;
  }

  bool pass(const ptx::Instruction& instruction) {
    if (instruction.operands.empty()) return false;
    const ptx::Operand& to = instruction.operands[0];
    const auto set = [&](const ptx::Operand& where, Origin origin) {
      if (where.kind != OperandKind::reg) return false;
      Origin& now = of_[size_t(where.reg)];
      const Origin next = either(now, origin);
      const bool changed = !(next == now);
      now = next;
      return changed;
    };
    if (to.kind == OperandKind::reg) return set(to, result(instruction));
    bool changed = false;
    if (to.kind == OperandKind::list)
      for (const ptx::Operand& item : to.items)
        changed |= set(item, Origin{instruction.opcode == "ld" ? Origin::number : Origin::unknown});
    return changed;
  }

  const ProgramDecoder& decoder_;
  const ptx::Function& function_;
  std::vector<Origin> of_;  // by register
  std::vector<Known> variables_;
  std::map<std::string, Origin> by_name_;
  std::map<uint64_t, size_t> arrays_;  // of local memory, by offset
};

}  // namespace

std::pair<std::unordered_map<std::string, uint64_t>, uint64_t> place_locals(
    const ptx::Function& function) {
  std::unordered_map<std::string, uint64_t> places;
  uint64_t end = 0;
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::local) continue;
    const uint64_t align = uint64_t(std::max(1, variable.align));
    end = (end + align - 1) / align * align;
    places[variable.name] = end;
    end += variable.bytes;
  }
  return {std::move(places), end};
}

void find_reaches(ProgramDecoder& decoder) {
  Program& program = decoder.program;
  check::Reaches& reaches = program.reaches;
  reaches.all.emplace_back();
  reaches.of.resize(program.instructions.size());
  std::map<const ptx::Function*, Origins> known;
  for (size_t n = 0; n < program.instructions.size(); ++n) {
    const InstructionAt& at = program.instructions[n];
    if (!at.function) continue;
    const Origins& origins = known.try_emplace(at.function, decoder, *at.function).first->second;
    Reach reach = origins.reach_of(at.function->body[at.index]);
    if (reach.variables.empty()) continue;
    std::ranges::sort(reach.variables, {}, &Reach::Variable::begin);
    reaches.of[n] = uint32_t(reaches.all.size());
    reaches.all.push_back(std::move(reach));
  }
}

}  // namespace headroom::sim
