// Products of a warpgroup, wgmma of PTX:
//
//   HGMMA.64x32x16.F32 R24, gdesc[UR8].tnspB, R24, UP0, gsb0
//   HGMMA.64x32x16.F32 R24, R40, gdesc[UR8], RZ, !UPT
//
// Four uniform registers describe A and B; A's are not read where A is in registers. The predicate
// says whether the addend counts. gsb0 commits; what waits is WARPGROUP.DEPBAR (flow.cpp).
#include <algorithm>

#include "sim/check/marks.h"
#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/spelling.h"

namespace headroom::sim {
namespace {

constexpr uint32_t system_units = 0x400 / 16;  // what a block's memory begins behind

bool has_suffix(const sass::Operand& operand, std::string_view name) {
  for (const std::string_view suffix : operand.suffixes)
    if (suffix.find(name) != suffix.npos) return true;
  return false;
}

}  // namespace

// A matrix's descriptor as the executor counts addresses, which are its low 14 bits.
uint32_t MachineDecoder::matrix_descriptor(uint32_t index) {
  const uint32_t low = uniform_reg(index), moved = temporary(4), own = temporary(4);
  add("sub.s32", {moved, low, constant(system_units, 4)});
  add("bfi.b32", {own, moved, low, constant(0, 4), constant(14, 4)});
  return wide(own, uniform_reg(index + 1));
}

// d, a or both descriptors[, b's], c, p[, metadata[, selector]], gsb0
void MachineDecoder::decode_gmma(const Instruction& instruction) {
  MatrixOperation operation = product_of(instruction);
  const auto& o = instruction.operands;
  operation.a_described = o.at(1).kind == Kind::matrix;
  operation.b_described = true;
  const size_t described = operation.a_described ? 1 : 2;
  const Operand &matrices = o.at(described), &addend = o.at(described + 1),
                &adds = o.at(described + 2);
  if (!is_zero(addend) && addend.index != o.at(0).index) unsupported("another addend");
  if (instruction.opcode == "QGMMA") operation.fraction_bits = operation.result_bits = 13;
  const uint32_t a = operation.a_described ? matrix_descriptor(matrices.descriptor) : no_operand,
                 b = matrix_descriptor(matrices.descriptor + 2u);
  const uint32_t list = uint32_t(program.operand_list.size());
  list_result(o.at(0), operation.registers_d, operation.d);
  if (operation.a_described)
    program.operand_list.push_back(a);
  else
    list_fragment(o.at(1), operation.registers_a, operation.a);
  program.operand_list.push_back(b);
  program.operand_list.push_back(is_zero(addend) ? constant(0, 0) : flag(adds));
  if (operation.group) {
    program.operand_list.push_back(word(o.at(described + 3)));
    const Operand& selector = o.at(described + 4);
    if (selector.kind == Kind::immediate) operation.selector = int(selector.value);
  }
  operation.a_negative = has_suffix(matrices, ".negA");
  operation.b_negative = has_suffix(matrices, ".negB");
  operation.a_across = has_suffix(matrices, ".tnspA");
  operation.b_across = has_suffix(matrices, ".tnspB");
  if (operation.a_across && !operation.a_described) unsupported();
  place_fragments(operation);
  program.matrices.push_back(std::move(operation));
  if (options.watched)
    add(Row{&check::mark_product, &check::mark_product}, {}, int64_t(program.matrices.size() - 1),
        list);
  add("!multiply.warpgroup", {}, int64_t(program.matrices.size() - 1), list);
  const auto commits = [](const Operand& each) {
    return each.text.starts_with("gsb") || has_suffix(each, "gsb");
  };
  if (std::ranges::any_of(o, commits)) mark(&check::mark_product_commit);
}

}  // namespace headroom::sim
