// Advice on numbers that are more exact, or wider, than the result needs: doubles among floats, quotients and roots
// that are rounded as IEEE 754 asks, quotients of integers. The gain is what the model saves without the instructions
// that ptxas made for it, those of functions that it calls too.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/pipeline/asking.h"
#include "model/pipeline/registers.h"

namespace headroom {
namespace {

bool any(const std::vector<bool>& found) { return std::ranges::find(found, true) != found.end(); }

bool has_immediate(const sass::Instruction& instruction, std::initializer_list<int64_t> words) {
  return std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
    return (operand.kind == sass::OperandKind::immediate ||
            operand.kind == sass::OperandKind::real) &&
           std::ranges::find(words, operand.value & 0xffffffff) != words.end();
  });
}

// Of sinf and cosf 2 / π, by which they reduce their argument; of expf 1 / (88 ln 2), by which it keeps it
// in range.
bool is_accurate(const sass::Instruction& instruction) {
  return has_immediate(instruction, {0x3f22f983, 0x3bbb989d});
}

// What ptxas makes of a root, a reciprocal or a quotient that is rounded as IEEE 754 asks: a test whether the
// operand is an ordinary one, by its exponent, and behind it the repair of an approximation.
bool tests_root_or_reciprocal(const sass::Instruction& instruction) {
  return (instruction.opcode == "IADD3" || instruction.opcode == "VIADD") &&
         has_immediate(instruction, {0xf3000000, 0x01800000});
}
bool tests_root(const sass::Instruction& instruction) {
  return tests_root_or_reciprocal(instruction) && has_immediate(instruction, {0xf3000000});
}
bool tests_quotient(const sass::Instruction& instruction) { return instruction.opcode == "FCHK"; }

// The reciprocal of an integer, rounded up: x / n and x % n begin so.
bool begins_integer_quotient(const sass::Instruction& instruction) {
  return instruction.opcode == "I2F" &&
         std::ranges::any_of(instruction.modifiers,
                             [](std::string_view modifier) { return modifier.ends_with(".RP"); });
}

bool converts_double(const sass::Instruction& instruction, std::string_view to) {
  return instruction.opcode == "F2F" && !instruction.modifiers.empty() &&
         instruction.modifiers.front().starts_with(to) &&
         std::ranges::any_of(instruction.modifiers, [](std::string_view modifier) {
           return modifier.find("F64") != modifier.npos;
         });
}

// Multiplications by which a double's reciprocal, or that of a root, is improved once more than a float's.
int second_improvement(const sass::Instruction& instruction) {
  return instruction.has(".RCP64H") ? 2 : instruction.has(".RSQ64H") ? 3 : 0;
}

bool reads_any(const sass::Instruction& instruction, const std::set<uint16_t>& numbers) {
  return std::ranges::any_of(numbers, [&](uint16_t number) { return reads(instruction, number); });
}

std::set<uint16_t> written_by(const sass::Instruction& instruction) {
  std::set<uint16_t> numbers;
  each_written(instruction, [&](const Register& name) {
    if (name.first == sass::OperandKind::reg) numbers.insert(name.second);
  });
  return numbers;
}

// Of a register that holds two it takes the same half for both.
bool is_scalar_half(const sass::Instruction& instruction) {
  constexpr std::string_view opcodes[] = {"HADD2", "HMUL2", "HFMA2", "HMNMX2", "VHMNMX"};
  if (std::ranges::find(opcodes, instruction.opcode) == std::end(opcodes) ||
      instruction.has(".F32"))
    return false;
  bool one = false, both = false;
  for (const sass::Operand& operand : instruction.operands) {
    if (operand.kind != sass::OperandKind::reg || operand.written ||
        operand.index == sass::zero_register)
      continue;
    const bool same = std::ranges::any_of(operand.suffixes, [](std::string_view suffix) {
      return suffix == ".H0_H0" || suffix == ".H1_H1";
    });
    (same ? one : both) = true;
  }
  return one && !both;
}

void leave_out_all(const Stretch& stretch, std::vector<bool>& left_out) {
  std::fill(left_out.begin() + stretch.first, left_out.begin() + stretch.last + 1, true);
}

}  // namespace

template <class Is>
std::vector<bool> Asking::where(Is is) const {
  std::vector<bool> found(task_.trace.code.size());
  for (size_t i = 0; i < found.size(); ++i)
    found[i] = evidence_.executed.by_instruction[i] > 0 && is(*task_.trace.code[i].instruction);
  return found;
}

void Asking::numbers() {
  double_precision();
  division();
  accurate_functions();
  correct_rounding();
  scalar_halves();
}

bool Asking::on_line_of(uint32_t instruction, uint32_t other) const {
  if (!task_.listing) return false;
  const MachineInstruction &a = task_.listing->instructions[instruction],
                           &b = task_.listing->instructions[other];
  return a.file != no_source_file && a.file == b.file && a.line == b.line;
}

// 1.0 where 1.0f was meant: values become doubles and floats again. Without, doubles are floats: their operations take
// the time of FP32's, and an approximation of 20 bits is improved once rather than twice.
void Asking::double_precision() {
  const std::vector<bool> widened = where([](auto&each) { return converts_double(each, ".F64"); }),
                          narrowed = where([](auto&each) { return converts_double(each, ".F32"); });
  if (!any(widened) || !any(narrowed)) return;  // a sum of doubles is meant so
  std::vector<bool> converts = widened;
  for (size_t i = 0; i < converts.size(); ++i) converts[i] = widened[i] || narrowed[i];
  std::vector<bool> left_out = converts;
  for (const TracedBasicBlock& block : task_.trace.basic_blocks) {
    int needless = 0;
    for (uint32_t i = block.first; i <= block.last && block.first <= block.last; ++i) {
      needless = std::max(needless, second_improvement(*task_.trace.code[i].instruction));
      if (needless > 0 && model_.code[i].unit == Unit::fp64) {
        left_out[i] = true;
        --needless;
      }
    }
  }
  ask({.id = "double_precision",
       .question = {.relief = {.double_rate = true}, .left_out = left_out},
       .what = "floats are converted to double and back",
       .next = "write 1.0f, not 1.0, and call sqrtf, not sqrt",
       .instruction = most_executed(converts)});
}

// Of 32 bits it stands in the basic blocks and on the lines that have a reciprocal of an integer. Of 64 bits it is a
// function, and a branch that calls it only where an operand is that wide.
void Asking::division() {
  const auto& code = task_.trace.code;
  const auto& executed = evidence_.executed.by_instruction;
  std::vector<bool> left_out(code.size());
  std::optional<uint32_t> worst;
  const auto found = [&](uint32_t at) {
    if (executed[at] > 0 && (!worst || executed[at] > executed[*worst])) worst = at;
  };
  const auto leave_out = [&](uint32_t at, uint32_t line_of) {
    if (on_line_of(at, line_of)) left_out[at] = model_.code[at].action == Action::plain;
  };
  for (const Call& call : evidence_.calls) {
    bool divides = false;
    for (uint32_t i = call.function.first; i <= call.function.last; ++i)
      divides |= begins_integer_quotient(*code[i].instruction);
    if (!divides) continue;
    found(call.at);
    leave_out_all(call.function, left_out);
    for (uint32_t i = call.around.first; i <= call.around.last; ++i) leave_out(i, call.at);
  }
  for (const TracedBasicBlock& block : task_.trace.basic_blocks)
    for (uint32_t i = block.first; i <= block.last && block.first <= block.last; ++i) {
      if (executed[i] == 0 || !begins_integer_quotient(*code[i].instruction) || !on_line_of(i, i))
        continue;
      const bool is_in_function = std::ranges::any_of(
          evidence_.calls, [&](const Call& call) { return call.function.has(i); });
      if (is_in_function) continue;
      found(i);
      for (uint32_t other = block.first; other <= block.last; ++other)
        if (code[other].instruction->opcode != "BRA") leave_out(other, i);
    }
  if (!worst) return;
  ask({.id = "integer_division",
       .question = {.left_out = left_out},
       .what = "division by an integer that is not known when compiling",
       .next = "divide by a constant or a power of two, or multiply by a reciprocal that the host "
               "computes",
       .instruction = worst});
}

// As many instructions work on two halves each: half as many blocks do. What they move stays as much: no faster than
// without the arithmetic.
void Asking::scalar_halves() {
  const std::vector<bool> found = where(is_scalar_half);
  double executed = 0;
  for (size_t i = 0; i < found.size(); ++i)
    executed += found[i] ? evidence_.executed.by_instruction[i] : 0;
  const double share = executed / evidence_.executed.total;
  if (!(share > 0.1) || model_.blocks_of_sm < 2) return;
  const double by_half = answers_.to({.blocks_of_sm = model_.blocks_of_sm / 2}).seconds,
               memory = answers_.to({.relief = {.arithmetic = true}}).seconds;
  const Ask found_halves{
      .id = "scalar_halves",
      .what = fmt::format("halves one at a time: {:.0f} % of the instructions use one of the two "
                          "that a register holds (gain: half as many blocks)",
                          100 * share),
      .next = "let a thread do two: __half2 or __nv_bfloat162, with __hfma2 and its like",
      .instruction = most_executed(found)};
  tell(found_halves, time_.seconds - std::max(by_half, memory));
}

// What its line makes of the argument that is reduced or kept in range; of expf up to its product with the power of two. The reduction
// itself stands for the multiplication that the fast one has as well.
void Asking::accurate_functions() {
  if (!task_.listing) return;
  constexpr uint32_t longest = 60;  // executed instructions
  const std::vector<bool> found = where(is_accurate);
  const auto& code = task_.trace.code;
  std::vector<bool> left_out(found.size());
  for (uint32_t first = 0; first < found.size(); ++first) {
    if (!found[first]) continue;
    std::set<uint16_t> made = written_by(*code[first].instruction);
    std::set<uint16_t> power;
    uint32_t left = longest;
    for (uint32_t i = first + 1; i < code.size() && left > 0 && !made.empty(); ++i) {
      const sass::Instruction& each = *code[i].instruction;
      if (evidence_.executed.by_instruction[i] == 0) continue;
      --left;
      const bool of_it = on_line_of(i, first) && reads_any(each, made);
      if (of_it && model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu)
        left_out[i] = true;
      const bool is_result = of_it && each.opcode == "FMUL" && reads_any(each, power);
      if (each.opcode == "MUFU" && each.has(".EX2")) power = written_by(each);
      for (const uint16_t number : written_by(each))
        if (of_it && !is_result)
          made.insert(number);
        else if (!each.guarded)
          made.erase(number);
      if (is_result) break;
    }
  }
  if (!any(found)) return;
  ask({.id = "accurate_functions",
       .question = {.left_out = left_out},
       .what = "the accurate sinf, cosf or expf",
       .next = "__sinf, __expf, or -use_fast_math, where their error is small enough",
       .instruction = most_executed(found)});
}

// Kept are the approximation of the hardware and what it is made of; the reciprocal of a root is one approximation. A
// quotient is repaired before its test, a root and a reciprocal behind it; of operands that are no ordinary ones a
// function does that.
void Asking::correct_rounding() {
  const auto& code = task_.trace.code;
  const auto& executed = evidence_.executed.by_instruction;
  std::vector<bool> left_out(code.size());
  const auto leave_out = [&](uint32_t from, uint32_t last) {
    for (uint32_t i = from; i <= last; ++i)
      left_out[i] = model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu;
  };
  constexpr uint32_t longest_repair = 24;  // instructions
  uint16_t root = sass::zero_register;     // the register that the last one is in
  const auto written_last = [&](const Stretch& stretch) {
    uint16_t number = sass::zero_register;
    for (uint32_t i = stretch.first; i <= stretch.last; ++i)
      for (const sass::Operand& operand : code[i].instruction->operands)
        if (operand.kind == sass::OperandKind::reg && operand.written) number = operand.index;
    return number;
  };
  std::optional<uint32_t> worst;
  for (const TracedBasicBlock& block : task_.trace.basic_blocks) {
    if (block.first > block.last || executed[block.first] == 0) continue;
    for (uint32_t i = block.first; i <= block.last; ++i) {
      const bool repaired_behind = tests_root_or_reciprocal(*code[i].instruction);
      if (!repaired_behind && !tests_quotient(*code[i].instruction)) continue;
      uint32_t from = i;
      if (!repaired_behind)
        while (from > block.first && model_.code[from - 1].unit != Unit::xu) --from;
      leave_out(from, block.last);
      if (!worst || executed[i] > executed[*worst]) worst = i;
      const auto branch = branch_around(task_.trace, block.last);
      if (!branch || branch->last - block.last > longest_repair) continue;
      leave_out(block.last + 1, branch->last);
      if (root != sass::zero_register && reads(*code[i].instruction, root))
        for (uint32_t at = i; at <= branch->last; ++at)
          left_out[at] = left_out[at] || model_.code[at].unit == Unit::xu;
      root = sass::zero_register;
      if (tests_root(*code[i].instruction)) root = written_last({block.last + 1, branch->last});
      for (const Call& call : evidence_.calls)
        if (branch->has(call.at)) leave_out_all(call.function, left_out);
    }
  }
  if (!worst) return;
  ask({.id = "correct_rounding",
       .question = {.left_out = left_out},
       .what = "square roots, reciprocals or quotients that are rounded as IEEE 754 asks",
       .next =
           "rsqrtf, __fdividef, or -prec-sqrt=false -prec-div=false, where their error is small "
           "enough (studies/nbody/reciprocal_root.cu)",
       .instruction = worst});
}

}  // namespace headroom
