#include "sim/decode_sass/symbols.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "sim/system_calls.h"

namespace headroom::sim {
namespace {

constexpr uint64_t bytes_of_section = 1 << 24;  // of addresses, for a section of code
constexpr uint64_t bytes_of_system_call = 0x100;

// R_CUDA_…, as the ELF file numbers them.
constexpr uint32_t whole_address = 2, kernel_address = 35, lower_half = 56, upper_half = 57,
                   call_target = 75, call_target_before_90 = 58;

bool is_of_function(uint64_t address) {
  return address >= function_window && address < function_window + window_size;
}

// The operand that a relocation fills: the immediate.
sass::Operand* immediate_of(sass::Instruction& instruction) {
  for (sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::immediate) return &operand;
  return nullptr;
}

bool calls_pointer(const sass::Function& function) {
  return std::ranges::any_of(function.instructions, [](const sass::Instruction& instruction) {
    return instruction.opcode == "CALL" &&
           std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
             return operand.kind == sass::OperandKind::reg ||
                    operand.kind == sass::OperandKind::uniform;
           });
  });
}

}  // namespace

uint64_t code_address(const sass::Module& module, const std::string& function) {
  for (size_t f = 0; f < module.functions.size(); ++f) {
    if (module.functions[f].name == function) return function_window + (f + 1) * bytes_of_section;
  }
  return 0;
}

std::optional<System> system_of_code(std::string_view symbol) {
  if (symbol == "__cuda_syscall_CGS_get_intrinsic_handle") return System::grid_handle;
  if (symbol == "__cuda_syscall_CGS_sync") return System::grid_sync;
  return system_named(symbol);
}

uint64_t system_address(System which) {
  return function_window + (uint64_t(which) + 1) * bytes_of_system_call;
}

std::optional<uint64_t> symbol_address(const LoadedModule& loaded, const sass::Module& module,
                                       const std::string& symbol, int64_t addend) {
  const auto found = loaded.addresses.find(symbol);
  const bool is_known = found != loaded.addresses.end();
  if (is_known && !is_of_function(found->second)) return found->second + uint64_t(addend);
  if (const uint64_t code = code_address(module, symbol))
    return is_known && addend == 0 ? found->second : code + uint64_t(addend);
  if (const auto system = system_of_code(symbol)) return system_address(*system);
  return std::nullopt;
}

ConstantBank bank_of(const sass::Bank& bank, const LoadedModule& loaded,
                     const sass::Module& module) {
  ConstantBank made;
  made.number = bank.number;
  made.content = bank.content;
  for (const sass::Relocation& relocation : bank.relocations) {
    if (relocation.type != whole_address && relocation.type != kernel_address) continue;
    if (relocation.offset + 8 > made.content.size()) continue;
    int64_t addend = 0;
    std::memcpy(&addend, made.content.data() + relocation.offset, 8);
    const auto address =
        symbol_address(loaded, module, relocation.symbol, relocation.addend.value_or(addend));
    if (address) std::memcpy(made.content.data() + relocation.offset, &*address, 8);
  }
  for (const sass::Symbol& symbol : bank.symbols) {
    const auto found = loaded.addresses.find(symbol.name);
    if (bank.kernel.empty() && found != loaded.addresses.end() &&
        symbol.offset + symbol.bytes <= made.content.size())
      made.variables.push_back({found->second, uint32_t(symbol.offset), uint32_t(symbol.bytes)});
  }
  return made;
}

void place_function_pointers(ConstantBank& bank, const LoadedModule& loaded,
                             const sass::Function& kernel) {
  const std::string before = "$" + kernel.name + "$";  // $kernel$function
  for (const sass::Symbol& symbol : kernel.symbols) {
    if (!symbol.name.starts_with(before)) continue;
    const auto found = loaded.addresses.find(symbol.name.substr(before.size()));
    if (found == loaded.addresses.end() || !is_of_function(found->second)) continue;
    const uint64_t place = found->second - function_window;
    if (place < bank.content.size() && place + 8 > bank.content.size()) continue;
    bank.content.resize(std::max<size_t>(bank.content.size(), place + 8));
    std::memcpy(bank.content.data() + place, &symbol.offset, 8);
  }
}

std::vector<const sass::Function*> reached_sections(const sass::Module& module,
                                                    const sass::Function& kernel) {
  std::vector<const sass::Function*> reached = {&kernel};
  const auto reach = [&](const sass::Function& function) {
    if (!function.kernel && std::ranges::find(reached, &function) == reached.end())
      reached.push_back(&function);
  };
  for (size_t i = 0; i < reached.size(); ++i) {
    const sass::Function& from = *reached[i];
    for (const sass::Function& function : module.functions) {
      const bool named = std::ranges::any_of(
          from.relocations,
          [&](const sass::Relocation& relocation) { return relocation.symbol == function.name; });
      if (named || calls_pointer(from)) reach(function);
    }
  }
  return reached;
}

sass::Function with_addresses(const sass::Function& function, const LoadedModule& loaded,
                              const sass::Module& module) {
  sass::Function placed = function;
  for (const sass::Relocation& relocation : function.relocations) {
    const uint64_t index = relocation.offset / sass::instruction_bytes;
    if (index >= placed.instructions.size()) continue;
    sass::Operand* operand = immediate_of(placed.instructions[index]);
    const bool known = relocation.type == lower_half || relocation.type == upper_half ||
                       relocation.type == call_target || relocation.type == call_target_before_90;
    const auto address =
        symbol_address(loaded, module, relocation.symbol, relocation.addend.value_or(0));
    if (!address || !operand || !known)
      throw Error{"code of '" + function.name + "'",
                  "a relocation of type " + std::to_string(relocation.type) + " to '" +
                      relocation.symbol + "' is not executed",
                  "kernels that launch kernels are not executed; of others, report this with the "
                  "program"};
    operand->value = relocation.type == lower_half   ? int64_t(uint32_t(*address))
                     : relocation.type == upper_half ? int64_t(*address >> 32)
                                                     : int64_t(*address);
  }
  return placed;
}

std::set<std::string> named_symbols(const sass::Function& function, const sass::Module& module) {
  std::set<std::string> named;
  for (const sass::Relocation& relocation : function.relocations) named.insert(relocation.symbol);
  std::set<std::pair<int, uint64_t>> read;  // bank, offset; any bank: -1
  bool calls = false;
  for (const sass::Instruction& instruction : function.instructions) {
    calls |= instruction.opcode == "CALL" && instruction.has(".ABS");
    for (const sass::Operand& operand : instruction.operands) {
      if (operand.kind == sass::OperandKind::immediate) read.insert({-1, uint64_t(operand.value)});
      if (operand.kind == sass::OperandKind::constant)
        read.insert({operand.index, uint64_t(operand.value)});
    }
  }
  if (!calls) return named;
  for (const sass::Bank& bank : module.banks) {
    if (!bank.kernel.empty() && bank.kernel != function.name) continue;
    for (const sass::Relocation& relocation : bank.relocations)
      if (read.contains({-1, relocation.offset}) || read.contains({bank.number, relocation.offset}))
        named.insert(relocation.symbol);
  }
  return named;
}

}  // namespace headroom::sim
