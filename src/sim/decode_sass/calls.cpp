// Calls. What a kernel calls stands in its own section, or is a section of its own where functions
// were compiled apart; all share the kernel's frame, as registers are the machine's. Calls through a
// register go to whatever instruction is at the address.
//
//   LDC.64 R2, c[0x4][0x40];  LEPC R20, 0xa0;  CALL.ABS.NOINC R2     malloc: arguments in R4 …, the
//                                                                    result in R4, back through R20
//
// Functions of the system are basic blocks of their own, at addresses of their own.
#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/decode_sass/symbols.h"
#include "sim/system_calls.h"
#include "sim/undefined.h"

namespace headroom::sim {
namespace {

constexpr uint32_t first_argument = 4, return_address = 20, stack_pointer = 1;

const sass::Operand* target_register(const sass::Instruction& instruction) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::reg || operand.kind == sass::OperandKind::uniform)
      return &operand;
  return nullptr;
}

// How a function of the system finds its arguments: registers each of them takes.
struct SystemSignature {
  System which;
  std::vector<uint32_t> arguments;
  uint32_t result;  // bytes
};
const SystemSignature signatures[] = {{System::vprintf, {2, 2}, 4},
                                      {System::assertfail, {2, 2, 1, 2}, 0},
                                      {System::malloc, {2}, 8},
                                      {System::free, {2}, 0}};

// Entries of functions in a section: its beginning, and the symbols inside.
std::set<uint64_t> entries_of(const sass::Function& function) {
  std::set<uint64_t> entries = {0};
  for (const sass::Symbol& symbol : function.symbols) entries.insert(symbol.offset);
  return entries;
}

// A call inside the section may come back to the function that makes it.
bool recurses(const sass::Function& function) {
  const std::set<uint64_t> entries = entries_of(function);
  std::map<uint64_t, std::set<uint64_t>> callees;
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    const sass::Instruction& instruction = function.instructions[i];
    if (instruction.opcode != "CALL" || instruction.has(".ABS")) continue;
    std::set<uint64_t>& of = callees[*std::prev(entries.upper_bound(i * sass::instruction_bytes))];
    if (target_register(instruction)) {
      of.insert(std::next(entries.begin()), entries.end());
      continue;
    }
    for (const sass::Operand& operand : instruction.operands)
      if (operand.kind == sass::OperandKind::label && operand.value >= 0)
        of.insert(*std::prev(entries.upper_bound(uint64_t(operand.value))));
  }
  std::set<uint64_t> open, done;
  std::function<bool(uint64_t)> comes_back = [&](uint64_t entry) {
    if (done.contains(entry)) return false;
    if (!open.insert(entry).second) return true;
    for (const uint64_t callee : callees[entry])
      if (comes_back(callee)) return true;
    open.erase(entry);
    done.insert(entry);
    return false;
  };
  return std::ranges::any_of(entries, comes_back);
}

// R1 is changed by what is no constant, or by more than the compiler says that it needs.
bool moves_stack(const sass::Instruction& instruction, uint64_t known) {
  const auto& o = instruction.operands;
  const auto is_stack = [](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::reg && operand.index == stack_pointer;
  };
  if (!std::ranges::any_of(o, [&](const sass::Operand& x) { return x.written && is_stack(x); }))
    return false;
  bool reads = false, others = false;
  int64_t by = 0;
  for (const sass::Operand& operand : o) {
    if (operand.written) continue;
    if (is_stack(operand)) reads = true;
    if (operand.kind == sass::OperandKind::reg && !is_stack(operand) && !is_zero(operand))
      others = true;
    if (operand.kind == sass::OperandKind::uniform && !is_zero(operand)) others = true;
    if (operand.kind == sass::OperandKind::immediate) by = int32_t(operand.value);
  }
  const bool is_sum = instruction.opcode == "IADD3" || instruction.opcode == "VIADD" ||
                      instruction.opcode == "UIADD3";
  if (!reads && !others) return false;  // c[0x0][0x28]
  return others || !is_sum || (by < 0 && uint64_t(-by) > known);
}

}  // namespace

bool MachineDecoder::grows_stack() const {
  return std::ranges::any_of(program.sections, [&](const auto& section) {
    return recurses(*section) ||
           std::ranges::any_of(section->instructions, [&](const Instruction& instruction) {
             return moves_stack(instruction, options.local_bytes);
           });
  });
}

// CALL.ABS to an address in the code.
void MachineDecoder::end_call(const Instruction& instruction) {
  const Operand& to = instruction.operands.back();
  if (condition(instruction) != no_operand || to.kind != Kind::immediate) unsupported();
  program.basic_blocks.back().predicate = constant(uint64_t(to.value), 8);
  close_basic_block(Terminator::indirect);
}

// A basic block for each function of the system.
void MachineDecoder::decode_system_calls() {
  const std::set<System> named = named_system_calls();
  if (named.empty()) return;
  for (size_t i = 0; i < function.instructions.size(); ++i)  // where a fault is told to be
    if (function.instructions[i].opcode == "CALL" && function.instructions[i].has(".ABS")) {
      current = &function.instructions[i];
      current_index = uint32_t(program.instructions.size());
      program.instructions.push_back({nullptr, uint32_t(i), &function});
      break;
    }
  for (const SystemSignature& signature : signatures) {
    if (!named.contains(signature.which)) continue;
    program.facts.ordered |= signature.which == System::malloc || signature.which == System::free;
    program.facts.more_inputs = true;
    open_system_call(signature.which);
    SystemCall call{signature.which, {}, {}};
    uint32_t next = first_argument;
    for (size_t n = 0; n < signature.arguments.size(); ++n) {
      next = signature.arguments[n] == 2 ? (next + 1) / 2 * 2 : next;
      const uint32_t high = signature.arguments[n] == 2 ? reg(next + 1) : constant(0, 4);
      call.argument[n] = {wide(reg(next), high) & ~3u, 8};
      next += signature.arguments[n];
    }
    const uint32_t result = temporary(8);
    if (signature.result) call.result = {result & ~3u, 8};
    add("!system", {}, 0, program.system_calls.size());
    program.system_calls.push_back(call);
    if (signature.result) add("!low", {reg(first_argument), result});
    if (signature.result == 8) add("!high", {reg(first_argument + 1), result});
    go_back();
  }
  if (named.contains(System::grid_handle)) decode_grid_handle();
  if (named.contains(System::grid_sync)) decode_grid_sync();
}

void MachineDecoder::open_system_call(System which) {
  temporaries_used.clear();
  program.block_at[system_address(which)] = uint32_t(program.basic_blocks.size());
  open_basic_block();
}

// To the caller.
void MachineDecoder::go_back() {
  program.basic_blocks.back().predicate = wide(reg(return_address), reg(return_address + 1));
  close_basic_block(Terminator::indirect);
  program.basic_blocks.back().back_edge = true;
}

// What the code names of the system's functions, and whom nobody defines.
std::set<System> MachineDecoder::named_system_calls() const {
  std::set<System> found;
  for (const auto& section : program.sections) {
    for (const std::string& name : named_symbols(*section, *program.code)) {
      if (symbol_address(program.module, *program.code, name)) {
        if (const auto system = system_of_code(name); system && !code_address(*program.code, name))
          found.insert(*system);
        continue;
      }
      const Undefined why = undefined_function(name);
      throw Error{"kernel '" + program.kernel + "'", why.what, why.hint};
    }
  }
  return found;
}

}  // namespace headroom::sim
