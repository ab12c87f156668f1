// Loads and stores of every space, and constants at an address.
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

struct Width {
  int bytes = 4;  // of memory, in all
  bool is_signed = false;
};

Width width_of(const sass::Instruction& instruction) {
  Width width;
  for (const std::string_view modifier : instruction.modifiers) {
    if (modifier == ".U8") width.bytes = 1;
    if (modifier == ".S8") width = {1, true};
    if (modifier == ".U16") width.bytes = 2;
    if (modifier == ".S16") width = {2, true};
    if (modifier == ".64") width.bytes = 8;
    if (modifier == ".128") width.bytes = 16;
  }
  return width;
}

const sass::Operand& memory_of(const sass::Instruction& instruction) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::memory) return operand;
  return instruction.operands.front();
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::memory_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"LDG", &M::decode_ldg},  {"LD", &M::decode_ldg},    {"STG", &M::decode_stg},
      {"ST", &M::decode_stg},   {"LDS", &M::decode_lds},   {"STS", &M::decode_sts},
      {"LDL", &M::decode_ldl},  {"STL", &M::decode_stl},   {"LDC", &M::decode_ldc},
      {"ULDC", &M::decode_ldc}, {"QSPC", &M::decode_qspc},
  };
  return entries;
}

void MachineDecoder::memory_operation(const Address& address, Use use, int bytes, Handler move,
                                      const std::vector<uint32_t>& data) {
  if (!move) unsupported("no such access: width and registers do not go together");
  std::optional<Operation> operation = access_operation(address, use, bytes, move, data);
  if (!operation) unsupported("too many operands");
  operation->site = program.sites++;
  operation->instruction = current_index;
  program.operations.push_back(*operation);
}

// desc[UR4][R2.64+UR6+0x10]: the register is a pair where it says .64, and else 32 bits that are
// added to the uniform pair.
Address MachineDecoder::global_address(const Operand& operand, Place place) {
  const bool has_base = operand.base != sass::zero_register,
             has_uniform = operand.uniform != sass::zero_uniform;
  Operand base, uniform_base;
  base.index = operand.base;
  uniform_base.kind = Kind::uniform;
  uniform_base.index = operand.uniform;
  // `wide` is of the base, or of the uniform register where there is no base.
  uint32_t at;
  if (has_base && operand.wide) {
    at = wide(reg(operand.base), reg(operand.base + 1));
  } else if (has_base) {
    at = wide(reg(operand.base), constant(0, 4));
  } else {
    at = constant(0, 8);
  }
  if (has_uniform) {
    const uint32_t high =
        operand.wide || has_base ? uniform_reg(operand.uniform + 1) : constant(0, 4);
    const uint32_t sum = wide(uniform_reg(operand.uniform), high);
    if (has_base) {
      const uint32_t all = temporary(8);
      add("add.u64", {all, at, sum});
      at = all;
    } else {
      at = sum;
    }
  }
  if (place == Place::generic) {
    if (operand.value) {
      const uint32_t sum = temporary(8);
      add("add.u64", {sum, at, constant(uint64_t(operand.value), 8)});
      return {place, generic(sum), true, 0};
    }
    return {place, generic(at), true, 0};
  }
  return {place, at, true, operand.value};
}

uint32_t MachineDecoder::generic(uint32_t address) {
  if (program.code->architecture < 90) return address;
  const uint32_t own = temporary(8);
  add("!generic", {own, address});
  return own;
}

// Of a block's own memory: on sm_90 the first 1024 bytes are the system's, the upper byte is a rank.
Address MachineDecoder::shared_address(const Operand& operand) {
  const bool is_new = program.code->architecture >= 90;
  uint32_t at = operand.base == sass::zero_register ? constant(0, 4) : reg(operand.base);
  if (operand.scale > 1 && operand.base != sass::zero_register) {
    const uint32_t scaled = temporary(4);
    add("mul.lo.u32", {scaled, at, constant(operand.scale, 4)});
    at = scaled;
  }
  if (operand.uniform != sass::zero_uniform) {
    const uint32_t sum = temporary(4);
    add("add.u32", {sum, at, uniform_reg(operand.uniform)});
    at = sum;
  }
  if (!is_new) return {Place::shared, at, false, operand.value};
  if (options.clustered) {
    const uint32_t own = temporary(4);
    add("add.u32", {own, at, constant(uint32_t(operand.value - 0x400), 4)});
    add("!own_shared", {own, own});
    return {Place::shared, own, false, 0};
  }
  return {Place::shared, at, false, operand.value - 0x400};
}

Address MachineDecoder::local_address(const Operand& operand) {
  uint32_t at = operand.base == sass::zero_register ? constant(0, 4) : reg(operand.base);
  if (operand.scale > 1) unsupported();
  if (operand.uniform != sass::zero_uniform) {
    const uint32_t sum = temporary(4);
    add("add.u32", {sum, at, uniform_reg(operand.uniform)});
    at = sum;
  }
  return {Place::local, at, false, operand.value};
}

void MachineDecoder::load(const Instruction& instruction, const Address& address,
                          const Operand& to) {
  const Width width = width_of(instruction);
  const int count = width.bytes > 4 ? width.bytes / 4 : 1, each = std::min(width.bytes, 4);
  std::vector<uint32_t> data;
  for (int n = 0; n < count; ++n) data.push_back(out_at(to, uint32_t(n)));
  memory_operation(address, Use::load, width.bytes, engine().load(each, width.is_signed, 4, count),
                   data);
}

void MachineDecoder::store(const Instruction& instruction, const Address& address,
                           const Operand& from) {
  const Width width = width_of(instruction);
  const int count = width.bytes > 4 ? width.bytes / 4 : 1, each = std::min(width.bytes, 4);
  std::vector<uint32_t> data;
  for (int n = 0; n < count; ++n) data.push_back(word_at(from, uint32_t(n)));
  memory_operation(address, Use::store, width.bytes, engine().store(each, 4, count), data);
}

// [p,] d, address[, q]. p: whether the address is legal, of speculative loads; q: run them so.
void MachineDecoder::decode_ldg(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const bool global = instruction.opcode == "LDG";
  const Operand* to = nullptr;
  for (const Operand& operand : o) {
    if (operand.kind == Kind::reg && !to) to = &operand;
    if (operand.kind == Kind::predicate && (!is_true(operand) || operand.inverted)) unsupported();
  }
  if (!to) unsupported();
  load(instruction, global_address(memory_of(instruction), global ? Place::global : Place::generic),
       *to);
}

void MachineDecoder::decode_stg(const Instruction& instruction) {
  const bool global = instruction.opcode == "STG";
  store(instruction,
        global_address(memory_of(instruction), global ? Place::global : Place::generic),
        instruction.operands.at(1));
}

void MachineDecoder::decode_lds(const Instruction& instruction) {
  load(instruction, shared_address(memory_of(instruction)), instruction.operands.at(0));
}
void MachineDecoder::decode_sts(const Instruction& instruction) {
  store(instruction, shared_address(memory_of(instruction)), instruction.operands.at(1));
}
void MachineDecoder::decode_ldl(const Instruction& instruction) {
  load(instruction, local_address(memory_of(instruction)), instruction.operands.at(0));
}
void MachineDecoder::decode_stl(const Instruction& instruction) {
  store(instruction, local_address(memory_of(instruction)), instruction.operands.at(1));
}

// LDC d, c[bank][register + offset]
void MachineDecoder::decode_ldc(const Instruction& instruction) {
  const Operand &to = instruction.operands.at(0), &from = instruction.operands.at(1);
  if (instruction.has(".IL") || instruction.has(".IS") || instruction.has(".ISL")) unsupported();
  const Width width = width_of(instruction);
  const bool by_register = from.base != sass::zero_register,
             by_uniform = from.uniform != sass::zero_uniform;
  if (!by_register && !by_uniform && width.bytes >= 4) {
    for (int n = 0; n < width.bytes / 4; ++n) {
      const uint32_t at = launch_constant(from.index, uint64_t(from.value) + 4u * uint32_t(n), 4);
      add("!mov4", {out_at(to, uint32_t(n)), at});
    }
    return;
  }
  const uint32_t at = by_register  ? reg(from.base)
                      : by_uniform ? uniform_reg(from.uniform)
                                   : constant(0, 4);
  const uint64_t bank = bank_at(from.index, 0, 0);
  if (!uniform)
    return load(instruction, {Place::parameter, at, false, from.value + int64_t(bank)}, to);
  // The uniform datapath: what the first lane reads.
  const int count = std::max(1, width.bytes / 4);
  std::vector<uint32_t> data;
  for (int n = 0; n < count; ++n) data.push_back(temporary(4));
  memory_operation({Place::parameter, at, false, from.value + int64_t(bank)}, Use::load,
                   width.bytes, engine().load(std::min(width.bytes, 4), width.is_signed, 4, count),
                   data);
  for (int n = 0; n < count; ++n) {
    uniform = false;
    add("!uniform", {out_at(to, uint32_t(n)), data[size_t(n)]});
    uniform = true;
  }
}

// p, d, address: which space a generic address means
void MachineDecoder::decode_qspc(const Instruction& instruction) {
  const auto& o = instruction.operands;
  const Operand& where = memory_of(instruction);
  if (where.base != sass::zero_register && where.uniform != sass::zero_uniform) unsupported();
  uint32_t at = constant(0, 8);
  if (where.base != sass::zero_register) at = wide(reg(where.base), reg(where.base + 1));
  if (where.uniform != sass::zero_uniform)
    at = wide(uniform_reg(where.uniform), uniform_reg(where.uniform + 1));
  if (where.value) {
    const uint32_t sum = temporary(8);
    add("add.u64", {sum, at, constant(uint64_t(where.value), 8)});
    at = sum;
  }
  const uint64_t window = instruction.has(".L")   ? local_window
                          : instruction.has(".G") ? 0
                                                  : shared_window;
  if (instruction.has(".D") || instruction.has(".S")) at = generic(at);
  if (instruction.has(".D")) return add("!isspace", {out_flag(o.at(0)), at}, 0, shared_window);
  add("!isspace", {out_flag(o.at(0)), at}, 0, window);
}

}  // namespace headroom::sim
