// Operands of machine instructions: registers are rows of 32 lanes of 4 bytes in the frame, 64-bit
// values are joined from two of them, signs are operations of their own.
//
//   -|R4|   !masked t, R4, ~0x80000000, 0x80000000
//   R4.64   !join t, R4, R5
#include <bit>
#include <cstring>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/register_allocation.h"

namespace headroom::sim {

uint32_t MachineDecoder::temporary(int bytes) {
  std::vector<uint32_t>& pool = temporaries[bytes];
  const size_t n = temporaries_used[bytes]++;
  if (n == pool.size()) {
    frame_bytes = (frame_bytes + 63) / 64 * 64;
    pool.push_back(operand_at(Area::frame, frame_bytes));
    frame_bytes += warp_register_bytes(bytes);
  }
  return pool[n];
}

uint32_t MachineDecoder::reg(uint32_t index) const {
  return operand_at(Area::frame, index * warp_register_bytes(4));
}
uint32_t MachineDecoder::uniform_reg(uint32_t index) const {
  return operand_at(Area::frame, uniforms_at + index * warp_register_bytes(4));
}
uint32_t MachineDecoder::barrier_reg(uint32_t index) const {
  return operand_at(Area::frame, barriers_at + index * warp_register_bytes(4));
}

uint32_t MachineDecoder::row_of(const Operand& operand) const {
  switch (operand.kind) {
    case Kind::reg: return reg(operand.index);
    case Kind::uniform: return uniform_reg(operand.index);
    case Kind::predicate: return operand_at(Area::frame, predicates_at + operand.index * 4u);
    case Kind::uniform_predicate:
      return operand_at(Area::frame, predicates_at + 32 + operand.index * 4u);
    case Kind::barrier: return barrier_reg(operand.index);
    default: unsupported("an operand of this kind here");
  }
}

uint32_t MachineDecoder::signs(uint32_t at, const Operand& operand, Sort sort) {
  if (!operand.negative && !operand.absolute && !operand.inverted) return at;
  const int bytes = sort == Sort::f64 ? 8 : 4;
  const uint32_t changed = temporary(bytes);
  if (sort == Sort::integer) {
    if (operand.absolute) unsupported();
    if (operand.inverted)
      add("not.b32", {changed, at});
    else
      add("neg.s32", {changed, at});
    return changed;
  }
  const uint64_t sign = sort == Sort::f64   ? 1ull << 63
                        : sort == Sort::f32 ? 1u << 31
                                            : 0x8000'8000u;
  add(bytes == 8 ? "!signed64" : "!masked",
      {changed, at, constant(operand.absolute ? ~sign : ~0ull, bytes),
       constant(operand.negative ? sign : 0, bytes)});
  return changed;
}

uint32_t MachineDecoder::word(const Operand& operand, Sort sort) {
  return signs(word_at(operand, 0), operand, sort);
}

uint32_t MachineDecoder::word_at(const Operand& operand, uint32_t n) {
  if (is_zero(operand)) return constant(0, 4);
  switch (operand.kind) {
    case Kind::reg: return reg(operand.index + n);
    case Kind::uniform: return uniform_reg(operand.index + n);
    case Kind::immediate:
    case Kind::real:
      return constant(n == 0 ? uint32_t(operand.value) : uint64_t(operand.value) >> 32, 4);
    case Kind::constant: {
      if (operand.base != sass::zero_register || operand.uniform != sass::zero_uniform)
        unsupported("a constant at an address");
      return launch_constant(int(operand.index), uint64_t(operand.value) + 4 * n, 4);
    }
    default: unsupported("an operand of this kind here");
  }
}

uint32_t MachineDecoder::wide(uint32_t low, uint32_t high) {
  const uint32_t joined = temporary(8);
  add("!join", {joined, low, high});
  return joined;
}

uint32_t MachineDecoder::pair(const Operand& operand, Sort sort) {
  uint32_t joined;
  if (is_zero(operand)) {
    joined = constant(0, 8);
  } else if (operand.kind == Kind::immediate) {
    return constant(uint64_t(operand.value), 8);
  } else if (operand.kind == Kind::real) {
    return constant(uint64_t(operand.value) << 32, 8);
  } else if (operand.kind == Kind::constant) {
    if (operand.base != sass::zero_register || operand.uniform != sass::zero_uniform)
      unsupported("a constant at an address");
    joined = launch_constant(int(operand.index), uint64_t(operand.value), 8);
  } else {
    joined = wide(word_at(operand, 0), word_at(operand, 1));
  }
  if (sort != Sort::integer) return signs(joined, operand, sort);
  if (!operand.negative && !operand.inverted) return joined;
  const uint32_t changed = temporary(8);
  add(operand.inverted ? "not.b64" : "neg.s64", {changed, joined});
  return changed;
}

std::optional<uint32_t> MachineDecoder::two_rows(const Operand& operand) {
  const bool changes = operand.negative || operand.absolute || operand.inverted;
  const auto fixed = [&](uint64_t bits) {
    const auto [entry, added] = pair_constant_at.try_emplace(bits, 0);
    if (added) {
      const uint32_t row = warp_register_bytes(4);
      entry->second = uint32_t((program.constants.size() + 63) / 64 * 64);
      program.constants.resize(entry->second + 2 * row);
      for (uint32_t n = 0; n < 2 * row; n += 4) {
        const uint32_t half = uint32_t(n < row ? bits : bits >> 32);
        std::memcpy(program.constants.data() + entry->second + n, &half, 4);
      }
    }
    return operand_at(Area::constant, entry->second);
  };
  if (is_zero(operand)) return changes ? std::nullopt : std::optional(fixed(0));
  switch (operand.kind) {
    case Kind::reg: return changes ? std::nullopt : std::optional(reg(operand.index));
    case Kind::uniform: return changes ? std::nullopt : std::optional(uniform_reg(operand.index));
    case Kind::immediate: return fixed(uint64_t(operand.value));
    case Kind::real: return fixed(uint64_t(operand.value) << 32);
    default: return std::nullopt;
  }
}

bool MachineDecoder::add_pairs(const std::string& spelling, uint32_t out,
                               std::initializer_list<const Operand*> in) {
  const Row* row = find_row("!pairs:" + spelling, int(in.size()) + 1);
  if (!row) return false;
  std::vector<uint32_t> operands{out};
  for (const Operand* operand : in) {
    const bool is_pair = row->sort[operands.size()] == 8;
    const std::optional<uint32_t> at = is_pair ? two_rows(*operand) : word(*operand);
    if (!at) return false;
    operands.push_back(*at);
  }
  add(*row, operands);
  return true;
}

bool MachineDecoder::add_pairs(const std::string& spelling, const Operand& to,
                               std::initializer_list<const Operand*> in) {
  return add_pairs(spelling, is_zero(to) ? temporary(8) : out(to), in);
}

uint32_t MachineDecoder::flag(const Operand& operand) {
  if (is_true(operand)) return constant(operand.inverted ? 0 : ~0u, 0);
  const uint32_t at = row_of(operand);
  if (!operand.inverted) return at;
  const uint32_t inverse = temporary(0);
  add("not.pred", {inverse, at});
  return inverse;
}

uint32_t MachineDecoder::out(const Operand& operand) { return out_at(operand, 0); }

uint32_t MachineDecoder::out_at(const Operand& operand, uint32_t n) {
  if (is_zero(operand)) return temporary(4);
  return operand.kind == Kind::uniform ? uniform_reg(operand.index + n) : reg(operand.index + n);
}

uint32_t MachineDecoder::out_pair(const Operand& operand) {
  const uint32_t joined = temporary(8);
  if (!is_zero(operand)) pairs.push_back({operand, joined});
  return joined;
}

uint32_t MachineDecoder::out_flag(const Operand& operand) {
  return is_true(operand) ? temporary(0) : row_of(operand);
}

void MachineDecoder::whatever_the_guard() {
  program.operations.back().chains = false;
  program.operations.back().guard = constant(~0u, 0);
}

void MachineDecoder::finish() {
  for (const Pair& each : pairs) {
    add("!low", {out_at(each.to, 0), each.from});
    add("!high", {out_at(each.to, 1), each.from});
  }
  pairs.clear();
}

uint64_t MachineDecoder::bank_at(int number, uint64_t offset, uint64_t bytes) const {
  const bool is_new = program.code->architecture >= 90;
  if (is_new && number == 0 && bytes > 0 && offset >= 0xf0 && offset < 0x110)
    unsupported("the driver's tables of textures and samplers");
  for (const ConstantBank& bank : program.banks)
    if (bank.number == number && offset <= bank.content.size() &&
        bytes <= bank.content.size() - offset)
      return bank.at + offset;
  unsupported("a bank of constants that the image does not have");
}

uint32_t MachineDecoder::launch_constant(int bank, uint64_t offset, int bytes) {
  const uint64_t from = bank_at(bank, offset, uint64_t(bytes));
  const auto [entry, added] = launch_constant_at.try_emplace({from, bytes}, 0);
  if (added) {
    entry->second = uint32_t((program.constants.size() + 63) / 64 * 64);
    program.constants.resize(entry->second + warp_register_bytes(bytes));
    program.launch_constants.push_back({uint32_t(from), entry->second, uint32_t(bytes)});
  }
  return operand_at(Area::constant, entry->second);
}

void MachineDecoder::add(const Row& row, const std::vector<uint32_t>& operands, int64_t offset,
                         uint64_t extra) {
  std::optional<Operation> operation = row_operation(row, operands);
  if (!operation) unsupported("too many operands");
  if (uniform) {  // all lanes, whoever runs
    operation->move = row.part;
    operation->part = find_row("!every", 0)->part;
    if (!row.chains) operation->full = operation->part;
  }
  operation->instruction = current_index;
  operation->offset = offset;
  operation->extra = extra;
  program.operations.push_back(*operation);
}

void MachineDecoder::add(std::string_view spelling, const std::vector<uint32_t>& operands,
                         int64_t offset, uint64_t extra) {
  const Row* row = find_row(spelling, int(operands.size()));
  if (!row) unsupported("no row '" + std::string(spelling) + "'");
  add(*row, operands, offset, extra);
}

}  // namespace headroom::sim
