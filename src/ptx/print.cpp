// Modules as PTX text again, in one canonical shape: declared functions, variables, then bodies;
// one scope a function; floats as bits; attributes only where they are not the default.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "ptx/module.h"

namespace headroom::ptx {
namespace {

std::string print(const Operand&, const Function&);

std::string signed_offset(int64_t offset) { return offset == 0 ? "" : fmt::format("+{}", offset); }

std::string joined(const std::vector<Operand>& items, const Function& function,
                   std::string_view between) {
  std::string text;
  for (const Operand& item : items)
    text += (text.empty() ? "" : std::string(between)) + print(item, function);
  return text;
}

std::string print_immediate(const Operand& operand) {
  switch (operand.immediate_type) {
    case Type::f32: return fmt::format("0f{:08X}", uint32_t(operand.bits));
    case Type::f64: return fmt::format("0d{:016X}", operand.bits);
    case Type::u64: return fmt::format("{}U", operand.bits);
    default: return fmt::format("{}", int64_t(operand.bits));
  }
}

std::string print_address(const Operand& operand, const Function& function) {
  std::string text;
  if (operand.reg >= 0)
    text = function.registers[size_t(operand.reg)].name;
  else
    text = operand.name;
  text += text.empty() ? fmt::format("{}", operand.offset) : signed_offset(operand.offset);
  if (!operand.items.empty()) text += ", " + joined(operand.items, function, ", ");
  return "[" + text + "]";
}

std::string print(const Operand& operand, const Function& function) {
  switch (operand.kind) {
    case Operand::Kind::none: return "";
    case Operand::Kind::reg: {
      const Register& reg = function.registers[size_t(operand.reg)];
      return (operand.negated ? (reg.type == Type::pred ? "!" : "-") : "") + reg.name +
             (operand.selector.empty() ? "" : "." + operand.selector);
    }
    case Operand::Kind::immediate: return print_immediate(operand);
    case Operand::Kind::special:
    case Operand::Kind::label: return (operand.negated ? "!" : "") + operand.name;
    case Operand::Kind::symbol:
      return (operand.negated ? "!" : "") + operand.name + signed_offset(operand.offset);
    case Operand::Kind::address: return print_address(operand, function);
    case Operand::Kind::list:
      return operand.pair ? joined(operand.items, function, "|")
                          : "{" + joined(operand.items, function, ", ") + "}";
    case Operand::Kind::sink: return "_";
  }
  return "";
}

std::string print_call(const Instruction& call, const Function& function) {
  std::string text;
  const auto& operands = call.operands;
  if (!operands[0].items.empty()) text += "(" + joined(operands[0].items, function, ", ") + "), ";
  text += print(operands[1], function);
  if (!operands[2].items.empty() || operands.size() > 3)
    text += ", (" + joined(operands[2].items, function, ", ") + ")";
  if (operands.size() > 3) text += ", " + operands[3].name;
  return text;
}

uint64_t element(const Variable& variable, uint64_t at) {
  uint64_t bits = 0;
  std::memcpy(&bits, variable.init.data() + at, size_t(std::min(8, width_of(variable))));
  return bits;
}

std::string print_element(const Variable& variable, uint64_t at) {
  uint64_t bits = element(variable, at);
  switch (variable.type) {
    case Type::f32: return fmt::format("0f{:08X}", bits);
    case Type::f64: return fmt::format("0d{:016X}", bits);
    case Type::s8: return fmt::format("{}", int8_t(bits));
    case Type::s16: return fmt::format("{}", int16_t(bits));
    case Type::s32: return fmt::format("{}", int32_t(bits));
    case Type::s64: return fmt::format("{}", int64_t(bits));
    default: return fmt::format("{}", bits);
  }
}

std::string print_relocation(const Relocation& relocation) {
  return (relocation.generic ? "generic(" + relocation.symbol + ")" : relocation.symbol) +
         signed_offset(relocation.addend);
}

// The values of an initialiser, without the zeros at its end.
std::string print_values(const Variable& variable) {
  std::vector<std::string> values;
  uint64_t width = uint64_t(width_of(variable)), used = 0;
  auto relocation = variable.relocations.begin();
  for (uint64_t at = 0; at < variable.bytes; at += width) {
    if (relocation != variable.relocations.end() && relocation->offset == at) {
      std::string symbol = print_relocation(*relocation);
      if (width == 1) {
        for (int i = 0; i < relocation->bytes; ++i)
          values.push_back(
              fmt::format("0x{:X}({})", 0xFFull << (relocation->shift + 8 * i), symbol));
        at += uint64_t(relocation->bytes) - 1;
      } else {
        values.push_back(symbol);
      }
      ++relocation;
      used = values.size();
    } else {
      values.push_back(print_element(variable, at));
      if (element(variable, at) != 0) used = values.size();
    }
  }
  values.resize(std::max<uint64_t>(used, 1));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string print_head(const Variable& variable) {
  std::string text =
      variable.space == Space::none ? ".reg " : fmt::format(".{} ", name_of(variable.space));
  if (variable.managed) text += ".attribute(.managed) ";
  if (variable.align != std::max(1, width_of(variable)))
    text += fmt::format(".align {} ", variable.align);
  text += variable.opaque.empty() ? fmt::format(".{}", name_of(variable.type)) : variable.opaque;
  text += " " + variable.name;
  uint64_t width = uint64_t(std::max(1, width_of(variable)));
  if (variable.bytes == 0)
    text += "[]";
  else if (variable.bytes != width)
    text += fmt::format("[{}]", variable.bytes / width);
  return text;
}

std::string print_variable(const Variable& variable) {
  std::string text;
  if (variable.external) text += ".extern ";
  if (variable.visible) text += ".visible ";
  if (variable.weak) text += ".weak ";
  if (variable.common) text += ".common ";
  text += print_head(variable);
  if (!variable.init.empty()) {
    bool array = variable.bytes != uint64_t(width_of(variable));
    text += " = " + (array ? "{" + print_values(variable) + "}" : print_values(variable));
  }
  return text + ";\n";
}

std::string print_parameters(const std::vector<Variable>& parameters) {
  std::vector<std::string> heads;
  for (const Variable& parameter : parameters) heads.push_back(print_head(parameter));
  return fmt::format("({})", fmt::join(heads, ", "));
}

std::string print_size(std::string_view directive, const int (&size)[3]) {
  return size[0] ? fmt::format("{} {}, {}, {}\n", directive, size[0], size[1], size[2]) : "";
}

std::string print_signature(const Function& function) {
  std::string text;
  if (function.external) text += ".extern ";
  if (function.visible) text += ".visible ";
  if (function.weak) text += ".weak ";
  text += function.entry ? ".entry " : ".func ";
  if (!function.returns.empty()) text += print_parameters(function.returns) + " ";
  text += function.name + print_parameters(function.parameters) + "\n";
  if (function.noreturn) text += ".noreturn\n";
  text += print_size(".maxntid", function.max_threads);
  text += print_size(".reqntid", function.required_threads);
  if (function.min_blocks) text += fmt::format(".minnctapersm {}\n", function.min_blocks);
  if (function.max_registers) text += fmt::format(".maxnreg {}\n", function.max_registers);
  if (function.explicit_cluster) text += ".explicitcluster\n";
  if (function.blocks_are_clusters) text += ".blocksareclusters\n";
  text += print_size(".reqnctapercluster", function.cluster);
  if (function.max_cluster) text += fmt::format(".maxclusterrank {}\n", function.max_cluster);
  for (const Pragma& pragma : function.pragmas)
    if (pragma.before < 0) text += ".pragma \"" + pragma.text + "\";\n";
  return text;
}

// Registers in order; a run %r0, %r1, … of one type as %r<n>.
std::string print_registers(const Function& function) {
  std::string text;
  const auto& registers = function.registers;
  size_t first = 0;
  for (auto* list : {&function.returns, &function.parameters})
    for (const Variable& variable : *list)
      first += variable.space == Space::none && variable.name != "_";
  while (first < registers.size()) {
    const Register& reg = registers[first];
    size_t count = 1;
    bool numbered = reg.name.size() > 1 && reg.name.back() == '0' &&
                    !std::isdigit((unsigned char)reg.name[reg.name.size() - 2]);
    if (numbered) {
      std::string stem = reg.name.substr(0, reg.name.size() - 1);
      for (count = 0; first + count < registers.size(); ++count)
        if (registers[first + count].type != reg.type ||
            registers[first + count].name != stem + std::to_string(count))
          break;
      if (count > 1) text += fmt::format("\t.reg .{} {}<{}>;\n", name_of(reg.type), stem, count);
    }
    if (count == 1) text += fmt::format("\t.reg .{} {};\n", name_of(reg.type), reg.name);
    first += count;
  }
  return text;
}

template <class Map>
std::vector<std::pair<std::string, typename Map::mapped_type>> sorted(const Map& map) {
  std::vector<std::pair<std::string, typename Map::mapped_type>> entries(map.begin(), map.end());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::string print_tables(const Function& function) {
  std::string text;
  for (const auto& [name, targets] : sorted(function.call_targets))
    text += fmt::format("{}: .calltargets {};\n", name, fmt::join(targets, ", "));
  for (const auto& [name, targets] : sorted(function.branch_targets))
    text += fmt::format("{}: .branchtargets {};\n", name, fmt::join(targets, ", "));
  for (const Prototype& prototype : function.prototypes) {
    text += prototype.name + ": .callprototype ";
    if (!prototype.returns.empty()) text += print_parameters(prototype.returns) + " ";
    text += "_ " + print_parameters(prototype.parameters) +
            (prototype.noreturn ? " .noreturn;\n" : ";\n");
  }
  return text;
}

std::string print_body(const Function& function) {
  std::string text = "{\n" + print_registers(function);
  for (const Variable& variable : function.variables) text += "\t" + print_variable(variable);
  text += print_tables(function);
  std::vector<std::pair<int, std::string>> labels;
  for (const auto& [name, index] : function.labels) labels.emplace_back(index, name);
  std::sort(labels.begin(), labels.end());
  auto label = labels.begin();
  auto pragma = function.pragmas.begin();
  while (pragma != function.pragmas.end() && pragma->before < 0) ++pragma;
  SourceLine source;
  for (size_t i = 0; i <= function.body.size(); ++i) {
    for (; label != labels.end() && label->first == int(i); ++label) text += label->second + ":\n";
    for (; pragma != function.pragmas.end() && pragma->before == int(i); ++pragma)
      text += "\t.pragma \"" + pragma->text + "\";\n";
    if (i == function.body.size()) break;
    const Instruction& instruction = function.body[i];
    if (!(instruction.source == source)) {
      source = instruction.source;
      text += fmt::format("\t.loc {} {} 0\n", source.file, source.line);
    }
    text += "\t" + print(instruction, function) + "\n";
  }
  return text + "}\n";
}

}  // namespace

std::string print(const Instruction& instruction, const Function& function) {
  std::string text;
  if (instruction.guard.reg >= 0)
    text = fmt::format("@{}{} ", instruction.guard.negated ? "!" : "",
                       function.registers[size_t(instruction.guard.reg)].name);
  text += instruction.spelled();
  std::string operands = instruction.opcode == "call" && instruction.operands.size() >= 3
                             ? print_call(instruction, function)
                             : joined(instruction.operands, function, ", ");
  return text + (operands.empty() ? "" : " ") + operands + ";";
}

std::string print(const Module& module) {
  std::string text = fmt::format(".version {}.{}\n.target {}", module.version_major,
                                 module.version_minor, module.target);
  for (const std::string& option : module.target_options) text += ", " + option;
  text += fmt::format("\n.address_size {}\n", module.address_size);
  for (size_t i = 0; i < module.files.size(); ++i)
    if (!module.files[i].empty() || (i > 0 && i + 1 == module.files.size()))
      text += fmt::format(".file {} \"{}\"\n", i, module.files[i]);
  for (const Function& function : module.functions)
    if (!function.defined) text += "\n" + print_signature(function) + ";\n";
  if (!module.variables.empty()) text += "\n";
  for (const Variable& variable : module.variables) text += print_variable(variable);
  for (const Function& function : module.functions)
    if (function.defined) text += "\n" + print_signature(function) + print_body(function);
  for (const auto& [alias, target] : module.aliases)
    text += fmt::format("\n.alias {}, {};\n", alias, target);
  return text;
}

}  // namespace headroom::ptx
