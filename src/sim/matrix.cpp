#include "sim/matrix.h"

#include <algorithm>
#include <utility>

#include "sim/step.h"

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

Cell cell_of_a(const MatrixStep& step, int lane, int reg, int element) {
  const int packed = elements_of_register(step.a), k = step.group ? step.k / 2 : step.k;
  const int distinct = std::max(1, step.m * k / packed / lanes);
  return along(lane, reg % distinct, element, packed, std::max(1, k / (4 * packed)), step.m > 8);
}

Cell cell_of_b(const MatrixStep& step, int lane, int reg, int element) {
  const int packed = elements_of_register(step.b);
  const int distinct = std::max(1, step.n * step.k / packed / lanes);
  const Cell cell = along(lane, reg % distinct, element, packed, std::max(1, step.k / (4 * packed)),
                          step.n == 32 && step.m == 8);
  return {cell.column, cell.row};
}

Cell cell_of_c(const MatrixStep& step, Number number, int lane, int reg, int element) {
  const int nth = reg * elements_of_register(number) + element;
  const int group = lane >> 2, pair = 2 * (lane & 3) + (nth & 1), eight = nth >> 1;
  if (step.m == 8 && step.n == 32) return {pair, group + 8 * eight};
  const int rows = step.m / 8;
  return {group + 8 * (eight % rows), pair + 8 * (eight / rows)};
}

namespace {

// m8n8k4 of f16: lanes 4q … 4q + 3 and 16 + 4q … 16 + 4q + 3 make product q.
struct Quad {
  int product, low;
  bool high;
};
Quad quad_of(int lane) { return {lane % 16 / 4, lane % 4, lane >= 16}; }
int quad_c(const MatrixStep&, Number number, int lane, int nth) {
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

uint32_t blocked(const MatrixStep& step, Cell cell) {  // of B
  const int k = step.b == Number::b1 ? step.k / 32 : step.k;
  return uint32_t((cell.column / column_block * k + cell.row) * column_block +
                  cell.column % column_block);
}

}  // namespace

// fp8 of mma.sync runs as f16: the first product has the even pairs of every four of k, the second
// the odd ones; of a sparse product it is pairs of pairs.
int in_halves(const MatrixStep& step, int k) {
  if (step.sum != Sum::fused_halves) return k;
  if (step.group) return (k >> 2 & 1) * step.k / 2 + (k >> 3) * 4 + (k & 3);
  return (k >> 1 & 1) * step.k / 2 + (k >> 2) * 2 + (k & 1);
}

void place_quads(MatrixStep& step, bool a_is_row, bool b_is_row) {
  step.order_a.resize(128), step.order_b.resize(128), step.order_c.resize(256);
  each_element(2, 2, [&](int lane, int reg, int element, uint32_t from) {
    const Quad quad = quad_of(lane);
    const int i = reg * 2 + element, up = 4 * quad.high;
    const int row = a_is_row ? quad.low + up : i + up, a_k = a_is_row ? i : quad.low;
    step.order_a[size_t(quad.product * 32 + row * 4 + a_k)] = from;
    const int column = b_is_row ? i + up : quad.low + up, b_k = b_is_row ? quad.low : i;
    step.order_b[size_t(quad.product * 32 + b_k * 8 + column)] = from;
  });
  each_element(step.registers_c, elements_of_register(step.c),
               [&](int lane, int reg, int element, uint32_t from) {
                 const int nth = reg * elements_of_register(step.c) + element;
                 step.order_c[size_t(quad_c(step, step.c, lane, nth))] = from;
               });
  step.order_d.resize(size_t(step.registers_d * elements_of_register(step.d)) * lanes);
  each_element(step.registers_d, elements_of_register(step.d),
               [&](int lane, int reg, int element, uint32_t to) {
                 const int nth = reg * elements_of_register(step.d) + element;
                 step.order_d[to] = uint32_t(quad_c(step, step.d, lane, nth));
               });
}

void place_fragments(MatrixStep& step) {
  const bool bits = step.a == Number::b1;  // the order is of whole words
  const int wide = bits ? 32 : 1, k = (step.group ? step.k / 2 : step.k) / wide;
  if (!step.a_described) {
    step.order_a.resize(size_t(step.m * k));
    each_element(
        step.registers_a, elements_of_register(step.a) / wide,
        [&](int lane, int reg, int element, uint32_t from) {
          const Cell cell = cell_of_a(step, lane, reg, element * wide);
          const int column = cell.column / wide;
          step.order_a[size_t(cell.row * k + (step.group ? column : in_halves(step, column)))] =
              from;
        });
  }
  if (!step.b_described) {
    step.order_b.resize(size_t(step.n * step.k / wide));
    each_element(step.registers_b, elements_of_register(step.b) / wide,
                 [&](int lane, int reg, int element, uint32_t from) {
                   Cell cell = cell_of_b(step, lane, reg, element * wide);
                   cell.row = in_halves(step, cell.row / wide);
                   step.order_b[blocked(step, cell)] = from;
                 });
  }
  auto index = [&](Cell cell) { return uint32_t(cell.row * step.n + cell.column); };
  step.order_c.resize(size_t(step.m * step.n));
  each_element(step.registers_c, elements_of_register(step.c),
               [&](int lane, int reg, int element, uint32_t from) {
                 step.order_c[index(cell_of_c(step, step.c, lane, reg, element))] = from;
               });
  step.order_d.resize(size_t(step.registers_d * elements_of_register(step.d)) * lanes);
  each_element(step.registers_d, elements_of_register(step.d),
               [&](int lane, int reg, int element, uint32_t to) {
                 step.order_d[to] = index(cell_of_c(step, step.d, lane, reg, element));
               });
}

}  // namespace headroom::sim
