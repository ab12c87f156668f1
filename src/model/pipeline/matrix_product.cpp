#include "model/pipeline/matrix_product.h"

#include <algorithm>

#include "sass/matrix_shape.h"

namespace headroom {
namespace {

// How much longer than one of FP16.
double weight(const sass::Instruction& instruction) {
  const auto any = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return instruction.has(name); });
  };
  if (instruction.opcode == "DMMA") return 16;
  if (instruction.opcode == "BMMA") return 1.0 / 16;
  if (any({".TF32"})) return 2;
  if (any({".S4", ".U4"})) return 0.25;
  if (any({".S8", ".U8", ".E4M3", ".E5M2"})) return 0.5;
  return 1;
}

}  // namespace

double f16_multiply_adds(const sass::Instruction& instruction) {
  const sass::MatrixShape shape = sass::matrix_shape(instruction);
  const double left = instruction.has(".SP") ? 0.5 : 1;
  return double(shape.m) * shape.n * shape.k * left * weight(instruction);
}

double cycles_of_product(const sass::Instruction& instruction, const Machine& machine) {
  constexpr double of_h200 = 1317, of_hfma2 = 6;  // a clock and SM; cycles, not measured
  const double products = f16_multiply_adds(instruction);
  if (products == 0) return of_hfma2;
  const double schedulers = std::max(1.0, machine.warp_schedulers.value_or(4));
  const double rate = machine.tensor_f16_per_clock.value_or(0),
               fp64 = machine.fp64_per_clock.value_or(0);
  const double cycles = products * schedulers / (rate > 0 ? rate : of_h200);
  // Where doubles are rare, no tensor core multiplies them.
  const bool rare = instruction.opcode == "DMMA" && fp64 > 0 && fp64 < 32;
  return rare ? products / weight(instruction) * schedulers / fp64 : cycles;
}

}  // namespace headroom
