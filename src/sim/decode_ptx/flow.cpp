#include <algorithm>
#include <bit>
#include <tuple>

#include "sim/check/marks.h"
#include "sim/cluster.h"
#include "sim/decode_ptx/decoder.h"
#include "sim/decode_ptx/overwrites.h"
#include "sim/decode_ptx/reaches.h"
#include "sim/stack.h"
#include "sim/undefined.h"

namespace headroom::sim {

std::vector<int> FunctionDecoder::leaders() const {
  std::set<int> starts = {0};
  const int size = int(function.body.size());
  for (const auto& [name, at] : function.labels) {
    if (at < size) starts.insert(at);
  }
  for (int i = 0; i < size; ++i) {
    if (is_terminator(function.body[size_t(i)]) && i + 1 < size) starts.insert(i + 1);
    const bool goes_on = i > 0 && is_matrix(function.body[size_t(i)]) &&
                         is_matrix(function.body[size_t(i - 1)]);  // the lanes have met
    if (!starts_basic_block(function.body[size_t(i)]) || goes_on) continue;
    starts.insert(i);
    // Lanes whose guard fails go round it; lanes in a function by several calls do it together.
    if ((function.body[size_t(i)].guard.reg >= 0 || !function.entry) && i + 1 < size)
      starts.insert(i + 1);
  }
  starts.insert(overwriting.begin(), overwriting.end());
  return {starts.begin(), starts.end()};
}

BasicBlock& FunctionDecoder::open_basic_block() {
  program.basic_blocks.emplace_back();
  BasicBlock& basic_block = program.basic_blocks.back();
  basic_block.first = basic_block.last = uint32_t(program.operations.size());
  basic_block.instruction = current_index;
  return basic_block;
}

void FunctionDecoder::close_basic_block(Terminator end, uint32_t instruction) {
  if (end == Terminator::ret && stack_before)
    add(Row{&restore_stack, &restore_stack}, {*stack_before});
  BasicBlock& basic_block = program.basic_blocks.back();
  basic_block.last = uint32_t(program.operations.size());
  chain_operations(program, basic_block);
  basic_block.terminator = end;
  basic_block.instruction = instruction;
  basic_block.next = uint32_t(program.basic_blocks.size());
}

// Before a store: a basic block of its own, so that those who branch to the store pass it as well.
void FunctionDecoder::end_turn() {
  open_basic_block();
  close_basic_block(Terminator::fall_through, uint32_t(program.instructions.size()));
  program.basic_blocks.back().ends_turn = true;
}

// One straight line: [begin, end) of the body, of which only the last instruction may decide who
// runs next.
void FunctionDecoder::decode_line(int begin, int end) {
  basic_block_at[begin] = uint32_t(program.basic_blocks.size());
  if (overwriting.count(begin)) end_turn();
  open_basic_block();
  bool open = true;
  for (int i = begin; i < end; ++i) {
    const Instruction& instruction = function.body[size_t(i)];
    current = &instruction;
    current_index = uint32_t(program.instructions.size());
    program.instructions.push_back({&function, uint32_t(i)});
    temporaries_used.clear();
    uint32_t named = no_operand;
    if (i == begin && starts_basic_block(instruction)) {
      if (instruction.guard.reg >= 0) {
        fixups.push_back({uint32_t(program.basic_blocks.size() - 1), end, -1});
        go_round(instruction);
      }
      const std::vector<const Operand*> operands = flat(instruction);
      const uint32_t members =
          is_matrix(instruction) ? shared.constant(all_lanes, 4) : input(*operands.back(), 4);
      program.basic_blocks.back().members = members;
      if (!is_matrix(instruction)) named = members;
    }
    if (is_terminator(instruction)) {
      decode_terminator(instruction);
      open = false;
    } else {
      count(instruction);
      if (shared.watched && named != no_operand)
        add(Row{&check::mark_members, &check::mark_members}, {named});
      decode_instruction(instruction);
    }
  }
  if (open) {
    const bool last = end == int(function.body.size());
    // running off the end returns
    close_basic_block(last ? Terminator::ret : Terminator::fall_through, current_index);
  }
}

// Lanes whose guard fails go round: the instruction gets a basic block of its own.
void FunctionDecoder::go_round(const Instruction& instruction) {
  BasicBlock& around = program.basic_blocks.back();
  around.predicate = register_operand(instruction.guard.reg);
  around.negated = !instruction.guard.negated;
  close_basic_block(Terminator::branch, current_index);
  open_basic_block();
}

void FunctionDecoder::decode_terminator(const Instruction& instruction) {
  const std::string& op = instruction.opcode;
  const bool by_itself =
      op == "bra" || (op == "ret" && !stack_before) || op == "exit";  // they carry their guard
  const bool goes_round = instruction.guard.reg >= 0 && !by_itself;
  const uint32_t branch = uint32_t(program.basic_blocks.size() - 1);
  if (goes_round) go_round(instruction);
  count(instruction);
  if (op == "bra" || op == "brx") {
    end_branch(instruction);
  } else if (op == "call") {
    end_call(instruction);
  } else if (op == "ret" || op == "exit") {
    if (instruction.guard.reg >= 0 && !goes_round) {
      program.basic_blocks.back().predicate = register_operand(instruction.guard.reg);
      program.basic_blocks.back().negated = instruction.guard.negated;
    }
    close_basic_block(op == "ret" ? Terminator::ret : Terminator::exit, current_index);
  } else if (op == "trap") {
    close_basic_block(Terminator::trap, current_index);
  } else {
    end_barrier(instruction);
  }
  if (goes_round) program.basic_blocks[branch].target = uint32_t(program.basic_blocks.size());
}

void FunctionDecoder::end_branch(const Instruction& instruction) {
  const uint32_t basic_block = uint32_t(program.basic_blocks.size() - 1);
  auto target_of = [&](const std::string& label) {
    const auto found = function.labels.find(label);
    if (found == function.labels.end())
      unsupported(instruction, "no label '" + label + "' in this function");
    return found->second;
  };
  if (instruction.opcode == "bra") {
    if (instruction.guard.reg >= 0) {
      program.basic_blocks[basic_block].predicate = register_operand(instruction.guard.reg);
      program.basic_blocks[basic_block].negated = instruction.guard.negated;
    }
    fixups.push_back({basic_block, target_of(instruction.operands.at(0).name), -1});
    close_basic_block(instruction.guard.reg >= 0 ? Terminator::branch : Terminator::jump,
                      current_index);
    return;
  }
  const uint32_t selector = input(instruction.operands.at(0), 4);
  const auto list = function.branch_targets.find(instruction.operands.at(1).name);
  if (list == function.branch_targets.end())
    unsupported(instruction, "brx.idx without its .branchtargets list");
  program.basic_blocks[basic_block].predicate = selector;
  program.basic_blocks[basic_block].targets.resize(list->second.size());
  for (size_t i = 0; i < list->second.size(); ++i)
    fixups.push_back({basic_block, target_of(list->second[i]), int(i)});
  close_basic_block(Terminator::indexed, current_index);
}

// barrier.cluster.wait;  bar.sync a[, b];  bar.arrive a, b;  bar.red.popc.u32 d, a[, b], [!]c;
// bar.red.{and,or}.pred p, a[, b], [!]c
void FunctionDecoder::end_barrier(const Instruction& instruction) {
  if (instruction.opcode == "wgmma") {  // wait_group: what the four warps read is free again
    if (shared.watched)
      add(Row{&check::mark_product_wait, &check::mark_product_wait}, {}, 0,
          instruction.operands.at(0).bits);
    program.basic_blocks.back().warpgroup = true;
    close_basic_block(Terminator::barrier, current_index);
    return;
  }
  const std::vector<Operand>& operands = instruction.operands;
  const bool reduces = instruction.has(".red");
  const size_t first = reduces ? 1 : 0, last = operands.size() - (reduces ? 1 : 0);
  const uint32_t otherwise = instruction.has(".cluster") ? cluster_barrier : 0;
  const uint32_t id = first < last ? input(operands[first], 4) : shared.constant(otherwise, 4);
  const uint32_t threads = first + 1 < last ? input(operands[first + 1], 4) : no_operand;
  BasicBlock& basic_block = program.basic_blocks.back();
  basic_block.barrier = id;
  basic_block.threads = threads;
  if (reduces) {
    const Operand& predicate = operands.back();
    basic_block.reduce = predicate.kind == Kind::reg ? register_operand(predicate.reg)
                                                     : shared.constant(predicate.bits ? ~0u : 0, 0);
    basic_block.reduce_negated = predicate.negated;
  }
  close_basic_block(instruction.has(".arrive") ? Terminator::arrive : Terminator::barrier,
                    current_index);
  if (!reduces) return;
  open_basic_block();  // after the barrier: everybody reads the result
  const bool popc = instruction.has(".popc");
  const uint32_t result = output(operands[0], popc ? 4 : 0);
  add(popc                      ? "!barrier_popc"
      : instruction.has(".and") ? "!barrier_and"
                                : "!barrier_or",
      {result, id});
  finish_outputs();
  close_basic_block(Terminator::fall_through, current_index);
}

void FunctionDecoder::end_call(const Instruction& instruction) {
  // operands: {results, callee, arguments[, prototype]}
  auto blocks = [&](const Operand& list) {
    std::vector<ParameterBlock> out;
    for (const Operand& item : list.items) {
      const auto block = parameters.find(item.name);
      if (item.kind != Kind::symbol || block == parameters.end()) {
        unsupported(instruction, "a call whose parameters are not .param variables");
      }
      out.push_back(block->second);
    }
    return out;
  };
  const Operand& callee = instruction.operands.at(1);
  const std::vector<ParameterBlock> results = blocks(instruction.operands.at(0)),
                                    arguments = blocks(instruction.operands.at(2));
  if (callee.kind == Kind::reg) {
    const uint32_t address = input(callee, 8);
    const uint32_t basic_block = uint32_t(program.basic_blocks.size() - 1);
    program.basic_blocks[basic_block].predicate = address;
    shared.calls.push_back({basic_block, "", arguments, results, &function, current_index});
    close_basic_block(Terminator::call, current_index);
    return;
  }
  const uint32_t basic_block = uint32_t(program.basic_blocks.size() - 1);
  const ptx::Function* target = shared.module.function(callee.name);
  if (!target || !target->defined) {
    const auto system = system_named(callee.name);
    if (!system) {
      const Undefined why = undefined_function(callee.name);
      unsupported(instruction, why.what, why.hint);
    }
    SystemCall call{*system, {}, {}};
    program.facts.ordered |= *system == System::malloc || *system == System::free;
    program.facts.more_inputs = true;
    if (!results.empty()) call.result = {results[0].at, results[0].stride};
    for (size_t i = 0; i < arguments.size() && i < 5; ++i)
      call.argument[i] = {arguments[i].at, arguments[i].stride};
    add("!system", {}, 0, program.system_calls.size());
    program.system_calls.push_back(call);
    close_basic_block(Terminator::fall_through, current_index);
    return;
  }
  shared.calls.push_back({basic_block, callee.name, arguments, results, &function, current_index});
  close_basic_block(Terminator::call, current_index);
}

void FunctionDecoder::count(const Instruction& instruction) {
  Profile& profile = program.basic_blocks.back().profile;
  const InstructionClass kind = class_of(instruction);
  const bool carried =
      // its lanes are counted as it runs
      instruction.guard.reg >= 0 && !is_terminator(instruction);
  profile.instructions += 1;
  profile.kinds[size_t(kind)] += 1;
  profile.branches += instruction.opcode == "bra" || instruction.opcode == "brx";
  profile.barriers += is_terminator(instruction) &&
                      (instruction.opcode == "bar" || instruction.opcode == "barrier");
  const uint32_t float_operations = uint32_t(carried ? 0 : float_operations_of(instruction));
  if (kind == InstructionClass::fp32 || kind == InstructionClass::special)
    profile.fp32_operations += float_operations;
  if (kind == InstructionClass::fp64) profile.fp64_operations += float_operations;
  if (kind == InstructionClass::fp16) profile.fp16_operations += float_operations;
  if (kind == InstructionClass::tensor)
    profile.tensor_operations += tensor_operations_of(instruction);
}

void FunctionDecoder::decode() {
  overwriting = overwriting_stores(function, shared.axes);
  const std::vector<int> starts = leaders();
  allocation = allocate_registers(function, starts);
  frame_bytes = allocation.bytes;
  for (uint32_t& at : allocation.at) at += frame_at;
  for (Columns& columns : allocation.columns) columns.at += frame_at;

  // Parameter blocks of device functions and of calls lie in the frame, a block a lane.
  auto block_of = [&](const ptx::Variable& variable) {
    ParameterBlock block{frame_at + frame_bytes, uint32_t((variable.bytes + 15) / 16 * 16),
                         uint32_t(variable.bytes)};
    if (block.stride == 0) block.stride = 16;
    frame_bytes += block.stride * lanes;
    allocation.columns.push_back({block.at, block.stride, 1});
    parameters[variable.name] = block;
    return block;
  };
  DecodedFunction& decoded = program.functions[index];
  uint64_t local = 0;
  if (function.entry) {
    uint64_t offset = 0;
    for (const ptx::Variable& parameter : function.parameters) {
      const uint64_t align = uint64_t(std::max(1, parameter.align));
      offset = (offset + align - 1) / align * align;
      kernel_parameters[parameter.name] = offset;
      program.facts.parameters.push_back({offset, parameter.bytes});
      offset += parameter.bytes;
    }
    program.facts.parameter_bytes = offset;
  } else {
    for (const ptx::Variable& parameter : function.parameters)
      decoded.parameters.push_back(block_of(parameter));
    for (const ptx::Variable& result : function.returns)
      decoded.results.push_back(block_of(result));
  }
  for (const ptx::Variable& variable : function.variables)
    if (variable.space == ptx::Space::param) block_of(variable);
  std::tie(locals, local) = place_locals(function);
  decoded.local_bytes = (local + 15) / 16 * 16;
  decoded.entry = uint32_t(program.basic_blocks.size());
  if (index == 0 ? uses_stack(program) : takes_stack(function)) begin_stack_frame();

  for (size_t l = 0; l < starts.size(); ++l) {
    decode_line(starts[l], l + 1 < starts.size() ? starts[l + 1] : int(function.body.size()));
  }
  const int size = int(function.body.size());
  bool needs_end = false;
  for (const Fixup& fixup : fixups) needs_end |= fixup.target >= size;
  const BasicBlock& closing = program.basic_blocks.back();
  if (needs_end || closing.terminator != Terminator::ret ||
      closing.predicate != no_operand) {  // labels, lanes at the closing brace
    basic_block_at[size] = uint32_t(program.basic_blocks.size());
    open_basic_block();
    close_basic_block(Terminator::ret, current_index);
  }
  for (const Fixup& fixup : fixups) {
    const uint32_t target = basic_block_at.at(std::min(fixup.target, size));
    BasicBlock& basic_block = program.basic_blocks[fixup.basic_block];
    if (fixup.which < 0)
      basic_block.target = target;
    else
      basic_block.targets[size_t(fixup.which)] = target;
    basic_block.back_edge |= target <= fixup.basic_block;
  }
  program.functions[index].frame_at = frame_at;
  program.functions[index].frame_bytes = (frame_bytes + 63) / 64 * 64;
  program.functions[index].columns = allocation.columns;
  for (size_t reg = 0; reg < allocation.at.size(); ++reg)
    program.functions[index].registers.push_back(
        {allocation.at[reg], uint32_t(register_bytes(int(reg))), 1});
  for (const uint32_t reg : allocation.unset)
    program.unset.push_back({allocation.at[reg], uint32_t(register_bytes(int(reg))), 1});
  for (const auto& [bytes, pool] : temporaries) {
    for (const uint32_t at : pool)
      program.functions[index].temporaries.push_back({at, uint32_t(bytes), 1});
  }
}

}  // namespace headroom::sim
