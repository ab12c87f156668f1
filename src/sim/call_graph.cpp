#include "sim/call_graph.h"

#include <algorithm>
#include <functional>
#include <set>

#include "sim/stack.h"

namespace headroom::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool is_call(const Instruction& i) { return i.opcode == "call" && i.operands.size() >= 2; }
bool is_indirect(const Instruction& i) {
  return is_call(i) && i.operands[1].kind == Operand::Kind::reg;
}

// Functions whose address is taken, in the module's order: mov %rd1, f;  .global .u64 table[] =
// {f}.
std::vector<std::string> address_taken(const ptx::Module& module) {
  std::set<std::string> named;
  auto look = [&](auto&& self, const Operand& operand) -> void {
    if (!operand.name.empty()) named.insert(operand.name);
    for (const Operand& item : operand.items) self(self, item);
  };
  for (const ptx::Function& function : module.functions) {
    for (const Instruction& i : function.body) {
      if (is_call(i)) continue;
      for (const Operand& operand : i.operands) look(look, operand);
    }
  }
  for (const ptx::Variable& variable : module.variables) {
    for (const ptx::Relocation& relocation : variable.relocations) named.insert(relocation.symbol);
  }
  std::vector<std::string> taken;
  for (const ptx::Function& function : module.functions) {
    if (!function.entry && function.defined && function.problems.empty() &&
        named.count(function.name))
      taken.push_back(function.name);
  }
  return taken;
}

bool fits(const PendingCall& call, const DecodedFunction& callee) {
  auto same = [](const std::vector<ParameterBlock>& a, const std::vector<ParameterBlock>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](const auto& x, const auto& y) { return x.bytes == y.bytes; });
  };
  return !callee.source->entry && same(call.arguments, callee.parameters) &&
         same(call.results, callee.results);
}

CallSite site_of(const PendingCall& call, const DecodedFunction& callee, uint32_t function) {
  CallSite site{function, {}, {}};
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ParameterBlock &from = call.arguments[i], &to = callee.parameters[i];
    site.arguments.push_back(
        {from.at, to.at, std::min(from.bytes, to.bytes), from.stride, to.stride});
  }
  for (size_t i = 0; i < call.results.size(); ++i) {
    const ParameterBlock &from = callee.results[i], &to = call.results[i];
    site.results.push_back(
        {from.at, to.at, std::min(from.bytes, to.bytes), from.stride, to.stride});
  }
  return site;
}

}  // namespace

std::vector<std::string> reached_functions(const ptx::Module& module, const std::string& kernel) {
  std::vector<std::string> found = {kernel};
  std::set<std::string> known = {kernel};
  auto reach = [&](const std::string& name) {
    const ptx::Function* function = module.function(name);
    if (function && function->defined && known.insert(name).second) found.push_back(name);
  };
  bool indirect = false;
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Instruction& instruction : module.function(found[i])->body) {
      if (is_call(instruction) && !is_indirect(instruction)) reach(instruction.operands[1].name);
      if (!is_indirect(instruction) || indirect) continue;
      indirect = true;
      for (const std::string& name : address_taken(module)) reach(name);
    }
  }
  return found;
}

void connect_calls(ProgramDecoder& decoder) {
  Program& program = decoder.program;
  for (const PendingCall& call : decoder.calls) {
    BasicBlock& basic_block = program.basic_blocks[call.basic_block];
    if (call.callee.empty()) {
      for (uint32_t f = 0; f < program.functions.size(); ++f) {
        if (fits(call, program.functions[f]))
          basic_block.callees.push_back(site_of(call, program.functions[f], f));
      }
      continue;
    }
    const uint32_t f = decoder.function_index(call.callee);
    const DecodedFunction& callee = program.functions[f];
    const Instruction& instruction =
        call.caller->body[program.instructions[call.instruction].index];
    if (callee.parameters.size() != call.arguments.size() ||
        callee.results.size() != call.results.size()) {
      throw Error{decoder.module.name + ":" + std::to_string(instruction.span.line),
                  "the call of '" + call.callee + "' does not fit its declaration"};
    }
    basic_block.callees.push_back(site_of(call, callee, f));
  }
  for (uint32_t f = 0; f < program.functions.size(); ++f) {
    const auto address = program.module.addresses.find(program.functions[f].source->name);
    if (address != program.module.addresses.end()) program.function_at[address->second] = f;
  }
}

uint64_t local_bytes(Program& program) {
  constexpr uint64_t recursive = least_stack;
  bool recurses = false;
  std::vector<std::set<uint32_t>> callees(program.functions.size());
  for (uint32_t f = 0, r = 0; f < callees.size(); ++f) {
    const bool last = f + 1 == callees.size();
    for (; r < (last ? program.basic_blocks.size() : program.functions[f + 1].entry); ++r) {
      for (const CallSite& site : program.basic_blocks[r].callees) callees[f].insert(site.function);
    }
  }
  enum class State : uint8_t { unknown, open, known };
  std::vector<State> state(callees.size());
  std::vector<uint64_t> known(callees.size());
  std::function<uint64_t(uint32_t)> deepest = [&](uint32_t f) -> uint64_t {
    recurses |= state[f] == State::open;
    if (state[f] == State::open) return recursive;
    if (state[f] == State::known) return known[f];
    state[f] = State::open;
    uint64_t below = 0;
    for (uint32_t callee : callees[f]) below = std::max(below, deepest(callee));
    state[f] = State::known;
    return known[f] = std::min(program.functions[f].local_bytes + below, recursive + (1 << 20));
  };
  const uint64_t frames = deepest(0);
  program.facts.grows_stack = recurses || uses_stack(program);
  if (!uses_stack(program)) return frames;
  if (recurses)
    throw Error{program.module.module->name,
                "kernel '" + program.kernel + "': alloca beside recursion is not executed",
                "give the array a fixed size, or the recursion a loop"};
  return (frames + 15) / 16 * 16 + least_stack + 16;
}

}  // namespace headroom::sim
