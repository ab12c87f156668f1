// A kernel's machine code becomes a Program.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "sass/print.h"
#include "sim/banks.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/instruction_class.h"
#include "sim/decode_sass/pipes.h"
#include "sim/decode_sass/spelling.h"
#include "sim/decode_sass/symbols.h"
#include "sim/register_allocation.h"
#include "sim/stack.h"

namespace headroom::sim {
namespace {

bool is_padding(const sass::Instruction& instruction) { return instruction.opcode == "NOP"; }

// Behind the last instruction but for the padding.
uint32_t end_of(const sass::Function& function) {
  uint32_t end = uint32_t(function.instructions.size());
  while (end > 1 && is_padding(function.instructions[end - 1])) --end;
  return end;
}

}  // namespace

MachineDecoder::MachineDecoder(Program& all, const sass::Function& one,
                               const MachineOptions& wishes)
    : program(all), areas{all}, function(one), options(wishes) {
  code_at = code_address(*all.code, one.name);
}

MachineDecoder::MachineDecoder(const MachineDecoder& kernel, const sass::Function& other)
    : program(kernel.program),
      areas(kernel.areas),
      function(other),
      options(kernel.options),
      code_at(code_address(*program.code, other.name)),
      frame_bytes(kernel.frame_bytes),
      registers(kernel.registers),
      uniforms_at(kernel.uniforms_at),
      predicates_at(kernel.predicates_at),
      barriers_at(kernel.barriers_at),
      temporaries(kernel.temporaries),
      launch_constant_at(kernel.launch_constant_at) {}

const std::unordered_map<std::string_view, MachineDecoder::Decode>& MachineDecoder::decoders() {
  static const std::unordered_map<std::string_view, Decode> table = [] {
    std::unordered_map<std::string_view, Decode> all;
    for (const std::span<const Entry> entries :
         {integer_table(), bits_table(), float_table(), half_table(), convert_table(),
          memory_table(), atomic_table(), warp_table(), flow_table(), matrix_table(), async_table(),
          mbarrier_table(), cluster_table(), bulk_table(), texture_table(), order_table()}) {
      for (const Entry& entry : entries) all[entry.opcode] = entry.decode;
    }
    return all;
  }();
  return table;
}

MachineDecoder::Decode MachineDecoder::find(std::string_view opcode) {
  const auto found = decoders().find(opcode);
  return found == decoders().end() ? nullptr : found->second;
}

void MachineDecoder::unsupported(const std::string& what) const {
  throw Error{"kernel '" + program.kernel + "'",
              (current ? sass::print(*current) + ": " : std::string()) + what, ""};
}
void MachineDecoder::unsupported() const { unsupported("this form is not executed yet"); }

// Registers as the code names them: the highest of each file.
void MachineDecoder::place_registers() {
  uint32_t most = 0, uniforms = 0;
  uint32_t further = 4;  // that a fragment has behind its vector of four
  const auto name = [&](uint32_t reg, uint32_t& highest, uint32_t zero) {
    if (reg != zero) highest = std::max(highest, reg + 4);  // up to a vector of four
  };
  for (const auto& section : program.sections) {
    for (const sass::Instruction& instruction : section->instructions) {
      if (instruction.opcode == "DMMA") further = std::max(further, 12u);
      if (instruction.opcode.ends_with("GMMA")) further = 124;
      for (const sass::Operand& operand : instruction.operands) {
        if (operand.kind == Kind::reg) name(operand.index, most, sass::zero_register);
        if (operand.kind == Kind::uniform) name(operand.index, uniforms, sass::zero_uniform);
        name(operand.base, most, sass::zero_register);
        name(operand.uniform, uniforms, sass::zero_uniform);
        name(operand.descriptor, uniforms, sass::zero_uniform);
      }
    }
  }
  registers = std::min<uint32_t>(most + further, 256);
  uniforms_at = registers * warp_register_bytes(4);
  predicates_at = uniforms_at + (uniforms + 4) * warp_register_bytes(4);
  barriers_at = predicates_at + 64;
  frame_bytes = barriers_at + 16 * warp_register_bytes(4);
}

void MachineDecoder::place_banks() {
  uint32_t at = 0;
  for (const sass::Bank& bank : program.code->banks) {
    if (!bank.kernel.empty() && bank.kernel != function.name) continue;
    ConstantBank made = bank_of(bank, program.module, *program.code);
    if (!bank.kernel.empty() && bank.number == 2)
      place_function_pointers(made, program.module, function);
    // Code reads the last word whole, of which the last parameter may be a part.
    const size_t bytes = made.content.size();
    made.content.resize((bytes + 3) / 4 * 4);
    made.at = at;
    at += uint32_t((made.content.size() + 127) / 128 * 128);  // as its tensor maps are aligned
    if (made.number == 0)
      program.facts.parameter_bytes =
          bytes - std::min<uint64_t>(arguments_at(*program.code, function.name), bytes);
    program.banks.push_back(std::move(made));
  }
}

// Behind a guard every operation that others can see runs for the lanes whose predicate holds.
void MachineDecoder::guard(const Instruction& instruction, uint32_t operand, size_t first) {
  for (size_t o = first; o < program.operations.size(); ++o) {
    Operation& operation = program.operations[o];
    if (operation.guard != no_operand) continue;
    operation.chains = false;
    operation.guard = operand;
    operation.guard_negated = instruction.guard.inverted;
    const bool last = o + 1 == program.operations.size();  // counted once
    operation.kind = class_of(instruction);
    operation.float_operations = uint8_t(last ? float_operations_of(instruction) : 0);
  }
}

void MachineDecoder::decode_instruction(const Instruction& instruction) {
  if (instruction.opcode.empty()) unsupported("an encoding that is not known");
  const bool always =
      !instruction.guarded || (is_true(instruction.guard) && !instruction.guard.inverted);
  if (!always && is_true(instruction.guard)) return;  // @!PT
  const Decode decode = find(instruction.opcode);
  if (!decode) unsupported("not executed yet");
  uint32_t condition = no_operand;
  uniform = is_uniform(instruction.opcode);
  if (!always) {
    condition = row_of(instruction.guard);
    const bool writes_many = instruction.opcode == "R2P" || instruction.opcode == "UR2UP";
    for (const Operand& operand : instruction.operands) {
      const bool is_guard =
          operand.kind == instruction.guard.kind && operand.index == instruction.guard.index;
      if (!writes_many && !(operand.written && is_guard)) continue;
      const uint32_t copy = temporary(0);  // it writes its own guard
      add("mov.pred", {copy, condition});
      condition = copy;
      break;
    }
  }
  const size_t first = program.operations.size();
  (this->*decode)(instruction);
  finish();
  if (!always) guard(instruction, condition, first);
  uniform = false;
}

void MachineDecoder::count(const Instruction& instruction) {
  if (instruction.opcode.empty()) unsupported("an encoding that is not known");
  Profile& profile = program.basic_blocks.back().profile;
  const InstructionClass kind = class_of(instruction);
  profile.instructions += 1;
  profile.kinds[size_t(kind)] += 1;
  for (const Pipe pipe : pipes_of(instruction, program.code->architecture))
    profile.on_pipes[size_t(pipe)] += 1;
  count_registers(instruction);
  profile.branches += is_branch(instruction.opcode);
  profile.barriers += instruction.opcode == "BAR";
  const uint32_t operations = uint32_t(instruction.guarded ? 0 : float_operations_of(instruction));
  if (kind == InstructionClass::fp32 || kind == InstructionClass::special)
    profile.fp32_operations += operations;
  if (kind == InstructionClass::fp64) profile.fp64_operations += operations;
  if (kind == InstructionClass::fp16) profile.fp16_operations += operations;
  if (kind == InstructionClass::tensor)
    profile.tensor_operations += tensor_operations_of(instruction);
}

// Of the pipes whose sources are 32 bits wide.
void MachineDecoder::count_registers(const Instruction& instruction) {
  const sass::PortUse use = port.read(sass::register_reads(instruction));
  const bool counts = std::ranges::any_of(
      pipes_of(instruction, program.code->architecture),
      [](Pipe pipe) { return pipe == Pipe::alu || pipe == Pipe::fma || pipe == Pipe::fp16; });
  if (!counts) return;
  Profile& profile = program.basic_blocks.back().profile;
  for (size_t bank = 0; bank < use.of_bank.size(); ++bank)
    profile.register_reads[bank] += use.of_bank[bank];
  profile.registers_reused += use.reused;
  profile.register_conflicts += uint32_t(use.cycles() - 1);
}

void MachineDecoder::decode_section() {
  if (function.instructions.empty()) unsupported("there is no instruction in it");
  find_overwrites();
  const uint32_t end = end_of(function);
  const std::vector<bool> starts = leaders();
  block_of.assign(function.instructions.size(), no_operand);
  for (uint32_t first = 0; first < end;) {
    uint32_t last = first + 1;
    while (last < end && !starts[last]) ++last;
    decode_line(first, last);
    first = last;
  }
  open_basic_block();  // code that runs off its end
  close_basic_block(Terminator::trap);
  connect();
  // What variables hold as the function's address.
  const auto known = program.module.addresses.find(function.name);
  if (known != program.module.addresses.end() && !block_of.empty())
    program.block_at[known->second] = block_of[0];
}

void MachineDecoder::decode_other_sections() {
  for (const auto& section : program.sections) {
    if (section.get() == &function) continue;
    for (const sass::Bank& bank : program.code->banks)
      if (bank.kernel == section->name) unsupported("a called function with constants of its own");
    MachineDecoder other(*this, *section);
    other.decode_section();
    frame_bytes = other.frame_bytes;
    temporaries = std::move(other.temporaries);
    launch_constant_at = std::move(other.launch_constant_at);
    areas.constant_at = std::move(other.areas.constant_at);
    areas.special_at = std::move(other.areas.special_at);
  }
}

void MachineDecoder::decode() {
  place_registers();
  place_banks();
  refuse_changed_maps();
  decode_section();
  decode_other_sections();
  decode_system_calls();
  DecodedFunction decoded;
  if (program.module.module) decoded.source = program.module.module->function(program.kernel);
  decoded.frame_bytes = (frame_bytes + 63) / 64 * 64;
  for (const auto& [bytes, pool] : temporaries) {
    for (const uint32_t at : pool) decoded.temporaries.push_back({at, uint32_t(bytes), 1});
  }
  decoded.registers = register_columns();
  program.functions.push_back(std::move(decoded));
  program.unset = unset_registers();
  program.facts.static_shared = options.static_shared;
  program.dynamic_shared_at = (options.static_shared + 15) / 16 * 16;
  program.facts.grows_stack = grows_stack();
  program.facts.local_bytes =
      (options.local_bytes + 15) / 16 * 16 + (program.facts.grows_stack ? least_stack : 0);
  place_operands(program, program.functions[0].frame_bytes);
  mark_loops();
}

std::vector<std::string_view> executed_opcodes() {
  std::vector<std::string_view> all;
  for (const auto& [opcode, decode] : MachineDecoder::decoders()) all.push_back(opcode);
  std::ranges::sort(all);
  return all;
}

std::shared_ptr<const Program> decode(const LoadedModule& module,
                                      std::shared_ptr<const sass::Module> code,
                                      const std::string& kernel, const MachineOptions& options) {
  auto program = std::make_shared<Program>();
  program->module = module;
  program->kernel = kernel;
  program->code = std::move(code);
  for (const sass::Function& function : program->code->functions) {
    if (function.name != kernel) continue;
    for (const sass::Function* section : reached_sections(*program->code, function)) {
      if (section->relocations.empty())
        program->sections.emplace_back(program->code, section);
      else
        program->sections.push_back(std::make_shared<const sass::Function>(
            with_addresses(*section, program->module, *program->code)));
    }
    MachineDecoder(*program, *program->sections.front(), options).decode();
    return program;
  }
  throw Error{"kernel '" + kernel + "'", "it is not in the machine code"};
}

}  // namespace headroom::sim
