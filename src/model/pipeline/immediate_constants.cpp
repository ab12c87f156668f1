#include "model/pipeline/immediate_constants.h"

#include <algorithm>

namespace headroom {
namespace {

constexpr int line_shift = 6, line_shift_of_sectors = 1;
constexpr uint64_t of_access = 1ull << 63;
// Cycles until a line comes, and until the next one may, by loops over tables of 4 and 8 KiB (results/h200/operand_constants.json).
constexpr double miss = 53, turn = 7.3;
// More until a line comes that the SM has not had in this launch, and others of its 256 bytes with it: 53.6 cycles for each 64 bytes of
// the first walk over 4 to 64 KiB, by as many more than of the second (results/h200/cold_constants.json).
constexpr double cold = 214;
constexpr int together_shift = 2;

}  // namespace

bool is_constant_by_uniform(const sass::Instruction& instruction) {
  return instruction.opcode == "ULDC" &&
         std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
           return operand.kind == sass::OperandKind::constant &&
                  operand.uniform != sass::zero_uniform;
         });
}

uint64_t constant_line(const sass::Instruction& instruction) {
  if (instruction.opcode == "LDC" || is_constant_by_uniform(instruction)) return no_line;
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::constant && operand.index != 0)
      return uint64_t(operand.index) << 32 | uint64_t(operand.value) >> line_shift;
  return no_line;
}

uint64_t constant_line(uint64_t sector) { return of_access | sector >> line_shift_of_sectors; }

double ImmediateConstants::wait(size_t part, uint64_t line, double now) {
  auto& lines = parts_[part];
  auto place = std::ranges::find(lines, line, &Line::line);
  if (place == lines.end()) {
    const double begin = std::max(free_, now);
    free_ = begin + turn;
    const auto [had, is_new] = had_.try_emplace(line >> together_shift, begin + miss + cold);
    *--place = {line, is_new ? had->second : std::max(begin + miss, had->second)};
  }
  std::rotate(lines.begin(), place, place + 1);
  return std::max(now, lines.front().from);
}

}  // namespace headroom
