#include "sim/matrix.h"

#include <algorithm>
#include <utility>

#include "sim/program.h"

namespace headroom::sim {

Number number_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Number> names[] = {
      {".f16", Number::f16},   {".bf16", Number::bf16}, {".tf32", Number::tf32},
      {".f32", Number::f32},   {".f64", Number::f64},   {".e4m3", Number::e4m3},
      {".e5m2", Number::e5m2}, {".s8", Number::s8},     {".u8", Number::u8},
      {".s4", Number::s4},     {".u4", Number::u4},     {".b1", Number::b1},
      {".s32", Number::s32}};
  for (const auto& [text, number] : names) {
    if (text == name) return number;
  }
  return Number::none;
}

namespace {
// Rows (or columns) of a matrix in registers: within 8 they are the groups of four lanes, within a
// register the elements side by side. Two neighbouring eights make a sixteen where `paired`.
Cell along(int lane, int reg, int element, int packed, int blocks, bool paired) {
  const int group = lane >> 2, in_group = lane & 3;
  const int half = paired ? reg & 1 : 0, rest = paired ? reg >> 1 : reg;
  return {group + 8 * half + (paired ? 16 : 8) * (rest / blocks),
          in_group * packed + element + 4 * packed * (rest % blocks)};
}
}  // namespace

Cell cell_of_a(const MatrixOperation& operation, int lane, int reg, int element) {
  const int packed = elements_of_register(operation.a),
            k = operation.group ? operation.k / 2 : operation.k;
  const int distinct = std::max(1, operation.m * k / packed / lanes);
  return along(lane, reg % distinct, element, packed, std::max(1, k / (4 * packed)),
               operation.m > 8);
}

Cell cell_of_b(const MatrixOperation& operation, int lane, int reg, int element) {
  const int packed = elements_of_register(operation.b);
  const int distinct = std::max(1, operation.n * operation.k / packed / lanes);
  const Cell cell =
      along(lane, reg % distinct, element, packed, std::max(1, operation.k / (4 * packed)),
            operation.n == 32 && operation.m == 8);
  return {cell.column, cell.row};
}

Cell cell_of_c(const MatrixOperation& operation, Number number, int lane, int reg, int element) {
  const int nth = reg * elements_of_register(number) + element;
  const int group = lane >> 2, pair = 2 * (lane & 3) + (nth & 1), eight = nth >> 1;
  if (operation.m == 8 && operation.n == 32) return {pair, group + 8 * eight};
  const int rows = operation.m / 8;
  return {group + 8 * (eight % rows), pair + 8 * (eight / rows)};
}

namespace {

// m8n8k4 of f16: lanes 4q … 4q + 3 and 16 + 4q … 16 + 4q + 3 make product q.
struct Quad {
  int product, low;
  bool high;
};
Quad quad_of(int lane) { return {lane % 16 / 4, lane % 4, lane >= 16}; }
int quad_c(const MatrixOperation&, Number number, int lane, int nth) {
  const Quad quad = quad_of(lane);
  const int row = number == Number::f16 ? quad.low : (lane & 1) + (nth & 2);
  const int column = number == Number::f16 ? nth : (nth & 4) + (lane & 2) + (nth & 1);
  return (quad.product * 8 + row + 4 * quad.high) * 8 + column;
}

template <class F>
void each_element(int registers, int packed, F&& f) {
  for (int reg = 0; reg < registers; ++reg) {
    for (int element = 0; element < packed; ++element) {
      for (int lane = 0; lane < lanes; ++lane)
        f(lane, reg, element, uint32_t((reg * packed + element) * lanes + lane));
    }
  }
}

uint32_t blocked(const MatrixOperation& operation, Cell cell) {  // of B
  const int k = operation.b == Number::b1 ? operation.k / 32 : operation.k;
  return uint32_t((cell.column / column_block * k + cell.row) * column_block +
                  cell.column % column_block);
}

}  // namespace

// fp8 of mma.sync runs as f16: the first product has the even pairs of every four of k, the second
// the odd ones; of a sparse product it is pairs of pairs.
int in_halves(const MatrixOperation& operation, int k) {
  if (operation.sum != Sum::fused_halves) return k;
  if (operation.group) return (k >> 2 & 1) * operation.k / 2 + (k >> 3) * 4 + (k & 3);
  return (k >> 1 & 1) * operation.k / 2 + (k >> 2) * 2 + (k & 1);
}

void place_quads(MatrixOperation& operation, bool a_is_row, bool b_is_row) {
  operation.order_a.resize(128), operation.order_b.resize(128), operation.order_c.resize(256);
  each_element(2, 2, [&](int lane, int reg, int element, uint32_t from) {
    const Quad quad = quad_of(lane);
    const int i = reg * 2 + element, up = 4 * quad.high;
    const int row = a_is_row ? quad.low + up : i + up, a_k = a_is_row ? i : quad.low;
    operation.order_a[size_t(quad.product * 32 + row * 4 + a_k)] = from;
    const int column = b_is_row ? i + up : quad.low + up, b_k = b_is_row ? quad.low : i;
    operation.order_b[size_t(quad.product * 32 + b_k * 8 + column)] = from;
  });
  each_element(operation.registers_c, elements_of_register(operation.c),
               [&](int lane, int reg, int element, uint32_t from) {
                 const int nth = reg * elements_of_register(operation.c) + element;
                 operation.order_c[size_t(quad_c(operation, operation.c, lane, nth))] = from;
               });
  operation.order_d.resize(size_t(operation.registers_d * elements_of_register(operation.d)) *
                           lanes);
  each_element(operation.registers_d, elements_of_register(operation.d),
               [&](int lane, int reg, int element, uint32_t to) {
                 const int nth = reg * elements_of_register(operation.d) + element;
                 operation.order_d[to] = uint32_t(quad_c(operation, operation.d, lane, nth));
               });
}

void place_fragments(MatrixOperation& operation) {
  const bool bits = operation.a == Number::b1;  // the order is of whole words
  const int wide = bits ? 32 : 1, k = (operation.group ? operation.k / 2 : operation.k) / wide;
  if (!operation.a_described) {
    operation.order_a.resize(size_t(operation.m * k));
    each_element(operation.registers_a, elements_of_register(operation.a) / wide,
                 [&](int lane, int reg, int element, uint32_t from) {
                   const Cell cell = cell_of_a(operation, lane, reg, element * wide);
                   const int column = cell.column / wide;
                   operation.order_a[size_t(
                       cell.row * k + (operation.group ? column : in_halves(operation, column)))] =
                       from;
                 });
  }
  if (!operation.b_described) {
    operation.order_b.resize(size_t(operation.n * operation.k / wide));
    each_element(operation.registers_b, elements_of_register(operation.b) / wide,
                 [&](int lane, int reg, int element, uint32_t from) {
                   Cell cell = cell_of_b(operation, lane, reg, element * wide);
                   cell.row = in_halves(operation, cell.row / wide);
                   operation.order_b[blocked(operation, cell)] = from;
                 });
  }
  auto index = [&](Cell cell) { return uint32_t(cell.row * operation.n + cell.column); };
  operation.order_c.resize(size_t(operation.m * operation.n));
  each_element(operation.registers_c, elements_of_register(operation.c),
               [&](int lane, int reg, int element, uint32_t from) {
                 operation.order_c[index(cell_of_c(operation, operation.c, lane, reg, element))] =
                     from;
               });
  operation.order_d.resize(size_t(operation.registers_d * elements_of_register(operation.d)) *
                           lanes);
  each_element(operation.registers_d, elements_of_register(operation.d),
               [&](int lane, int reg, int element, uint32_t to) {
                 operation.order_d[to] =
                     index(cell_of_c(operation, operation.d, lane, reg, element));
               });
}

}  // namespace headroom::sim
