// Products of matrices, and matrices between memory and registers: the instructions' shapes and
// types become MatrixOperations.
//
//   mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {4 d}, {4 a}, {2 b}, {4 c};
//   mma.sp … d, a, b, c, metadata, selector;        wmma.mma … d, a, b, c;
//   ldmatrix … {r}, [p];   wmma.load … {r}, [p], stride;   wmma.store … [p], {r}, stride;
#include <algorithm>
#include <cstdio>

#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

struct Shape3 {
  int m = 0, n = 0, k = 0;
  bool operator==(const Shape3&) const = default;
};
std::optional<Shape3> shape_named(const std::string& modifier) {
  Shape3 shape;
  int end = 0;
  if (std::sscanf(modifier.c_str(), ".m%dn%dk%d%n", &shape.m, &shape.n, &shape.k, &end) == 3 &&
      size_t(end) == modifier.size())
    return shape;
  return std::nullopt;
}

// What kinds of numbers multiply each other, and in which shapes.
enum class Family : uint8_t { f16, bf16, tf32, f64, fp8, int8, int4, b1, none };
Family family_of(Number number) {
  switch (number) {
    case Number::f16: return Family::f16;
    case Number::bf16: return Family::bf16;
    case Number::tf32: return Family::tf32;
    case Number::f64: return Family::f64;
    case Number::e4m3:
    case Number::e5m2: return Family::fp8;
    case Number::s8:
    case Number::u8: return Family::int8;
    case Number::s4:
    case Number::u4: return Family::int4;
    case Number::b1: return Family::b1;
    default: return Family::none;
  }
}

enum class Kind3 : uint8_t { dense, sparse, wmma };
struct Legal {
  Kind3 kind;
  Family family;
  Shape3 shape;
};
constexpr Legal legal[] = {
    {Kind3::dense, Family::f16, {8, 8, 4}},      {Kind3::dense, Family::f16, {16, 8, 8}},
    {Kind3::dense, Family::f16, {16, 8, 16}},    {Kind3::dense, Family::bf16, {16, 8, 8}},
    {Kind3::dense, Family::bf16, {16, 8, 16}},   {Kind3::dense, Family::tf32, {16, 8, 4}},
    {Kind3::dense, Family::tf32, {16, 8, 8}},    {Kind3::dense, Family::f64, {8, 8, 4}},
    {Kind3::dense, Family::f64, {16, 8, 4}},     {Kind3::dense, Family::f64, {16, 8, 8}},
    {Kind3::dense, Family::f64, {16, 8, 16}},    {Kind3::dense, Family::fp8, {16, 8, 16}},
    {Kind3::dense, Family::fp8, {16, 8, 32}},    {Kind3::dense, Family::int8, {8, 8, 16}},
    {Kind3::dense, Family::int8, {16, 8, 16}},   {Kind3::dense, Family::int8, {16, 8, 32}},
    {Kind3::dense, Family::int4, {8, 8, 32}},    {Kind3::dense, Family::int4, {16, 8, 32}},
    {Kind3::dense, Family::int4, {16, 8, 64}},   {Kind3::dense, Family::b1, {8, 8, 128}},
    {Kind3::dense, Family::b1, {16, 8, 128}},    {Kind3::dense, Family::b1, {16, 8, 256}},
    {Kind3::sparse, Family::f16, {16, 8, 16}},   {Kind3::sparse, Family::f16, {16, 8, 32}},
    {Kind3::sparse, Family::bf16, {16, 8, 16}},  {Kind3::sparse, Family::bf16, {16, 8, 32}},
    {Kind3::sparse, Family::tf32, {16, 8, 8}},   {Kind3::sparse, Family::tf32, {16, 8, 16}},
    {Kind3::sparse, Family::fp8, {16, 8, 64}},   {Kind3::sparse, Family::int8, {16, 8, 32}},
    {Kind3::sparse, Family::int8, {16, 8, 64}},  {Kind3::sparse, Family::int4, {16, 8, 64}},
    {Kind3::sparse, Family::int4, {16, 8, 128}}, {Kind3::wmma, Family::f16, {16, 16, 16}},
    {Kind3::wmma, Family::f16, {8, 32, 16}},     {Kind3::wmma, Family::f16, {32, 8, 16}},
    {Kind3::wmma, Family::bf16, {16, 16, 16}},   {Kind3::wmma, Family::bf16, {8, 32, 16}},
    {Kind3::wmma, Family::bf16, {32, 8, 16}},    {Kind3::wmma, Family::int8, {16, 16, 16}},
    {Kind3::wmma, Family::int8, {8, 32, 16}},    {Kind3::wmma, Family::int8, {32, 8, 16}},
    {Kind3::wmma, Family::tf32, {16, 16, 8}},    {Kind3::wmma, Family::f64, {8, 8, 4}},
    {Kind3::wmma, Family::int4, {8, 8, 32}},     {Kind3::wmma, Family::b1, {8, 8, 128}},
};

// The numbers that a family is added up in.
bool sums_to(Family family, Number c, Number d) {
  const auto f32_or_f16 = [](Number x) { return x == Number::f32 || x == Number::f16; };
  switch (family) {
    case Family::f16: return f32_or_f16(c) && f32_or_f16(d);
    case Family::fp8: return f32_or_f16(c) && c == d;
    case Family::bf16:
    case Family::tf32: return c == Number::f32 && d == Number::f32;
    case Family::f64: return c == Number::f64 && d == Number::f64;
    default: return c == Number::s32 && d == Number::s32;
  }
}

std::vector<const ptx::Operand*> members(const ptx::Operand& operand) {
  std::vector<const ptx::Operand*> out;
  if (operand.kind != ptx::Operand::Kind::list) return {&operand};
  for (const ptx::Operand& item : operand.items) out.push_back(&item);
  return out;
}

constexpr const char* no_such_product = "no such product: these shape and types do not go together";

// What sm_100 and later alone have.
const char* later_only(const ptx::Instruction& instruction) {
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier.starts_with(".kind::") || modifier == ".block_scale") return modifier.c_str();
    for (const char* form : {".m16n16", ".m8n16", ".m16n8", ".b8x16", ".e3m2", ".e2m3", ".e2m1"}) {
      if (modifier == form) return form;
    }
  }
  return nullptr;
}

}  // namespace

// Shape and types as the modifiers have them; f16 products of wmma leave those of a and b out.
MatrixOperation FunctionDecoder::matrix_named(const Instruction& instruction) const {
  if (const char* later = later_only(instruction))
    unsupported(instruction, std::string(later) + " is for sm_100 and later",
                "the emulator runs what sm_75 to sm_90a have");
  MatrixOperation operation;
  std::vector<Number> numbers;
  std::vector<bool> rows;
  for (const std::string& modifier : instruction.modifiers) {
    if (const auto shape = shape_named(modifier))
      operation.m = shape->m, operation.n = shape->n, operation.k = shape->k;
    const Number number = number_named(modifier);
    if (number != Number::none) numbers.push_back(number);
  }
  const bool short_form = instruction.opcode == "wmma" && numbers.size() == 2;
  if (!short_form && numbers.size() != 4) unsupported(instruction, no_such_product);
  operation.d = numbers.front();
  operation.c = numbers.back();
  operation.a = short_form ? Number::f16 : numbers[1];
  operation.b = short_form ? Number::f16 : numbers[2];
  const bool sparse = instruction.has(".sp") || instruction.has(".sp::ordered_metadata");
  const Kind3 kind = instruction.opcode == "wmma" ? Kind3::wmma
                     : sparse                     ? Kind3::sparse
                                                  : Kind3::dense;
  const Family family = family_of(operation.a);
  const bool known = std::any_of(std::begin(legal), std::end(legal), [&](const Legal& row) {
    return row.kind == kind && row.family == family &&
           row.shape == Shape3{operation.m, operation.n, operation.k};
  });
  if (!known || family_of(operation.b) != family || !sums_to(family, operation.c, operation.d))
    unsupported(instruction, no_such_product);
  operation.saturates = instruction.has(".satfinite");
  const bool quads = family == Family::f16 && operation.k == 4;
  if (quads) {
    operation.products = 4;
    operation.sum = operation.d == Number::f16 ? Sum::pairs : Sum::chain;
  } else if (family == Family::fp8) {
    operation.sum = Sum::fused_halves;
  } else if (family == Family::f64) {
    operation.sum = Sum::chain_from;
  } else if (family == Family::b1) {
    operation.sum = instruction.has(".and") ? Sum::bits_and : Sum::bits_xor;
  } else if (family == Family::int8 || family == Family::int4) {
    operation.sum = Sum::integers;
  }
  // As sm_90 does it: tf32 of wmma in two products, the other shapes in one.
  if (kind == Kind3::wmma && family == Family::tf32) operation.at_once = 4;
  if (sparse) operation.group = family == Family::tf32 ? 2 : family == Family::int4 ? 8 : 4;
  const bool twice = kind == Kind3::wmma && family == Family::f16;  // some elements are there twice
  auto registers = [&](int elements, Number number) {
    return std::max(1, elements / elements_of_register(number) / lanes);
  };
  operation.registers_a =
      quads   ? 2
      : twice ? 8
              : registers(operation.m * operation.k / (sparse ? 2 : 1), operation.a);
  operation.registers_b = quads ? 2 : twice ? 8 : registers(operation.k * operation.n, operation.b);
  operation.registers_c = registers(operation.m * operation.n * operation.products, operation.c);
  operation.registers_d = registers(operation.m * operation.n * operation.products, operation.d);
  return operation;
}

// Appends the registers of a fragment to the operand list.
void FunctionDecoder::list_fragment(const Operand& operand, int registers, Number number,
                                    bool written) {
  const std::vector<const Operand*> all = members(operand);
  if (int(all.size()) != registers)
    unsupported(*current, "a fragment of " + std::to_string(all.size()) + " registers where " +
                              std::to_string(registers) + " are needed");
  const int bytes = number == Number::f64 ? 8 : 4;
  for (const Operand* item : all)
    program.operand_list.push_back(written ? output(*item, bytes) : input(*item, bytes));
}

// mma d, a, b, c[, metadata, selector]; wmma.mma d, a, b, c
void FunctionDecoder::decode_mma(const Instruction& instruction) {
  MatrixOperation operation = matrix_named(instruction);
  const std::vector<Operand>& operands = instruction.operands;
  const uint32_t list = uint32_t(program.operand_list.size());
  list_fragment(operands.at(0), operation.registers_d, operation.d, true);
  list_fragment(operands.at(3), operation.registers_c, operation.c, false);
  list_fragment(operands.at(1), operation.registers_a, operation.a, false);
  list_fragment(operands.at(2), operation.registers_b, operation.b, false);
  if (operation.group) {
    program.operand_list.push_back(input(operands.at(4), 4));
    operation.selector = int(operands.at(5).bits);
  }
  if (operation.products == 4) {
    const auto first = std::find_if(
        instruction.modifiers.begin(), instruction.modifiers.end(),
        [](const std::string& modifier) { return modifier == ".row" || modifier == ".col"; });
    place_quads(operation, *first == ".row", *(first + 1) == ".row");
  } else {
    place_fragments(operation);
  }
  std::string row = "!multiply";
  if (operation.a == Number::f64) {
    row += ".f64";
    const auto rounding = {".rz", ".rm", ".rp"};
    const auto found = std::find_if(rounding.begin(), rounding.end(),
                                    [&](const char* mode) { return instruction.has(mode); });
    row += found == rounding.end() ? ".rn" : *found;
  }
  program.matrices.push_back(std::move(operation));
  add(row, {}, int64_t(program.matrices.size() - 1), list);
  finish_outputs();
}

void FunctionDecoder::matrix_access_operation(const std::string& name, MatrixAccess access,
                                              uint32_t list) {
  program.matrix_accesses.push_back(std::move(access));
  add(*find_row("!" + name, 0), {}, int64_t(program.matrix_accesses.size() - 1), list);
  program.operations.back().bytes = 16;
}

MatrixAccess FunctionDecoder::matrix_address(const Instruction& instruction,
                                             const Operand& operand) {
  const Address at = address(operand, place_of(instruction, operand));
  MatrixAccess access;
  access.place = uint8_t(at.place);
  access.wide = at.wide;
  access.offset = at.offset;
  program.operand_list.push_back(at.operand);
  return access;
}

// ldmatrix r, [p];  stmatrix [p], r
void FunctionDecoder::decode_rows(const Instruction& instruction) {
  if (const char* later = later_only(instruction))
    unsupported(instruction, std::string(later) + " is for sm_100 and later",
                "the emulator runs what sm_75 to sm_90a have");
  const bool loads = instruction.opcode == "ldmatrix";
  const Operand& fragment = instruction.operands.at(loads ? 0 : 1);
  const int count = instruction.has(".x4") ? 4 : instruction.has(".x2") ? 2 : 1;
  const uint32_t list = uint32_t(program.operand_list.size());
  list_fragment(fragment, count, Number::f16, loads);
  MatrixAccess access = matrix_address(instruction, instruction.operands.at(loads ? 1 : 0));
  access.registers = count;
  access.across = instruction.has(".trans");
  matrix_access_operation(instruction.opcode, std::move(access), list);
  finish_outputs();
}

// wmma.load.{a,b,c} r, [p][, stride];  wmma.store.d [p], r[, stride];  wmma.mma
void FunctionDecoder::decode_wmma(const Instruction& instruction) {
  if (instruction.has(".mma")) return decode_mma(instruction);
  const bool loads = instruction.has(".load");
  MatrixOperation operation;
  for (const std::string& modifier : instruction.modifiers) {
    if (const auto shape = shape_named(modifier))
      operation.m = shape->m, operation.n = shape->n, operation.k = shape->k;
    if (number_named(modifier) != Number::none) operation.a = number_named(modifier);
  }
  const Number number = operation.a;
  operation.b = operation.c = operation.d = number;
  const Family family = family_of(number);
  const char which = instruction.has(".a") ? 'a' : instruction.has(".b") ? 'b' : 'c';
  const Shape3 shape{operation.m, operation.n, operation.k};
  const bool known = std::any_of(std::begin(legal), std::end(legal), [&](const Legal& row) {
    if (row.kind != Kind3::wmma || row.shape != shape) return false;
    return which == 'c' ? sums_to(row.family, number, number) : row.family == family;
  });
  if (!known) unsupported(instruction, "no such matrix: shape and type do not go together");
  const int elements = which == 'a'   ? operation.m * operation.k
                       : which == 'b' ? operation.k * operation.n
                                      : operation.m * operation.n;
  const int packed = elements_of_register(number);
  const int registers =
      which != 'c' && family == Family::f16 ? 8 : std::max(1, elements / packed / lanes);
  const uint32_t list = uint32_t(program.operand_list.size());
  list_fragment(instruction.operands.at(loads ? 0 : 1), registers, number, loads);
  MatrixAccess access = matrix_address(instruction, instruction.operands.at(loads ? 1 : 0));
  access.registers = registers;
  access.number = number;
  access.across = instruction.has(".col");
  const int rows = which == 'b' ? operation.k : operation.m,
            columns = which == 'a' ? operation.k : operation.n;
  access.stride = uint32_t(access.across ? rows : columns);
  program.operand_list.push_back(instruction.operands.size() > 2 ? input(instruction.operands[2], 4)
                                                                 : no_operand);
  for (int reg = 0; reg < registers; ++reg) {
    for (int element = 0; element < packed; ++element) {
      for (int lane = 0; lane < lanes; ++lane) {
        access.cells.push_back(which == 'a'   ? cell_of_a(operation, lane, reg, element)
                               : which == 'b' ? cell_of_b(operation, lane, reg, element)
                                              : cell_of_c(operation, number, lane, reg, element));
      }
    }
  }
  matrix_access_operation(loads ? "wmma.load" : "wmma.store", std::move(access), list);
  finish_outputs();
}

}  // namespace headroom::sim
