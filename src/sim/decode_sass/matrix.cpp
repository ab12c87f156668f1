// Products of matrices of a warp, and matrices between shared memory and registers. An instruction
// is one product of PTX with the same shape and the same fragments:
//
//   HMMA.16816.F32 R8, R16, R20, R8      mma.m16n8k16.f32.f16.f16.f32
//   IMMA.SP.16864.U8.S8 R4, R8.ROW, R12.COL, R4, R16, 0x0      mma.sp.m16n8k64
//
// What the tensor cores do not have, ptxas makes of those: wmma, m8n8k4 of f16, integers of 4 bits,
// fp8 of mma and .xor.
#include <algorithm>

#include "sass/matrix_shape.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

bool is_four_bits(Number number) { return number == Number::s4 || number == Number::u4; }

std::vector<Number> numbers_of(const sass::Instruction& instruction) {
  std::vector<Number> numbers;
  for (const std::string_view modifier : instruction.modifiers) {
    const Number number = number_named(lowercase(modifier));
    if (number != Number::none) numbers.push_back(number);
  }
  return numbers;
}

// HMMA.F32.BF16, IMMA.S8.U8, QGMMA.F32.E4M3.E5M2: the result first, where it is named.
bool name_numbers(MatrixOperation& operation, char kind, const std::vector<Number>& named) {
  const auto set = [&](Number d, Number a, Number b) {
    operation.d = operation.c = d, operation.a = a, operation.b = b;
    return true;
  };
  switch (kind) {
    case 'H': {
      if (named.empty() || named.size() > 2) return false;
      const Number factor = named.size() == 2 ? named[1] : Number::f16;
      return set(named[0], factor, factor);
    }
    case 'I': return named.size() == 2 && set(Number::s32, named[0], named[1]);
    case 'Q': return named.size() == 3 && set(named[0], named[1], named[2]);
    case 'D': return set(Number::f64, Number::f64, Number::f64);
    case 'B': return set(Number::s32, Number::b1, Number::b1);
    default: return false;
  }
}

Sum sum_of(const sass::Instruction& instruction) {
  switch (instruction.opcode[0]) {
    case 'D': return Sum::chain_from;
    case 'I': return Sum::integers;
    case 'B': return instruction.has(".AND") ? Sum::bits_and : Sum::bits_xor;
    default: return Sum::fused;
  }
}

}  // namespace

std::span<const MachineDecoder::Entry> MachineDecoder::matrix_table() {
  using M = MachineDecoder;
  static constexpr Entry entries[] = {
      {"HMMA", &M::decode_mma},   {"IMMA", &M::decode_mma},   {"DMMA", &M::decode_mma},
      {"BMMA", &M::decode_mma},   {"LDSM", &M::decode_ldsm},  {"STSM", &M::decode_stsm},
      {"MOVM", &M::decode_movm},  {"HGMMA", &M::decode_gmma}, {"IGMMA", &M::decode_gmma},
      {"QGMMA", &M::decode_gmma}, {"BGMMA", &M::decode_gmma},
  };
  return entries;
}

// Shape, types and sizes of what one warp computes.
MatrixOperation MachineDecoder::product_of(const Instruction& instruction) const {
  MatrixOperation operation;
  const sass::MatrixShape shape = sass::matrix_shape(instruction);
  operation.m = shape.m, operation.n = shape.n, operation.k = shape.k;
  if (!shape.m || !name_numbers(operation, instruction.opcode[0], numbers_of(instruction)))
    unsupported();
  operation.sum = sum_of(instruction);
  operation.saturates = instruction.has(".SAT");
  const bool sparse = instruction.has(".SP");
  if (sparse) operation.group = operation.a == Number::tf32 ? 2 : is_four_bits(operation.a) ? 8 : 4;
  const auto registers = [](int elements, Number number) {
    return std::max(1, elements / elements_of_register(number) / lanes);
  };
  operation.registers_a = registers(shape.m * shape.k / (sparse ? 2 : 1), operation.a);
  operation.registers_b = registers(shape.k * shape.n, operation.b);
  operation.registers_c = operation.registers_d = registers(shape.m * shape.n, operation.d);
  return operation;
}

// Appends a fragment's registers to the operand list; those of doubles are pairs.
void MachineDecoder::list_fragment(const Operand& first, int registers, Number number) {
  for (uint32_t n = 0; n < uint32_t(registers); ++n)
    program.operand_list.push_back(number != Number::f64
                                       ? word_at(first, n)
                                       : wide(word_at(first, 2 * n), word_at(first, 2 * n + 1)));
}

void MachineDecoder::list_result(const Operand& first, int registers, Number number) {
  for (uint32_t n = 0; n < uint32_t(registers); ++n) {
    Operand pair_of_registers = first;
    if (!is_zero(first)) pair_of_registers.index = uint16_t(first.index + 2 * n);
    program.operand_list.push_back(number == Number::f64 ? out_pair(pair_of_registers)
                                                         : out_at(first, n));
  }
}

// d, a, b, c[, metadata, selector]
void MachineDecoder::decode_mma(const Instruction& instruction) {
  MatrixOperation operation = product_of(instruction);
  const auto& o = instruction.operands;
  const uint32_t list = uint32_t(program.operand_list.size());
  list_result(o.at(0), operation.registers_d, operation.d);
  list_fragment(o.at(3), operation.registers_c, operation.c);
  list_fragment(o.at(1), operation.registers_a, operation.a);
  list_fragment(o.at(2), operation.registers_b, operation.b);
  if (operation.group) {
    program.operand_list.push_back(word(o.at(4)));
    operation.selector = int(o.at(5).value);
  }
  place_fragments(operation);
  const bool doubles = operation.a == Number::f64;
  program.matrices.push_back(std::move(operation));
  add(doubles ? std::string("!multiply.f64") + rounding(instruction) : "!multiply", {},
      int64_t(program.matrices.size() - 1), list);
}

// LDSM.16.MT88.4 d, [address];  STSM [address], a
void MachineDecoder::matrix_rows(const Instruction& instruction, const Operand& address,
                                 const Operand& fragment) {
  const bool loads = instruction.opcode == "LDSM";
  MatrixAccess access;
  access.registers = instruction.has(".4") ? 4 : instruction.has(".2") ? 2 : 1;
  access.across = instruction.has(".MT88");
  const Address at = shared_address(address);
  access.place = uint8_t(at.place);
  access.wide = at.wide;
  access.offset = at.offset;
  const uint32_t list = uint32_t(program.operand_list.size());
  if (loads)
    list_result(fragment, access.registers, Number::f16);
  else
    list_fragment(fragment, access.registers, Number::f16);
  program.operand_list.push_back(at.operand);
  program.matrix_accesses.push_back(std::move(access));
  add(loads ? "!ldmatrix" : "!stmatrix", {}, int64_t(program.matrix_accesses.size() - 1), list);
  program.operations.back().bytes = 16;
}

void MachineDecoder::decode_ldsm(const Instruction& instruction) {
  matrix_rows(instruction, instruction.operands.at(1), instruction.operands.at(0));
}
void MachineDecoder::decode_stsm(const Instruction& instruction) {
  matrix_rows(instruction, instruction.operands.at(0), instruction.operands.at(1));
}

void MachineDecoder::decode_movm(const Instruction& instruction) {
  const auto& o = instruction.operands;
  add("movmatrix.sync.aligned.m8n8.trans.b16", {out(o.at(0)), word(o.at(1))});
}

}  // namespace headroom::sim
