// wgmma: products of a warpgroup's matrices.
//
//   wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {32 d}, a-desc, b-desc, p, 1, 1, 0, 0;
//   each of the four warps computes 16 of the 64 rows: a MatrixOperation of m16n64k16
#include <cstdio>

#include "sim/check/marks.h"
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

bool is_fp8(Number number) { return number == Number::e4m3 || number == Number::e5m2; }
bool is_int8(Number number) { return number == Number::s8 || number == Number::u8; }

// Bytes of k are the same in all types: 32, of a sparse matrix 64.
int k_of(Number a) { return 256 / bits_of(a); }

}  // namespace

MatrixOperation FunctionDecoder::warpgroup_product(const Instruction& instruction) const {
  MatrixOperation operation;
  std::vector<Number> numbers;
  int rows = 0;
  for (const std::string& modifier : instruction.modifiers) {
    std::sscanf(modifier.c_str(), ".m%dn%dk%d", &rows, &operation.n, &operation.k);
    if (number_named(modifier) != Number::none) numbers.push_back(number_named(modifier));
  }
  const bool sparse = instruction.has(".sp");
  const char* wrong = "no such product: these shape and types do not go together";
  if (numbers.size() != 3) unsupported(instruction, wrong);
  operation.m = 16;
  operation.d = operation.c = numbers[0];
  operation.a = numbers[1];
  operation.b = numbers[2];
  const Number a = operation.a, b = operation.b, d = operation.d;
  const bool floats = (a == Number::f16 && a == b && (d == Number::f16 || d == Number::f32)) ||
                      ((a == Number::bf16 || a == Number::tf32) && a == b && d == Number::f32) ||
                      (is_fp8(a) && is_fp8(b) && (d == Number::f16 || d == Number::f32));
  const bool integers = is_int8(a) && is_int8(b) && d == Number::s32;
  const bool bits = a == Number::b1 && b == Number::b1 && d == Number::s32 && !sparse;
  if (!(floats || integers || bits) || rows != 64 || operation.n % 8 || operation.n < 8 ||
      operation.n > 256 || operation.k != k_of(a) * (sparse ? 2 : 1))
    unsupported(instruction, wrong);
  operation.sum = bits ? Sum::bits_and : integers ? Sum::integers : Sum::fused;
  if (is_fp8(a)) operation.fraction_bits = operation.result_bits = 13;
  operation.saturates = instruction.has(".satfinite");
  if (sparse) operation.group = a == Number::tf32 ? 2 : 4;
  operation.registers_a = 4;
  operation.registers_c = operation.registers_d =
      operation.m * operation.n / elements_of_register(d) / lanes;
  return operation;
}

// d, a or a-desc, b-desc[, metadata, selector], scale-d[, scale-a, scale-b[, trans-a][, trans-b]]
void FunctionDecoder::decode_wgmma(const Instruction& instruction) {
  if (!instruction.has(".mma_async")) {  // fence, commit_group: all is done when it is issued
    const Handler mark =
        instruction.has(".commit_group") ? &check::mark_product_commit : &check::mark_product_fence;
    if (shared.watched) add(Row{mark, mark}, {});
    return;
  }
  MatrixOperation operation = warpgroup_product(instruction);
  const std::vector<Operand>& operands = instruction.operands;
  operation.a_described = operands.at(1).kind != Kind::list;
  operation.b_described = true;
  const uint32_t list = uint32_t(program.operand_list.size());
  list_fragment(operands.at(0), operation.registers_d, operation.d, true);
  if (operation.a_described)
    program.operand_list.push_back(input(operands[1], 8));
  else
    list_fragment(operands[1], operation.registers_a, operation.a, false);
  program.operand_list.push_back(input(operands.at(2), 8));
  size_t next = operation.group ? 5 : 3;
  program.operand_list.push_back(input(operands.at(next++), 0));
  if (operation.group) {
    program.operand_list.push_back(input(operands.at(3), 4));
    operation.selector = int(operands.at(4).bits);
  }
  auto immediate = [&](bool& flag, uint64_t set) {
    if (next < operands.size()) flag = operands[next++].bits == set;
  };
  immediate(operation.a_negative, ~0ull);
  immediate(operation.b_negative, ~0ull);
  if (operation.a_described) immediate(operation.a_across, 1);
  immediate(operation.b_across, 1);
  if ((operation.a_across || operation.b_across) && bits_of(operation.a) != 16)
    unsupported(instruction, "only matrices of 16-bit numbers are read across");
  place_fragments(operation);
  program.matrices.push_back(std::move(operation));
  if (shared.watched)
    add(Row{&check::mark_product, &check::mark_product}, {}, int64_t(program.matrices.size() - 1),
        list);
  add("!multiply.warpgroup", {}, int64_t(program.matrices.size() - 1), list);
  finish_outputs();
}

uint64_t tensor_operations_of(const ptx::Instruction& instruction) {
  uint64_t m = 0, n = 0, k = 0;
  for (const std::string& modifier : instruction.modifiers) {
    unsigned long long shape[3];
    if (std::sscanf(modifier.c_str(), ".m%llun%lluk%llu", shape, shape + 1, shape + 2) == 3)
      m = shape[0], n = shape[1], k = shape[2];
  }
  if (instruction.opcode == "wgmma") m /= 4;  // a warp's part
  const bool four = instruction.opcode == "mma" && instruction.has(".m8n8k4") &&
                    instruction.has(".f16");  // m8n8k4 of f16 is four products
  return 2 * m * n * k * (four ? 4 : 1);
}

}  // namespace headroom::sim
