#include "model/pipeline/matrix_product.h"

#include <algorithm>

#include "model/pipeline/issue_rule.h"
#include "sass/matrix_shape.h"

namespace headroom {
namespace {

// How much longer than one of FP16.
double weight(const sass::Instruction& instruction) {
  const auto any = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return instruction.has(name); });
  };
  if (instruction.opcode == "DMMA") return 16;
  if (instruction.opcode == "BMMA" || instruction.opcode == "BGMMA") return 1.0 / 16;
  if (any({".TF32"})) return 2;
  if (any({".S4", ".U4"})) return 0.25;
  if (any({".S8", ".U8", ".E4M3", ".E5M2"})) return 0.5;
  return 1;
}

// The bytes of shared memory that a product of four warps reads, in cycles: all of B, and A where it lies there.
double shared_cycles(const sass::Instruction& instruction, const Machine& machine) {
  constexpr double rows = 64, f16 = 2;
  const sass::MatrixShape shape = sass::matrix_shape(instruction);
  const bool a_in_registers =
      std::ranges::count_if(instruction.operands, [](const sass::Operand& operand) {
        return operand.kind == sass::OperandKind::reg && !operand.written;
      }) > 1;
  const double values = shape.k * (shape.n + (a_in_registers ? 0 : rows));
  return values * f16 * weight(instruction) / machine.shared_bytes_per_clock.value_or(128);
}

}  // namespace

bool is_of_warpgroup(const sass::Instruction& instruction) {
  return instruction.opcode.ends_with("GMMA");
}

double f16_multiply_adds(const sass::Instruction& instruction) {
  const sass::MatrixShape shape = sass::matrix_shape(instruction);
  const double left = instruction.has(".SP") ? 0.5 : 1;
  return double(shape.m) * shape.n * shape.k * left * weight(instruction);
}

double cycles_of_product(const sass::Instruction& instruction, const Machine& machine) {
  constexpr double of_h200 = 1317, of_hopper = 2048;  // a clock and SM
  // HFMA2.MMA: where every other HFMA2 is one, an SM has 124 lanes a clock (machines/measured/h200.json).
  constexpr double of_hfma2 = 2;
  const double products = f16_multiply_adds(instruction);
  if (products == 0) return of_hfma2;
  const double schedulers = schedulers_of(machine);
  if (is_of_warpgroup(instruction))
    return std::max(products * schedulers / machine.warpgroup_f16_per_clock.value_or(of_hopper),
                    shared_cycles(instruction, machine));
  const double rate = machine.tensor_f16_per_clock.value_or(0),
               fp64 = machine.fp64_per_clock.value_or(0);
  const double cycles = products * schedulers / (rate > 0 ? rate : of_h200);
  // Where doubles are rare, no tensor core multiplies them.
  const bool rare = instruction.opcode == "DMMA" && fp64 > 0 && fp64 < 32;
  return rare ? products / weight(instruction) * schedulers / fp64 : cycles;
}

}  // namespace headroom
