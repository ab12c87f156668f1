// Inputs that are hard for products, their sums in double precision, and the errors of rungs.
#include <cmath>
#include <limits>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/common/refusal.h"
#include "studies/common/results.h"
#include "studies/sgemm/accuracy.h"
#include "studies/sgemm/matrices.h"

namespace sgemm {
namespace {

// An element of A, or of B transposed: `row` is that of C (its column), `x` uniform in [-1, 1).
struct Element {
  uint64_t row, k, bits;
  float x;
};
using Make = float (*)(const Element&);

int between(uint64_t bits, int least, int most) {
  return least + int(bits % uint64_t(most - least + 1));
}
uint64_t scramble(uint64_t number) { return study::random_bits(1, number); }

float uniform(const Element& e) { return e.x; }
float positive(const Element& e) { return std::fabs(e.x); }
float scaled(const Element& e) { return std::ldexp(e.x, between(e.bits, -20, 20)); }
float scaled_row(const Element& e) { return std::ldexp(e.x, between(scramble(e.row), -40, 40)); }
float up(const Element& e) { return std::ldexp(e.x, between(scramble(e.k), -20, 20)); }
float down(const Element& e) { return std::ldexp(e.x, -between(scramble(e.k), -20, 20)); }
float special(const Element& e) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const uint64_t one_of = e.bits % 4096;
  return one_of == 0   ? infinity
         : one_of == 1 ? -infinity
         : one_of == 2 ? NAN
         : one_of < 64 ? 0
                       : e.x;
}
float huge_row(const Element& e) { return std::ldexp(e.x, between(scramble(e.row), 64, 128)); }
float tiny_row(const Element& e) { return std::ldexp(e.x, between(scramble(e.row), -148, -90)); }

struct Input {
  const char* name;
  Make a, b;
  bool judged = true;  // false: only shown
};
constexpr Input inputs[] = {
    {"[-1, 1)", uniform, uniform},
    {"[0, 1)", positive, positive},
    {"elements by 2^+-20", scaled, scaled},
    {"rows of A by 2^+-40", scaled_row, uniform},
    {"columns of A by 2^+-20, rows of B by the inverse", up, down},
    {"infinities, NaNs and zeros among [-1, 1)", special, special},
    {"rows of A by 2^64 to 2^128", huge_row, uniform, false},
    {"rows of A by 2^-148 to 2^-90", tiny_row, uniform, false},
};

struct Sum {
  double value, magnitude;
  float plain;
};

__global__ void sums_kernel(Problem p, Sum* sums) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= p.m || column >= p.n) return;
  Sum sum{};
  for (int k = 0; k < p.k; ++k) {
    const float a = p.a[int64_t(row) * p.k + k], b = p.b[int64_t(k) * p.n + column];
    sum.value += double(a) * b;
    sum.magnitude += fabs(double(a) * b);
    sum.plain = fmaf(a, b, sum.plain);
  }
  sums[int64_t(row) * p.n + column] = sum;
}

int kind(float x) { return std::isfinite(x) ? 0 : std::isnan(x) ? 1 : x > 0 ? 2 : 3; }

// A row-major rows x columns; `by_k`: the rows are k.
std::vector<float> made(Make make, int rows, int columns, bool by_k, uint64_t seed) {
  std::vector<float> values(size_t(rows) * columns);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t row = i / columns, column = i % columns;
    const Element element{by_k ? column : row, by_k ? row : column, study::random_bits(~seed, i),
                          study::random_float(seed, i)};
    values[i] = make(element);
  }
  return values;
}

struct Errors {
  double most = 0, sum = 0;
  int64_t count = 0, other_kinds = 0;
};

Errors errors_of(const std::vector<float>& c, const std::vector<Sum>& sums) {
  Errors errors;
  for (size_t i = 0; i < c.size(); ++i) {
    errors.other_kinds += kind(c[i]) != kind(sums[i].plain);
    if (!std::isfinite(c[i]) || !std::isfinite(sums[i].plain)) continue;
    const double unit = std::max(std::ldexp(sums[i].magnitude, -24), std::ldexp(1.0, -149));
    const double error = std::fabs(c[i] - sums[i].value) / unit;
    errors.most = std::max(errors.most, error);
    errors.sum += error;
    ++errors.count;
  }
  return errors;
}

}  // namespace

int accuracy(const std::vector<const Rung*>& rungs, const std::vector<Shape>& shapes, uint64_t seed,
             const std::string& title, const std::string& json) {
  study::Table table(
      {"rung", "input", "m", "n", "k", "error", "mean error", "other kinds", "verified"});
  study::Results results(
      title, json, [&] { return table; }, [] {});
  int failures = 0;
  for (const Input& input : inputs) {
    for (const Shape& shape : shapes) {
      const study::DeviceBuffer<float> a(made(input.a, shape.m, shape.k, false, seed));
      const study::DeviceBuffer<float> b(made(input.b, shape.k, shape.n, true, seed + 1));
      const std::vector<float> poison(shape.elements_of_c(), 1e30f);
      study::DeviceBuffer<float> c(poison.size());
      study::DeviceBuffer<Sum> device_sums(poison.size());
      Problem problem{shape.m, shape.n, shape.k, 1, 0, a.data(), b.data(), c.data(), nullptr};
      const dim3 block(32, 8), grid(blocks_over(shape.n, 32), blocks_over(shape.m, 8));
      sums_kernel<<<grid, block>>>(problem, device_sums.data());
      CHECK(cudaGetLastError());
      std::vector<Sum> sums;
      device_sums.read(sums);
      for (const Rung* rung : rungs) {
        const Workspace workspace(*rung, problem);
        problem.workspace = workspace.data();
        c.write(poison);
        const std::string refused = study::refusal([&] {
          rung->launch(problem);
          CHECK(cudaGetLastError());
        });
        if (!refused.empty()) {
          table.note(rung->name, refused);
          continue;
        }
        std::vector<float> after;
        c.read(after);
        const Errors errors = errors_of(after, sums);
        const bool right = errors.most <= 8 * std::sqrt(shape.k + 3.0) && errors.other_kinds == 0;
        failures += input.judged && !right;
        table.row({rung->name, input.name, study::number(shape.m, 0), study::number(shape.n, 0),
                   study::number(shape.k, 0), study::number(errors.most, 2),
                   study::number(errors.count ? errors.sum / errors.count : 0, 2),
                   study::number(double(errors.other_kinds), 0),
                   !input.judged ? "shown"
                   : right       ? "PASS"
                                 : "FAIL"});
      }
    }
  }
  return results.finish(!failures);
}

}  // namespace sgemm
