// Straight lines and their ends. Reconvergence is the machine's own: BSSY names the lanes that a
// barrier waits for, BSYNC is where they come together, BREAK lets lanes out.
#include <algorithm>

#include "sass/print.h"
#include "sim/check/marks.h"
#include "sim/cluster.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/instruction_class.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

const sass::Operand* label_of(const sass::Instruction& instruction) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::label) return &operand;
  return nullptr;
}

bool is_one_of(std::string_view opcode, std::initializer_list<std::string_view> opcodes) {
  return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::flow_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"BSSY", &M::decode_bssy},
      {"BREAK", &M::decode_break},
      {"BMOV", &M::decode_bmov},
      {"BSYNC", &M::decode_nothing},
      {"ENDCOLLECTIVE", &M::decode_nothing},
      {"YIELD", &M::decode_nothing},
      {"LEPC", &M::decode_lepc},
      {"B2R", &M::decode_barrier_result},
      {"BPT", &M::decode_nothing},
      {"NANOSLEEP", &M::decode_nothing},
      {"PMTRIG", &M::decode_nothing},
      {"ERRBAR", &M::decode_nothing},
      {"CGAERRBAR", &M::decode_nothing},
      {"CCTLL", &M::decode_nothing},
      {"ACQBULK", &M::decode_nothing},
      {"PREEXIT", &M::decode_nothing},
      {"USETMAXREG", &M::decode_setmaxreg},
  };
  return entries;
}

bool MachineDecoder::starts_line(const Instruction& instruction) const {
  return is_one_of(instruction.opcode, {"BSYNC", "WARPSYNC"});
}

bool MachineDecoder::ends_line(const Instruction& instruction) const {
  return is_one_of(instruction.opcode,
                   {"BRA", "BRX", "BRXU", "JMP", "JMX", "EXIT", "RET", "CALL", "BAR", "BPT",
                    "BREAK", "UCGABAR_WAIT", "WARPGROUP", "NANOSLEEP"}) &&
         !(instruction.opcode == "WARPGROUP" && !instruction.has(".DEPBAR"));
}

// By instruction: a straight line begins with it.
std::vector<bool> MachineDecoder::leaders() const {
  std::vector<bool> starts(function.instructions.size() + 1);
  starts[0] = true;
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    if (starts_line(instruction) || overwrites(instruction)) starts[i] = true;
    if (ends_line(instruction)) starts[i + 1] = true;
    const Operand* label = label_of(instruction);
    if (label && label->value >= 0 &&
        uint64_t(label->value) / sass::instruction_bytes < function.instructions.size())
      starts[uint64_t(label->value) / sass::instruction_bytes] = true;
    // Return addresses and targets of jumps through a register: any instruction behind a call or
    // that a constant names. Every instruction whose offset is an immediate may be one.
    for (const Operand& operand : instruction.operands) {
      if (operand.kind == Kind::immediate && operand.value > 0 &&
          operand.value % int64_t(sass::instruction_bytes) == 0 &&
          uint64_t(operand.value) / sass::instruction_bytes < function.instructions.size() &&
          is_one_of(instruction.opcode, {"MOV", "IMAD", "UMOV", "LEPC"}))
        starts[uint64_t(operand.value) / sass::instruction_bytes] = true;
    }
  }
  for (const sass::BasicBlock& block : function.blocks) starts[block.first] = true;
  for (const sass::Symbol& symbol : function.symbols)
    if (symbol.offset / sass::instruction_bytes < starts.size())
      starts[symbol.offset / sass::instruction_bytes] = true;
  return starts;
}

void MachineDecoder::open_basic_block() {
  BasicBlock basic_block;
  basic_block.first = uint32_t(program.operations.size());
  basic_block.instruction = uint32_t(program.instructions.size());
  program.basic_blocks.push_back(basic_block);
}

void MachineDecoder::close_basic_block(Terminator terminator, uint64_t target) {
  BasicBlock& basic_block = program.basic_blocks.back();
  const uint32_t index = uint32_t(program.basic_blocks.size() - 1);
  basic_block.last = uint32_t(program.operations.size());
  chain_operations(program, basic_block);
  basic_block.terminator = terminator;
  basic_block.instruction = current_index;
  basic_block.next = index + 1;
  if (terminator == Terminator::jump || terminator == Terminator::branch)
    jumps.push_back({index, target});
}

// A line whose operations go to the end of the engine's chain.
void MachineDecoder::decode_line(uint32_t first, uint32_t last) {
  block_of[first] = uint32_t(program.basic_blocks.size());
  program.block_at[address_of(first * sass::instruction_bytes)] = block_of[first];
  if (overwrites(function.instructions[first])) end_turn();
  open_basic_block();
  port.forget();
  bool ended = false;
  for (uint32_t i = first; i < last; ++i) {
    const Instruction& instruction = function.instructions[i];
    current = &instruction;
    current_index = uint32_t(program.instructions.size());
    program.instructions.push_back({nullptr, i, &function});
    temporaries_used.clear();
    if (i == first) check_members(instruction);
    count(instruction);
    if (i == first) decode_start(instruction);
    if (i + 1 == last && ends_line(instruction)) {
      ended = decode_terminator(instruction);
      if (ended) continue;
    }
    decode_instruction(instruction);
  }
  if (!ended) close_basic_block(Terminator::fall_through);
}

// A mask that a thread gives is looked at before anybody waits: in a line of its own.
void MachineDecoder::check_members(const Instruction& instruction) {
  if (instruction.opcode != "WARPSYNC" || instruction.guarded) return;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Kind::reg) continue;
    add("!member", {word(operand)});
    close_basic_block(Terminator::fall_through);
    open_basic_block();
  }
}

// What the lanes wait for before the line's first instruction.
void MachineDecoder::decode_start(const Instruction& instruction) {
  BasicBlock& basic_block = program.basic_blocks.back();
  if (instruction.opcode != "BSYNC" && instruction.opcode != "WARPSYNC") return;
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Kind::predicate && (!is_true(operand) || operand.inverted)) unsupported();
  if (instruction.opcode == "BSYNC") {
    if (instruction.guarded) unsupported();
    for (const Operand& operand : instruction.operands)
      if (operand.kind == Kind::barrier) basic_block.members = barrier_reg(operand.index);
    basic_block.converges = true;
  }
  if (instruction.opcode != "WARPSYNC" || instruction.guarded) return;
  basic_block.members = constant(all_lanes, 4);
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Kind::reg || operand.kind == Kind::immediate)
      basic_block.members = word(operand);
    // What follows speaks of those that run: votes, REDUX into a uniform register.
    basic_block.by_teams |= operand.kind == Kind::reg &&
                            (instruction.has(".EXCLUSIVE") || instruction.has(".COLLECTIVE"));
  }
}

// The lanes that a branch takes: by its guard, and by its predicate operand.
uint32_t MachineDecoder::condition(const Instruction& instruction) {
  uint32_t all = no_operand;
  const auto also = [&](const Operand& operand) {
    if (is_true(operand) && !operand.inverted) return;
    const uint32_t holds = flag(operand);
    if (all == no_operand) {
      all = holds;
      return;
    }
    const uint32_t both = temporary(0);
    add("and.pred", {both, all, holds});
    all = both;
  };
  if (instruction.guarded) also(instruction.guard);
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Kind::predicate || operand.kind == Kind::uniform_predicate) also(operand);
  return all;
}

// Of the lanes in `all`, or of all that run: those to send the slow way of an instruction that is of
// a whole mask, where somebody whom the mask names is not among them. BRA.DIV.
uint32_t MachineDecoder::diverged(const Operand& mask, uint32_t all) {
  const bool names_all = mask.kind == Kind::label;  // sm_75 has no mask there
  uint32_t named = names_all ? constant(all_lanes, 4) : word_at(mask, 0);
  if (mask.inverted) {
    const uint32_t inverse = temporary(4);
    add("not.b32", {inverse, named});
    named = inverse;
  }
  const uint32_t apart = temporary(0);
  add("!diverged", {apart, named, all == no_operand ? constant(all_lanes, 0) : all});
  return apart;
}

void MachineDecoder::end_branch(const Instruction& instruction) {
  const Operand* label = label_of(instruction);
  uint32_t taken = condition(instruction);
  const bool if_converged = instruction.has(".CONV");
  if (!label) unsupported();
  const uint32_t guard = taken;
  if (instruction.has(".DIV") || if_converged)
    taken = diverged(instruction.operands.front(), guard);
  if (if_converged && guard != no_operand) {  // those that pass, where all named are among them
    const uint32_t together = temporary(0), both = temporary(0);
    add("not.pred", {together, taken});
    add("and.pred", {both, together, guard});
    taken = both;
  }
  program.basic_blocks.back().negated = if_converged && guard == no_operand;
  // Together, or not: where one lane would, and where all would. What follows a .U has one uniform register for all
  // lanes, so that those that would have gone alone go on with the others, to a branch of their own.
  const bool if_any = instruction.has(".ANY");
  if ((if_any || instruction.has(".U")) && taken != no_operand) {
    const uint32_t together = temporary(0);
    add(if_any ? "vote.sync.any.pred" : "vote.sync.all.pred",
        {together, taken, constant(all_lanes, 4)});
    taken = together;
  }
  program.basic_blocks.back().predicate = taken;
  close_basic_block(taken == no_operand ? Terminator::jump : Terminator::branch,
                    uint64_t(label->value));
}

// Lanes whose guard fails go round the instruction, to the next line.
void MachineDecoder::go_round(const Instruction& instruction) {
  const uint64_t next = uint64_t(current - function.instructions.data()) + 1;
  BasicBlock& around = program.basic_blocks.back();
  around.predicate = row_of(instruction.guard);
  around.negated = !instruction.guard.inverted;
  close_basic_block(Terminator::branch, next * sass::instruction_bytes);
  open_basic_block();
}

// Jumps, calls and returns through a register: 64 bits, from the beginning of the section (.REL),
// of the next instruction (BRX), or an address of code (.ABS).
void MachineDecoder::end_indirect(const Instruction& instruction) {
  const Operand* reg = nullptr;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Kind::reg || operand.kind == Kind::uniform) reg = &operand;
    if (operand.kind == Kind::predicate && (!is_true(operand) || operand.inverted)) unsupported();
  }
  if (!reg) unsupported();
  int64_t from = 0;
  if (instruction.opcode == "BRX" || instruction.opcode == "BRXU") {
    from = int64_t(address_of((uint64_t(current - function.instructions.data()) + 1) *
                              sass::instruction_bytes)) +
           instruction.operands.back().value;
  } else if (instruction.has(".REL")) {
    const Operand* label = label_of(instruction);
    from = int64_t(address_of(0)) + (label ? label->value : 0);
  } else if (instruction.operands.back().kind == Kind::immediate) {
    from = instruction.operands.back().value;
  }
  const uint32_t to = temporary(8);
  add("add.s64", {to, pair(*reg), constant(uint64_t(from), 8)});
  program.basic_blocks.back().predicate = to;
  close_basic_block(Terminator::indirect);
}

// False: it is an instruction like others.
bool MachineDecoder::decode_terminator(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  const bool never =
      instruction.guarded && is_true(instruction.guard) && instruction.guard.inverted;
  uniform = false;
  if (never || opcode == "BREAK" || opcode == "NANOSLEEP") return false;
  const bool branches =
      opcode == "BRA" || opcode == "EXIT" ||
      (opcode == "CALL" && label_of(instruction) && instruction.operands.front().kind != Kind::reg);
  if (instruction.guarded && !is_true(instruction.guard) && !branches) go_round(instruction);
  if (opcode == "EXIT") {
    program.basic_blocks.back().predicate = condition(instruction);
    close_basic_block(Terminator::exit);
  } else if (branches) {
    end_branch(instruction);
  } else if (opcode == "CALL" && instruction.has(".ABS") &&
             instruction.operands.back().kind == Kind::immediate) {
    end_call(instruction);
  } else if (opcode == "BAR") {
    end_barrier(instruction);
  } else if (opcode == "UCGABAR_WAIT") {
    program.basic_blocks.back().barrier = constant(cluster_barrier, 4);
    close_basic_block(Terminator::barrier);
  } else if (opcode == "WARPGROUP") {  // .DEPBAR, wgmma.wait_group
    for (const Operand& operand : instruction.operands)
      if (operand.kind == Kind::immediate) mark(&check::mark_product_wait, uint64_t(operand.value));
    program.basic_blocks.back().warpgroup = true;
    close_basic_block(Terminator::barrier);
  } else if (opcode == "BPT") {
    close_basic_block(Terminator::trap);
  } else {
    end_indirect(instruction);
  }
  return true;
}

void MachineDecoder::connect() {
  for (const Jump& jump : jumps) {
    const uint64_t index = jump.target / sass::instruction_bytes;
    BasicBlock& basic_block = program.basic_blocks[jump.basic_block];
    if (jump.target % sass::instruction_bytes || index >= block_of.size() ||
        block_of[index] == no_operand) {
      current = nullptr;
      unsupported("a branch to where no instruction is");
    }
    basic_block.target = block_of[index];
    basic_block.back_edge = basic_block.target <= jump.basic_block;
  }
  for (BasicBlock& basic_block : program.basic_blocks)
    basic_block.back_edge |= basic_block.terminator == Terminator::indirect;
}

void MachineDecoder::decode_nothing(const Instruction&) {}

// UP0: the registers are there
void MachineDecoder::decode_setmaxreg(const Instruction& instruction) {
  const Operand& granted = instruction.operands.front();
  if (granted.kind == Kind::uniform_predicate && !is_true(granted))
    add("mov.pred", {out_flag(granted), constant(all_lanes, 0)});
}

void MachineDecoder::decode_bssy(const Instruction& instruction) {
  add("!bssy", {barrier_reg(instruction.operands.at(0).index)});
}

void MachineDecoder::decode_break(const Instruction& instruction) {
  const size_t first = program.operations.size();
  const Operand& also = instruction.operands.at(1);
  const bool by_guard_alone = is_true(also) && !also.inverted;
  const uint32_t leaving = by_guard_alone ? no_operand : condition(instruction);
  for (size_t o = first; o < program.operations.size(); ++o) {
    program.operations[o].chains = false;
    program.operations[o].guard = constant(~0u, 0);
  }
  add("!break", {barrier_reg(instruction.operands.at(0).index)});
  program.operations.back().guard = leaving;
}

void MachineDecoder::decode_bmov(const Instruction& instruction) {
  const Operand& to = instruction.operands.at(0);
  const Operand& from = instruction.operands.at(1);
  if (to.kind == Kind::barrier) return add("!mov4", {barrier_reg(to.index), word(from)});
  add("!mov4", {out(to), barrier_reg(from.index)});
  if (instruction.has(".CLEAR")) add("!mov4", {barrier_reg(from.index), constant(0, 4)});
}

void MachineDecoder::decode_lepc(const Instruction& instruction) {
  const Operand* label = nullptr;
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Kind::label) label = &operand;
  const uint64_t own = uint64_t(current - function.instructions.data()) * sass::instruction_bytes;
  const uint64_t offset = label ? uint64_t(label->value) : own;
  add("!mov8", {out_pair(instruction.operands.at(0)), constant(address_of(offset), 8)});
}

}  // namespace headroom::sim
