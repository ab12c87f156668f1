#include <algorithm>
#include <array>

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

int vector_length(const ptx::Instruction& instruction) {
  return instruction.has(".v2") ? 2 : instruction.has(".v4") ? 4 : instruction.has(".v8") ? 8 : 1;
}

namespace {

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 ||
         type == ptx::Type::s64;
}

}  // namespace

Place FunctionDecoder::place_of(const Instruction& instruction, const Operand& address) const {
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier == ".global") return Place::global;
    if (modifier == ".const") return Place::constant;
    if (modifier == ".shared" || modifier == ".shared::cta" || modifier == ".shared::cluster")
      return Place::shared;
    if (modifier == ".local") return Place::local;
    if (modifier == ".param" || modifier == ".param::entry" || modifier == ".param::func") {
      return parameters.count(address.name) ? Place::frame : Place::parameter;
    }
  }
  return Place::generic;
}

// [register + offset], [symbol + offset], [offset]
Address FunctionDecoder::address(const Operand& operand, Place place) {
  if (operand.kind != Kind::address) unsupported(*current, "an address in brackets is needed here");
  Address out{place, no_operand, true, operand.offset, 0};
  if (place == Place::frame) {
    const ParameterBlock& block = parameters.at(operand.name);
    out.offset += block.at;
    out.stride = block.stride;
    return out;
  }
  if (operand.reg >= 0) {
    out.operand = register_operand(operand.reg);
    out.wide = register_bytes(operand.reg) == 8;
    if (!out.wide && (place == Place::generic || register_bytes(operand.reg) != 4)) {
      out.operand = input(
          [&] {
            Operand r;
            r.kind = Kind::reg;
            r.reg = operand.reg;
            return r;
          }(),
          8);
      out.wide = true;
    }
    return out;
  }
  if (operand.name.empty()) {
    out.operand = shared.constant(0, 8);
    return out;
  }
  Operand symbol = operand;
  symbol.kind = Kind::symbol;
  symbol.offset = 0;
  out.operand = symbol_operand(symbol, 8);
  return out;
}

void FunctionDecoder::memory_operation(const Address& address, Use use, int bytes, Handler move,
                                       const std::vector<uint32_t>& data) {
  if (!move)
    unsupported(*current, "no such access: width, register and vector length do not go together");
  std::optional<Operation> operation = access_operation(address, use, bytes, move, data);
  if (!operation) unsupported(*current, "too many operands");
  operation->site = program.sites++;
  operation->instruction = current_index;
  program.operations.push_back(*operation);
}

void FunctionDecoder::decode_load(const Instruction& instruction) {
  const ptx::Type type = instruction.type();
  const Operand& to = instruction.operands.at(0);
  const int count = vector_length(instruction), bytes = size_of(type);
  const std::vector<Operand> whole = to.kind == Kind::list ? to.items : std::vector<Operand>{to};
  const Operand& from = instruction.operands.at(1);
  if (count * bytes > 16) unsupported(instruction, "32 bytes a thread are for sm_100 and later");
  const Address place = address(from, place_of(instruction, from));
  int held = bytes;  // the registers' width: the first that is one
  for (const Operand& item : whole) {
    if (item.kind == Kind::reg) held = register_bytes(item.reg);
  }
  if (whole.size() != size_t(count)) unsupported(instruction, "a vector of another length");
  std::vector<uint32_t> data;
  for (const Operand& item : whole) {
    if (item.kind == Kind::reg && register_bytes(item.reg) != held)
      unsupported(instruction, "a vector of registers of different widths");
    data.push_back(item.kind == Kind::sink ? temporary(held) : register_operand(item.reg));
  }
  memory_operation(place, Use::load, bytes * count,
                   engine().load(bytes, is_signed(type), held, count), data);
}

void FunctionDecoder::decode_store(const Instruction& instruction) {
  if (instruction.has(".async")) return decode_remote_store(instruction);
  if (instruction.has(".bulk")) unsupported(instruction, "st.bulk is not of sm_90");
  const ptx::Type type = instruction.type();
  const Operand& to = instruction.operands.at(0);
  const Operand& from = instruction.operands.at(1);
  const int count = vector_length(instruction), bytes = size_of(type);
  if (count * bytes > 16) unsupported(instruction, "32 bytes a thread are for sm_100 and later");
  const Address place = address(to, place_of(instruction, to));
  const std::vector<Operand> whole =
      from.kind == Kind::list ? from.items : std::vector<Operand>{from};
  int held = bytes;
  for (const Operand& item : whole) {
    if (item.kind == Kind::reg) held = std::max(held, register_bytes(item.reg));
  }
  if (whole.size() != size_t(count)) unsupported(instruction, "a vector of another length");
  std::vector<uint32_t> data;
  for (const Operand& item : whole) data.push_back(input(item, held));
  memory_operation(place, Use::store, bytes * count, engine().store(bytes, held, count), data);
}

// atom[.sem][.scope][.space].op[.level].type d, [a], b[, c];   red: the same without d
void FunctionDecoder::decode_atomic(const Instruction& instruction) {
  static constexpr std::array<std::string_view, 10> atomic_operations = {
      ".add", ".min", ".max", ".and", ".or", ".xor", ".exch", ".cas", ".inc", ".dec"};
  if (instruction.has(".async")) return decode_remote_store(instruction);
  const bool reduction = instruction.opcode == "red";
  const ptx::Type type = instruction.type();
  const int bytes = size_of(type);
  std::string atomic_operation;
  for (const std::string& modifier : instruction.modifiers) {
    if (std::find(atomic_operations.begin(), atomic_operations.end(), modifier) !=
        atomic_operations.end())
      atomic_operation = modifier.substr(1);
  }
  const size_t at = reduction ? 0 : 1;
  const Operand& where = instruction.operands.at(at);
  const Address place = address(where, place_of(instruction, where));
  const bool wants = !reduction && instruction.operands[0].kind != Kind::sink;
  // A vector is as many atomics: each of its elements is one by itself. What they return is written
  // when all have read.
  const int count = vector_length(instruction);
  std::vector<std::pair<uint32_t, uint32_t>> returned;
  for (int n = 0; n < count; ++n) {
    auto element = [&](const Operand& o) -> const Operand& {
      return o.kind == Kind::list ? o.items.at(size_t(n)) : o;
    };
    std::vector<uint32_t> data = {no_operand};
    for (size_t o = at + 1; o < instruction.operands.size(); ++o) {
      if (o + 1 == instruction.operands.size() && instruction.has(".L2::cache_hint")) continue;
      data.push_back(input(element(instruction.operands[o]), bytes));
    }
    if (wants) data[0] = output(element(instruction.operands[0]), bytes);
    if (wants && count > 1) {
      returned.push_back({data[0], temporary(bytes)});
      data[0] = returned.back().second;
    }
    Address here = place;
    here.offset += n * bytes;
    memory_operation(here, Use::atomic, bytes,
                     engine().atomic(atomic_operation, name_of(type), wants), data);
  }
  for (const auto& [to, from] : returned) add("!mov" + std::to_string(bytes), {to, from});
  finish_outputs();
  const bool floats = type == ptx::Type::f32 || type == ptx::Type::f64 || type == ptx::Type::f16 ||
                      type == ptx::Type::f16x2 || type == ptx::Type::bf16 ||
                      type == ptx::Type::bf16x2;
  static constexpr std::array<std::string_view, 6> commutative = {"add", "min", "max",
                                                                  "and", "or",  "xor"};
  const bool commutes = !floats && std::find(commutative.begin(), commutative.end(),
                                             atomic_operation) != commutative.end();
  program.facts.ordered |= place.place != Place::shared && (wants || !commutes);
}

}  // namespace headroom::sim
