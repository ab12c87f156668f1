// Blocks of a cluster: their barrier, the addresses of each other's shared memory, and stores that
// tell a barrier there.
//
//   PRMT R16, R3, 0x654, R2       mapa: the rank in R3 becomes the upper byte of the address in R2
//   STAS.64 [R16.64], R4          st.async: R4 and R5 to R16, whose barrier is at R17
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"
#include "sim/remote_store.h"

namespace headroom::sim {

std::span<const MachineDecoder::Entry> MachineDecoder::cluster_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"UCGABAR_ARV", &M::decode_cluster_arrive},
      {"STAS", &M::decode_remote_store},
      {"REDAS", &M::decode_remote_store},
  };
  return entries;
}

void MachineDecoder::decode_cluster_arrive(const Instruction&) { add("!cluster_arrive", {}); }

// A word of 4 bytes that is an address in any block's memory, as the executor counts.
uint32_t MachineDecoder::cluster_word(uint32_t address) {
  const uint32_t own = temporary(4);
  if (options.clustered)
    add("!cluster_shared", {own, address});
  else
    add("sub.u32", {own, address, constant(own_shared_at, 4)});
  return own;
}

uint32_t MachineDecoder::cluster_pair(uint32_t address) {
  return wide(cluster_word(address), constant(0, 4));
}

Address MachineDecoder::cluster_address(const Operand& operand) {
  uint32_t at = operand.base == sass::zero_register ? no_operand : reg(operand.base);
  const auto also = [&](uint32_t more) {
    if (at == no_operand) {
      at = more;
      return;
    }
    const uint32_t sum = temporary(4);
    add("add.u32", {sum, at, more});
    at = sum;
  };
  if (operand.scale > 1) unsupported();
  if (operand.uniform != sass::zero_uniform) also(uniform_reg(operand.uniform));
  if (at == no_operand) at = constant(0, 4);
  if (!options.clustered) return {Place::shared, at, false, operand.value - own_shared_at};
  if (operand.value) also(constant(uint32_t(operand.value), 4));
  return {Place::shared, cluster_word(at), false, 0};
}

// [{place, barrier}], data
void MachineDecoder::decode_remote_store(const Instruction& instruction) {
  const Operand &where = instruction.operands.at(0), &data = instruction.operands.at(1);
  const bool reduces = instruction.opcode == "REDAS";
  if (where.base == sass::zero_register || where.value) unsupported();
  std::vector<uint32_t> list(6, no_operand);
  const bool is_wide = instruction.has(".64");
  int bytes = 4;
  uint32_t count = 1;
  if (reduces) {
    bytes = is_wide ? 8 : 4;
    list[1] = is_wide ? pair(data) : word(data);
  } else {
    count = instruction.has(".128") ? 4 : is_wide ? 2 : 1;
    for (uint32_t n = 0; n < count; ++n) list[n] = word_at(data, n);
  }
  list[4] = cluster_pair(reg(where.base + 1u));
  list[5] = cluster_pair(reg(where.base));
  const Handler handler = reduces ? &reduce_remotely : &store_remotely;
  add(Row{handler, handler}, list, 0, count);
  program.operations.back().bytes = uint8_t(bytes);
  if (reduces) program.operations.back().move = reduction_in_shared(instruction, is_wide);
}

Handler MachineDecoder::reduction_in_shared(const Instruction& instruction, bool is_wide) const {
  const std::string_view operation = reduction_name(instruction);
  const bool bitwise = operation == "and" || operation == "or" || operation == "xor";
  const bool is_signed = instruction.has(".S32");
  const std::string type = std::string(bitwise     ? "b"
                                       : is_signed ? "s"
                                                   : "u") +
                           (is_wide ? "64" : "32");
  const Handler move = engine().atomic(operation, type, false);
  if (!move) unsupported("no such reduction");
  return move;
}

}  // namespace headroom::sim
