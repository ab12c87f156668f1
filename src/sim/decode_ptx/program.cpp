// A kernel and everything it calls become one Program.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/call_graph.h"
#include "sim/decode_ptx/decoder.h"
#include "sim/decode_ptx/reaches.h"
#include "sim/decode_ptx/waiting_loops.h"
#include "sim/reconvergence.h"

namespace headroom::sim {
namespace {

constexpr uint64_t max_static_shared = 48 << 10;  // what ptxas takes for every machine

bool is_float_type(ptx::Type type) {
  using T = ptx::Type;
  return type == T::f16 || type == T::f16x2 || type == T::bf16 || type == T::bf16x2 ||
         type == T::f32 || type == T::f64;
}

// Shared variables of the kernel and of what it calls, one after the other; `extern` ones all begin
// at the end.
void place_shared(ProgramDecoder& decoder) {
  uint64_t size = 0, dynamic_align = 16;
  std::vector<std::string> dynamic;
  auto place = [&](const ptx::Variable& variable, const std::string& key) {
    if (variable.space != ptx::Space::shared || decoder.shared_at.count(key)) return;
    const uint64_t align = uint64_t(std::max(1, variable.align));
    if (variable.bytes == 0) {
      dynamic.push_back(key);
      dynamic_align = std::max(dynamic_align, align);
      return;
    }
    size = (size + align - 1) / align * align;
    decoder.shared_at[key] = size;
    size += variable.bytes;
  };
  std::set<std::string> named;
  for (const std::string& name : decoder.reached) {
    for (const ptx::Instruction& instruction : decoder.module.function(name)->body) {
      for (const ptx::Operand& operand : instruction.operands) {
        if (!operand.name.empty()) named.insert(operand.name);
      }
    }
  }
  for (const ptx::Variable& variable : decoder.module.variables) {
    if (named.count(variable.name)) place(variable, variable.name);
  }
  for (const std::string& name : decoder.reached) {
    for (const ptx::Variable& variable : decoder.module.function(name)->variables)
      place(variable, name + "/" + variable.name);
  }
  if (size > max_static_shared)
    throw Error{decoder.module.name,
                "kernel '" + decoder.program.kernel + "' declares " + std::to_string(size) +
                    " bytes of static shared memory, and a block has " +
                    std::to_string(max_static_shared) + " at most",
                "declare it `extern __shared__`, and give its size at the launch"};
  decoder.program.facts.static_shared = size;
  decoder.program.dynamic_shared_at =
      dynamic.empty() ? size : (size + dynamic_align - 1) / dynamic_align * dynamic_align;
  for (const std::string& key : dynamic) decoder.shared_at[key] = decoder.program.dynamic_shared_at;
}

}  // namespace

uint32_t ProgramDecoder::function_index(const std::string& name) {
  return uint32_t(std::find(reached.begin(), reached.end(), name) - reached.begin());
}

FunctionDecoder::FunctionDecoder(ProgramDecoder& decoder, uint32_t function_index)
    : shared(decoder),
      program(decoder.program),
      index(function_index),
      function(*decoder.program.functions[function_index].source),
      frame_at(function_index == 0
                   ? 0
                   : decoder.program.functions[function_index - 1].frame_at +
                         decoder.program.functions[function_index - 1].frame_bytes) {}

std::shared_ptr<const Program> decode(const LoadedModule& module, const std::string& kernel,
                                      uint8_t axes, bool watched) {
  auto program = std::make_shared<Program>();
  program->module = module;
  program->kernel = kernel;
  const ptx::Function* entry = module.module->function(kernel);
  if (!entry || !entry->defined)
    throw Error{module.module->name, "no kernel '" + kernel + "' in this module"};

  ProgramDecoder decoder{
      {*program}, *module.module, {},     reached_functions(*module.module, kernel), {},
      {},         axes,           watched};
  for (const std::string& name : decoder.reached) {
    const ptx::Function* function = module.module->function(name);
    if (!function->problems.empty()) {
      const ptx::Problem& problem = function->problems.front();
      throw Error{module.module->name + ":" + std::to_string(problem.span.line) + ":" +
                      std::to_string(problem.span.column),
                  "kernel '" + kernel + "': " + problem.what, problem.hint};
    }
    DecodedFunction decoded;
    decoded.source = function;
    program->functions.push_back(decoded);
  }
  place_shared(decoder);
  for (uint32_t f = 0; f < program->functions.size(); ++f) FunctionDecoder(decoder, f).decode();

  connect_calls(decoder);
  for (uint32_t f = 0; f < program->functions.size(); ++f) {
    const uint32_t end = f + 1 < program->functions.size() ? program->functions[f + 1].entry
                                                           : uint32_t(program->basic_blocks.size());
    find_reconvergence_points(*program, program->functions[f].entry, end, f == 0);
  }
  const DecodedFunction& last = program->functions.back();
  place_operands(*program, last.frame_at + last.frame_bytes);
  mark_waiting_loops(*program);
  if (watched) find_reaches(decoder);
  program->facts.local_bytes = (local_bytes(*program) + 15) / 16 * 16;
  return program;
}

InstructionClass class_of(const ptx::Instruction& i) {
  static const std::unordered_map<std::string_view, InstructionClass> by_opcode = [] {
    std::unordered_map<std::string_view, InstructionClass> table;
    auto enter = [&](InstructionClass kind, std::initializer_list<std::string_view> opcodes) {
      for (const std::string_view opcode : opcodes) table[opcode] = kind;
    };
    enter(InstructionClass::control,
          {"bra", "brx", "call", "ret", "exit", "trap", "bar", "barrier", "membar", "fence",
           "nanosleep", "brkpt", "pmevent", "griddepcontrol", "elect", "activemask", "mbarrier",
           "setmaxnreg", "wgmma"});
    enter(InstructionClass::memory,
          {"ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", "cp", "ldmatrix", "stmatrix",
           "wmma", "tex", "tld4", "suld", "sust", "sured"});
    enter(InstructionClass::other,
          {"shfl", "vote", "match", "redux", "isspacep", "discard", "movmatrix"});
    enter(InstructionClass::special, {"ex2", "lg2", "sin", "cos", "rsqrt", "tanh"});
    enter(InstructionClass::conversion, {"cvt"});
    return table;
  }();
  if (i.opcode == "mma" || (i.opcode == "wmma" && i.has(".mma")) ||
      (i.opcode == "wgmma" && i.has(".mma_async")))
    return InstructionClass::tensor;
  // Machine code reads parameters and constants as operands, and needs few moves.
  const bool operand = i.opcode == "ld" && (i.has(".param") || i.has(".const"));
  if (i.opcode == "mov" || i.opcode == "cvta" || operand) return InstructionClass::move;
  if (const auto known = by_opcode.find(i.opcode); known != by_opcode.end()) return known->second;
  if ((i.opcode == "rcp" || i.opcode == "sqrt") && i.has(".approx"))
    return InstructionClass::special;
  const ptx::Type type = i.opcode == "set" ? i.type(1) : i.type();
  if (!is_float_type(type)) return InstructionClass::integer;
  return type == ptx::Type::f32   ? InstructionClass::fp32
         : type == ptx::Type::f64 ? InstructionClass::fp64
                                  : InstructionClass::fp16;
}

int float_operations_of(const ptx::Instruction& i) {
  static constexpr std::array<std::string_view, 6> one = {"add", "sub", "mul",
                                                          "div", "rcp", "sqrt"};
  const ptx::Type type = i.type();
  if (!is_float_type(type)) return 0;
  const int lanes_per = type == ptx::Type::f16x2 || type == ptx::Type::bf16x2 ? 2 : 1;
  if (i.opcode == "fma" || i.opcode == "mad") return 2 * lanes_per;
  if (std::find(one.begin(), one.end(), i.opcode) != one.end() ||
      class_of(i) == InstructionClass::special)
    return lanes_per;
  return 0;
}

}  // namespace headroom::sim
