// What kind of work an instruction is. One row a class: its value, what a person reads, and the
// counter of its instructions: the key in JSON, the meaning, Nsight Compute's name.
//
//   InstructionClass::fp32   "FP32"   fp32_instructions, "… 32-bit floating point arithmetic", estimate
//
// No class has Nsight Compute's name yet: it counts machine code, and these are instructions of PTX.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "record/counters.h"

namespace headroom {

enum class InstructionClass : uint8_t {
  fp32,
  fp64,
  fp16,
  integer,
  special,
  conversion,
  memory,
  control,
  tensor,
  move,
  other
};

struct InstructionClassRow {
  InstructionClass kind;
  std::string_view title;
  CounterField counter;
};

// In the order in which a report names them.
inline constexpr auto instruction_classes = std::to_array<InstructionClassRow>({
    // clang-format off
    {InstructionClass::fp32, "FP32", {"fp32_instructions", "instructions", "of these warp instructions, 32-bit floating point arithmetic", Basis::estimate, "", &Counters::fp32_instructions}},
    {InstructionClass::fp64, "FP64", {"fp64_instructions", "instructions", "64-bit floating point arithmetic", Basis::estimate, "", &Counters::fp64_instructions}},
    {InstructionClass::fp16, "FP16", {"fp16_instructions", "instructions", "16-bit floating point arithmetic, packed pairs included", Basis::estimate, "", &Counters::fp16_instructions}},
    {InstructionClass::integer, "integer", {"integer_instructions", "instructions", "integer arithmetic, logic and shifts", Basis::estimate, "", &Counters::integer_instructions}},
    {InstructionClass::special, "special", {"special_instructions", "instructions", "special functions: rcp, rsqrt, sqrt, sin, cos, ex2, lg2, tanh", Basis::estimate, "", &Counters::special_instructions}},
    {InstructionClass::conversion, "conversion", {"conversion_instructions", "instructions", "conversions between types", Basis::estimate, "", &Counters::conversion_instructions}},
    {InstructionClass::memory, "memory", {"memory_instructions", "instructions", "loads, stores and atomics of every space but parameters and constants", Basis::estimate, "", &Counters::memory_instructions}},
    {InstructionClass::control, "control", {"control_instructions", "instructions", "branches, calls, returns, barriers and votes", Basis::estimate, "", &Counters::control_instructions}},
    {InstructionClass::tensor, "tensor", {"tensor_instructions", "instructions", "products of matrices: mma, wmma and wgmma, whose every warp counts", Basis::exact, "", &Counters::tensor_instructions}},
    {InstructionClass::move, "moves", {"move_instructions", "instructions", "moves, address conversions, loads of parameters and constants: what machine code mostly folds into operands", Basis::estimate, "", &Counters::move_instructions}},
    {InstructionClass::other, "other", {"other_instructions", "instructions", "selections and the rest", Basis::estimate, "", &Counters::other_instructions}},
    // clang-format on
});
static_assert(std::ranges::is_sorted(instruction_classes, {}, &InstructionClassRow::kind) &&
                  instruction_classes.size() == size_t(InstructionClass::other) + 1,
              "a row for each class, in their order");

constexpr const InstructionClassRow& row_of(InstructionClass kind) {
  return instruction_classes[size_t(kind)];
}

}  // namespace headroom
