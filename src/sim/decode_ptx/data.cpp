#include <algorithm>
#include <stdexcept>

#include "sim/check/marks.h"
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

void FunctionDecoder::add(const Row& row, const std::vector<uint32_t>& operands, int64_t offset,
                          uint64_t extra) {
  std::optional<Operation> operation = row_operation(row, operands);
  if (!operation) unsupported(*current, "too many operands");
  operation->instruction = current_index;
  operation->offset = offset;
  operation->extra = extra;
  program.operations.push_back(*operation);
}

void FunctionDecoder::add(std::string_view spelling, const std::vector<uint32_t>& operands,
                          int64_t offset, uint64_t extra) {
  const Row* row = find_row(spelling, int(operands.size()));
  if (!row) unsupported(*current, "not executed yet (no row '" + std::string(spelling) + "')");
  add(*row, operands, offset, extra);
}

bool FunctionDecoder::decode_row(const Instruction& instruction, const std::string& spelling) {
  const std::vector<const Operand*> operands = flat(instruction);
  const bool carries_in =
      instruction.opcode == "addc" || instruction.opcode == "subc" || instruction.opcode == "madc";
  const bool carries_out = instruction.has(".cc");
  const Row* row = find_row(spelling, int(operands.size()) + carries_in + carries_out);
  if (!row) return false;
  std::vector<uint32_t> at(row->count);
  const size_t from_source = size_t(row->outs) - carries_out;
  size_t n = 0;
  for (size_t o = from_source; o < operands.size(); ++o) {
    at[row->outs + n] = input(*operands[o], row->sort[row->outs + n]);
    ++n;
  }
  if (carries_in) at[row->outs + n] = carry_flag();
  for (size_t o = 0; o < from_source; ++o) at[o] = output(*operands[o], row->sort[o]);
  if (carries_out) at[from_source] = carry_flag();
  add(*row, at);
  finish_outputs();
  return true;
}

uint32_t FunctionDecoder::carry_flag() {  // CC.CF: one hidden predicate of the function
  if (!carry) {
    frame_bytes = (frame_bytes + 63) / 64 * 64;
    carry = operand_at(Area::frame, frame_at + frame_bytes);
    allocation.columns.push_back({frame_at + frame_bytes, 0, 1});
    frame_bytes += warp_register_bytes(0);
  }
  return *carry;
}

void FunctionDecoder::decode_mov(const Instruction& instruction) {
  const Operand& to = instruction.operands.at(0);
  const Operand& from = instruction.operands.at(1);
  const int bytes = size_of(instruction.type());
  for (const Operand* operand : {&to, &from})
    if (operand->kind == Kind::list && operand->items.empty())
      unsupported(instruction, "a vector of nothing");
  auto pieces = [&](const Operand& list, const char* name) {
    return "!" + std::string(name) + std::to_string(bytes) + "x" +
           std::to_string(bytes / int(list.items.size()));
  };
  if (from.kind == Kind::list) {
    const int piece = bytes / int(from.items.size());
    std::vector<uint32_t> operands = {output(to, bytes)};
    for (const Operand& item : from.items) operands.push_back(input(item, piece));
    add(pieces(from, "pack"), operands);
  } else if (to.kind == Kind::list) {
    const int piece = bytes / int(to.items.size());
    std::vector<uint32_t> operands;
    for (const Operand& item : to.items) operands.push_back(output(item, piece));
    operands.push_back(input(from, bytes));
    add(pieces(to, "unpack"), operands);
  } else if (instruction.type() == ptx::Type::pred) {
    const uint32_t source = input(from, 0);
    add("mov.pred", {output(to, 0), source});
  } else {
    const uint32_t source = input(from, bytes);
    add("!mov" + std::to_string(bytes), {output(to, bytes), source});
  }
  finish_outputs();
}

namespace {

// Where a space's generic addresses begin; 0: they are device memory's own.
uint64_t window_of(const ptx::Instruction& instruction) {
  for (const char* shared : {".shared", ".shared::cta", ".shared::cluster"}) {
    if (instruction.has(shared)) return shared_window;
  }
  if (instruction.has(".local")) return local_window;
  return instruction.has(".param") || instruction.has(".param::entry") ? param_window : 0;
}

}  // namespace

// cvta.space d, a: into generic; cvta.to.space d, a: out of it. Device memory is generic already.
void FunctionDecoder::decode_cvta(const Instruction& instruction) {
  const int bytes = size_of(instruction.type());
  const bool to = instruction.has(".to");
  const uint64_t window = window_of(instruction);
  const uint32_t from = input(instruction.operands.at(1), bytes),
                 result = output(instruction.operands.at(0), bytes);
  if (window == 0) {
    add("!mov" + std::to_string(bytes), {result, from});
  } else {
    if (bytes != 8) unsupported(instruction, "generic addresses are 64 bits wide");
    add("add.u64", {result, from, shared.constant(to ? 0 - window : window, 8)});
  }
  finish_outputs();
}

// Is an address inside one of the module's constant variables?
uint32_t FunctionDecoder::in_constants(uint32_t address) {
  const uint32_t from_start = temporary(8), inside = temporary(0), any = temporary(0);
  add("mov.pred", {any, shared.constant(0, 0)});
  for (const ptx::Variable& variable : program.module.module->variables) {
    if (variable.space != ptx::Space::constant || variable.bytes == 0) continue;
    const uint64_t begin = program.module.addresses.at(variable.name);
    add("sub.u64", {from_start, address, shared.constant(begin, 8)});
    add("setp.lt.u64", {inside, from_start, shared.constant(variable.bytes, 8)});
    add("or.pred", {any, any, inside});
  }
  return any;
}

// What a policy says about caches changes no result: any value will do.
void FunctionDecoder::decode_policy(const Instruction& instruction) {
  add("!mov8", {output(instruction.operands.at(0), 8), shared.constant(0, 8)});
  finish_outputs();
}

void FunctionDecoder::decode_isspacep(const Instruction& instruction) {
  const uint32_t address = input(instruction.operands.at(1), 8);
  const uint32_t result = output(instruction.operands.at(0), 0);
  if (instruction.has(".const")) return add("mov.pred", {result, in_constants(address)});
  if (instruction.has(".global")) {  // what is constant lies in device memory too
    const uint32_t device = temporary(0), elsewhere = temporary(0);
    add("!isspace", {device, address}, 0, 0);
    add("not.pred", {elsewhere, in_constants(address)});
    return add("and.pred", {result, device, elsewhere});
  }
  add("!isspace", {result, address}, 0, window_of(instruction));
}

// What it orders is ordered here anyway, or it waits for lanes, which the start of the basic block
// does.
void FunctionDecoder::decode_nothing(const Instruction&) {}

// The same, of which a Checker wants to know.
void FunctionDecoder::decode_fence(const Instruction& instruction) {
  if (!shared.watched) return;
  const Handler mark = instruction.opcode != "bar" ? &check::mark_fence : &check::mark_warp_sync;
  add(Row{mark, mark}, {});
}

// Opcodes whose operations are not those of one row.
FunctionDecoder::Decode FunctionDecoder::special_decode(const Instruction& instruction) {
  static const std::unordered_map<std::string_view, Decode> table = {
      {"mov", &FunctionDecoder::decode_mov},
      {"setp", &FunctionDecoder::decode_setp},
      {"set", &FunctionDecoder::decode_set},
      {"lop3", &FunctionDecoder::decode_lop3},
      {"cvt", &FunctionDecoder::decode_cvt},
      {"cvta", &FunctionDecoder::decode_cvta},
      {"isspacep", &FunctionDecoder::decode_isspacep},
      {"ld", &FunctionDecoder::decode_load},
      {"ldu", &FunctionDecoder::decode_load},
      {"st", &FunctionDecoder::decode_store},
      {"atom", &FunctionDecoder::decode_atomic},
      {"red", &FunctionDecoder::decode_atomic},
      {"mma", &FunctionDecoder::decode_mma},
      {"wmma", &FunctionDecoder::decode_wmma},
      {"wgmma", &FunctionDecoder::decode_wgmma},
      {"ldmatrix", &FunctionDecoder::decode_rows},
      {"stmatrix", &FunctionDecoder::decode_rows},
      {"cp", &FunctionDecoder::decode_copy},
      {"mbarrier", &FunctionDecoder::decode_mbarrier},
      {"tensormap", &FunctionDecoder::decode_tensor_map},
      {"createpolicy", &FunctionDecoder::decode_policy},
      {"setmaxnreg", &FunctionDecoder::decode_nothing},
      {"alloca", &FunctionDecoder::decode_stack},
      {"stacksave", &FunctionDecoder::decode_stack},
      {"stackrestore", &FunctionDecoder::decode_stack},
      {"tex", &FunctionDecoder::decode_texture},
      {"tld4", &FunctionDecoder::decode_texture},
      {"txq", &FunctionDecoder::decode_texture_query},
      {"suq", &FunctionDecoder::decode_texture_query},
      {"suld", &FunctionDecoder::decode_surface},
      {"sust", &FunctionDecoder::decode_surface},
      {"sured", &FunctionDecoder::decode_surface},
      {"bar", &FunctionDecoder::decode_fence},
      {"barrier", &FunctionDecoder::decode_cluster_arrive},
      {"mapa", &FunctionDecoder::decode_mapa},
      {"getctarank", &FunctionDecoder::decode_getctarank},
      {"membar", &FunctionDecoder::decode_fence},
      {"fence", &FunctionDecoder::decode_fence},
      {"prefetch", &FunctionDecoder::decode_nothing},
      {"prefetchu", &FunctionDecoder::decode_nothing},
      {"discard", &FunctionDecoder::decode_nothing},
      {"applypriority", &FunctionDecoder::decode_nothing},
      {"nanosleep", &FunctionDecoder::decode_nothing},
      {"pmevent", &FunctionDecoder::decode_nothing},
      {"brkpt", &FunctionDecoder::decode_nothing},
      {"griddepcontrol", &FunctionDecoder::decode_nothing},
  };
  const auto found = table.find(instruction.opcode);
  if (found != table.end()) return found->second;
  const bool video = instruction.form && instruction.form->section.starts_with("9.7.18.");
  return video ? &FunctionDecoder::decode_video : nullptr;
}

// Where the guard lies; a copy of it where the instruction writes it, maybe before its last
// operation.
uint32_t FunctionDecoder::guard_operand(const Instruction& instruction) {
  const int reg = instruction.guard.reg;
  if (reg < 0) return no_operand;
  auto is_guard = [&](const Operand& operand) {
    return operand.kind == Kind::reg && operand.reg == reg;
  };
  const auto outs = instruction.operands.begin() + written_operands(instruction);
  const bool written = std::any_of(instruction.operands.begin(), outs, [&](const Operand& operand) {
    return is_guard(operand) || std::any_of(operand.items.begin(), operand.items.end(), is_guard);
  });
  if (!written) return register_operand(reg);
  const uint32_t copy = temporary(0);
  add("mov.pred", {copy, register_operand(reg)});
  return copy;
}

void FunctionDecoder::decode_instruction(const Instruction& instruction) {
  if (!instruction.form) unsupported(instruction, "no such instruction in PTX 9.0");
  const uint32_t guard = guard_operand(instruction);
  const size_t first = program.operations.size();
  if (const Decode special = special_decode(instruction)) {
    try {
      (this->*special)(instruction);
    } catch (const std::out_of_range&) {  // an operand that is not there
      unsupported(instruction, "it has fewer operands than it needs");
    }
  } else if (!decode_row(instruction, instruction.spelled())) {
    unsupported(instruction, "the emulator has no meaning for this form yet");
  }
  if (guard == no_operand) return;
  // Behind a guard: each operation runs for the lanes whose predicate holds. Operations that only
  // prepare temporaries may run for all lanes that are here, but not writing is the point, so all
  // of them are guarded.
  for (size_t o = first; o < program.operations.size(); ++o) {
    Operation& operation = program.operations[o];
    if (operation.guard != no_operand) continue;  // by a predicate that takes this one in
    operation.chains = false;
    operation.guard = guard;
    operation.guard_negated = instruction.guard.negated;
    const bool last = o + 1 == program.operations.size();  // counted once
    operation.kind = class_of(instruction);
    operation.float_operations = uint8_t(last ? float_operations_of(instruction) : 0);
  }
}

}  // namespace headroom::sim
