#include <algorithm>
#include <bit>

#include "sim/cluster.h"
#include "sim/decode/decoder.h"
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
    if (ends_run(function.body[size_t(i)]) && i + 1 < size) starts.insert(i + 1);
    const bool goes_on = i > 0 && is_matrix(function.body[size_t(i)]) &&
                         is_matrix(function.body[size_t(i - 1)]);  // the lanes have met
    if (!starts_run(function.body[size_t(i)]) || goes_on) continue;
    starts.insert(i);
    // Lanes whose guard fails go round it; lanes in a function by several calls do it together.
    if ((function.body[size_t(i)].guard.reg >= 0 || !function.entry) && i + 1 < size)
      starts.insert(i + 1);
  }
  return {starts.begin(), starts.end()};
}

namespace {

// How far a call of each step goes; a chain that reaches the end of the run stops there.
void chain_steps(Program& program, const Run& run) {
  for (std::vector<Step>& steps : program.steps) {
    for (uint32_t s = run.last; s-- > run.first;)
      steps[s].together = 1 + (steps[s].chains && s + 1 < run.last ? steps[s + 1].together : 0);
    if (run.last > run.first && steps[run.last - 1].chains) {
      Step stop{};
      stop.full = stop.part = engine().stop;
      steps.push_back(stop);
    }
  }
}

}  // namespace

Run& FunctionDecoder::open_run() {
  program.runs.emplace_back();
  Run& run = program.runs.back();
  run.first = run.last = uint32_t(program.steps[observed].size());
  run.instruction = current_index;
  return run;
}

void FunctionDecoder::close_run(End end, uint32_t instruction) {
  if (end == End::ret && stack_before) add(Row{&restore_stack, &restore_stack}, {*stack_before});
  Run& run = program.runs.back();
  run.last = uint32_t(program.steps[observed].size());
  chain_steps(program, run);
  run.end = end;
  run.instruction = instruction;
  run.next = uint32_t(program.runs.size());
}

// One straight line: [begin, end) of the body, of which only the last instruction may decide who
// runs next.
void FunctionDecoder::decode_line(int begin, int end) {
  run_at[begin] = uint32_t(program.runs.size());
  open_run();
  bool open = true;
  for (int i = begin; i < end; ++i) {
    const Instruction& instruction = function.body[size_t(i)];
    current = &instruction;
    current_index = uint32_t(program.instructions.size());
    program.instructions.push_back({&function, uint32_t(i)});
    temporaries_used.clear();
    if (i == begin && starts_run(instruction)) {
      if (instruction.guard.reg >= 0) {
        fixups.push_back({uint32_t(program.runs.size() - 1), end, -1});
        go_round(instruction);
      }
      const std::vector<const Operand*> operands = flat(instruction);
      const uint32_t members =
          is_matrix(instruction) ? shared.constant(all_lanes, 4) : input(*operands.back(), 4);
      program.runs.back().members = members;
    }
    if (ends_run(instruction)) {
      end_run(instruction);
      open = false;
    } else {
      count(instruction);
      decode_instruction(instruction);
    }
  }
  if (open) {
    const bool last = end == int(function.body.size());
    close_run(last ? End::ret : End::fall, current_index);  // running off the end returns
  }
}

// Lanes whose guard fails go round: the instruction gets a run of its own.
void FunctionDecoder::go_round(const Instruction& instruction) {
  Run& around = program.runs.back();
  around.predicate = register_operand(instruction.guard.reg);
  around.negated = !instruction.guard.negated;
  close_run(End::branch, current_index);
  open_run();
}

void FunctionDecoder::end_run(const Instruction& instruction) {
  const std::string& op = instruction.opcode;
  const bool by_itself =
      op == "bra" || (op == "ret" && !stack_before) || op == "exit";  // they carry their guard
  const bool goes_round = instruction.guard.reg >= 0 && !by_itself;
  const uint32_t branch = uint32_t(program.runs.size() - 1);
  if (goes_round) go_round(instruction);
  count(instruction);
  if (op == "bra" || op == "brx") {
    end_branch(instruction);
  } else if (op == "call") {
    end_call(instruction);
  } else if (op == "ret" || op == "exit") {
    if (instruction.guard.reg >= 0 && !goes_round) {
      program.runs.back().predicate = register_operand(instruction.guard.reg);
      program.runs.back().negated = instruction.guard.negated;
    }
    close_run(op == "ret" ? End::ret : End::exit, current_index);
  } else if (op == "trap") {
    close_run(End::trap, current_index);
  } else {
    end_barrier(instruction);
  }
  if (goes_round) program.runs[branch].target = uint32_t(program.runs.size());
}

void FunctionDecoder::end_branch(const Instruction& instruction) {
  const uint32_t run = uint32_t(program.runs.size() - 1);
  auto target_of = [&](const std::string& label) {
    const auto found = function.labels.find(label);
    if (found == function.labels.end())
      unsupported(instruction, "no label '" + label + "' in this function");
    return found->second;
  };
  if (instruction.opcode == "bra") {
    if (instruction.guard.reg >= 0) {
      program.runs[run].predicate = register_operand(instruction.guard.reg);
      program.runs[run].negated = instruction.guard.negated;
    }
    fixups.push_back({run, target_of(instruction.operands.at(0).name), -1});
    close_run(instruction.guard.reg >= 0 ? End::branch : End::jump, current_index);
    return;
  }
  const uint32_t selector = input(instruction.operands.at(0), 4);
  const auto list = function.branch_targets.find(instruction.operands.at(1).name);
  if (list == function.branch_targets.end())
    unsupported(instruction, "brx.idx without its .branchtargets list");
  program.runs[run].predicate = selector;
  program.runs[run].targets.resize(list->second.size());
  for (size_t i = 0; i < list->second.size(); ++i)
    fixups.push_back({run, target_of(list->second[i]), int(i)});
  close_run(End::indexed, current_index);
}

// barrier.cluster.wait;  bar.sync a[, b];  bar.arrive a, b;  bar.red.popc.u32 d, a[, b], [!]c;
// bar.red.{and,or}.pred p, a[, b], [!]c
void FunctionDecoder::end_barrier(const Instruction& instruction) {
  if (instruction.opcode == "wgmma") {  // wait_group: what the four warps read is free again
    program.runs.back().warpgroup = true;
    close_run(End::barrier, current_index);
    return;
  }
  const std::vector<Operand>& operands = instruction.operands;
  const bool reduces = instruction.has(".red");
  const size_t first = reduces ? 1 : 0, last = operands.size() - (reduces ? 1 : 0);
  const uint32_t otherwise = instruction.has(".cluster") ? cluster_barrier : 0;
  const uint32_t id = first < last ? input(operands[first], 4) : shared.constant(otherwise, 4);
  const uint32_t threads = first + 1 < last ? input(operands[first + 1], 4) : no_operand;
  Run& run = program.runs.back();
  run.barrier = id;
  run.threads = threads;
  if (reduces) {
    const Operand& predicate = operands.back();
    run.reduce = predicate.kind == Kind::reg ? register_operand(predicate.reg)
                                             : shared.constant(predicate.bits ? ~0u : 0, 0);
    run.reduce_negated = predicate.negated;
  }
  close_run(instruction.has(".arrive") ? End::arrive : End::barrier, current_index);
  if (!reduces) return;
  open_run();  // after the barrier: everybody reads the result
  const bool popc = instruction.has(".popc");
  const uint32_t result = output(operands[0], popc ? 4 : 0);
  add(popc                      ? "!barrier_popc"
      : instruction.has(".and") ? "!barrier_and"
                                : "!barrier_or",
      {result, id});
  finish_outputs();
  close_run(End::fall, current_index);
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
    const uint32_t run = uint32_t(program.runs.size() - 1);
    program.runs[run].predicate = address;
    shared.calls.push_back({run, "", arguments, results, &function, current_index});
    close_run(End::call, current_index);
    return;
  }
  const uint32_t run = uint32_t(program.runs.size() - 1);
  const ptx::Function* target = shared.module.function(callee.name);
  if (!target || !target->defined) {
    const auto system = system_named(callee.name);
    if (!system) {
      const Undefined why = undefined_function(callee.name);
      unsupported(instruction, why.what, why.hint);
    }
    SystemCall call{*system, {}, {}};
    program.facts.ordered |= *system == System::malloc || *system == System::free;
    if (!results.empty()) call.result = {results[0].at, results[0].stride};
    for (size_t i = 0; i < arguments.size() && i < 5; ++i)
      call.argument[i] = {arguments[i].at, arguments[i].stride};
    add("!system", {}, 0, program.system_calls.size());
    program.system_calls.push_back(call);
    close_run(End::fall, current_index);
    return;
  }
  shared.calls.push_back({run, callee.name, arguments, results, &function, current_index});
  close_run(End::call, current_index);
}

void FunctionDecoder::count(const Instruction& instruction) {
  Profile& profile = program.runs.back().profile;
  const Class kind = class_of(instruction);
  const bool carried =
      instruction.guard.reg >= 0 && !ends_run(instruction);  // its lanes are counted as it runs
  profile.instructions += 1;
  profile.kinds[size_t(kind)] += 1;
  profile.branches += instruction.opcode == "bra" || instruction.opcode == "brx";
  profile.barriers +=
      ends_run(instruction) && (instruction.opcode == "bar" || instruction.opcode == "barrier");
  const uint32_t operations = uint32_t(carried ? 0 : operations_of(instruction));
  if (kind == Class::fp32 || kind == Class::special) profile.fp32_operations += operations;
  if (kind == Class::fp64) profile.fp64_operations += operations;
  if (kind == Class::fp16) profile.fp16_operations += operations;
  if (kind == Class::tensor) profile.tensor_operations += tensor_operations_of(instruction);
}

void FunctionDecoder::decode() {
  const std::vector<int> starts = leaders();
  slots = assign_slots(function, starts);
  frame_bytes = slots.bytes;
  for (uint32_t& at : slots.at) at += frame_at;
  for (Columns& columns : slots.columns) columns.at += frame_at;

  // Parameter blocks of device functions and of calls lie in the frame, a block a lane.
  auto block_of = [&](const ptx::Variable& variable) {
    ParameterBlock block{frame_at + frame_bytes, uint32_t((variable.bytes + 15) / 16 * 16),
                         uint32_t(variable.bytes)};
    if (block.stride == 0) block.stride = 16;
    frame_bytes += block.stride * lanes;
    slots.columns.push_back({block.at, block.stride, 1});
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
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space == ptx::Space::param) block_of(variable);
    if (variable.space == ptx::Space::local) {
      const uint64_t align = uint64_t(std::max(1, variable.align));
      local = (local + align - 1) / align * align;
      locals[variable.name] = local;
      local += variable.bytes;
    }
  }
  decoded.local_bytes = (local + 15) / 16 * 16;
  decoded.entry = uint32_t(program.runs.size());
  if (index == 0 ? uses_stack(program) : takes_stack(function)) begin_stack_frame();

  for (size_t l = 0; l < starts.size(); ++l) {
    decode_line(starts[l], l + 1 < starts.size() ? starts[l + 1] : int(function.body.size()));
  }
  const int size = int(function.body.size());
  bool needs_end = false;
  for (const Fixup& fixup : fixups) needs_end |= fixup.target >= size;
  const Run& closing = program.runs.back();
  if (needs_end || closing.end != End::ret ||
      closing.predicate != no_operand) {  // labels, lanes at the closing brace
    run_at[size] = uint32_t(program.runs.size());
    open_run();
    close_run(End::ret, current_index);
  }
  for (const Fixup& fixup : fixups) {
    const uint32_t target = run_at.at(std::min(fixup.target, size));
    Run& run = program.runs[fixup.run];
    if (fixup.which < 0)
      run.target = target;
    else
      run.targets[size_t(fixup.which)] = target;
    run.back_edge |= target <= fixup.run;
  }
  program.functions[index].frame_at = frame_at;
  program.functions[index].frame_bytes = (frame_bytes + 63) / 64 * 64;
  program.functions[index].columns = slots.columns;
}

}  // namespace headroom::sim
