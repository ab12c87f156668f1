// Advice on what is executed: lanes that are out, register banks, and instructions that others could spare.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/pipeline/asking.h"

namespace headroom {
namespace {

bool any(const std::vector<bool>& found) { return std::ranges::find(found, true) != found.end(); }

// Of sinf and cosf 2 / π, by which they reduce their argument; of expf 1 / (88 ln 2), by which it keeps it
// in range.
bool is_accurate(const sass::Instruction& instruction) {
  constexpr int64_t of_sine = 0x3f22f983, of_exponential = 0x3bbb989d;
  return std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
    return (operand.kind == sass::OperandKind::immediate ||
            operand.kind == sass::OperandKind::real) &&
           (operand.value == of_sine || operand.value == of_exponential);
  });
}

// What ptxas makes of a root, a reciprocal or a quotient that is rounded as IEEE 754 asks: a test whether the
// operand is an ordinary one, by its exponent, and behind it the repair of an approximation.
bool tests_root_or_reciprocal(const sass::Instruction& instruction) {
  constexpr int64_t of_root = 0xf3000000, of_reciprocal = 0x01800000;
  return (instruction.opcode == "IADD3" || instruction.opcode == "VIADD") &&
         std::ranges::any_of(instruction.operands, [&](const sass::Operand& operand) {
           const int64_t word = operand.value & 0xffffffff;
           return operand.kind == sass::OperandKind::immediate &&
                  (word == of_root || word == of_reciprocal);
         });
}
bool tests_quotient(const sass::Instruction& instruction) { return instruction.opcode == "FCHK"; }

}  // namespace

template <class Is>
std::vector<bool> Asking::where(Is is) const {
  std::vector<bool> found(task_.trace.code.size());
  for (size_t i = 0; i < found.size(); ++i)
    found[i] = evidence_.executed.by_instruction[i] > 0 && is(*task_.trace.code[i].instruction);
  return found;
}

uint32_t Asking::most_executed(const std::vector<bool>& of) const {
  uint32_t most = uint32_t(std::ranges::find(of, true) - of.begin());
  for (uint32_t i = most; i < of.size(); ++i)
    if (of[i] && evidence_.executed.by_instruction[i] > evidence_.executed.by_instruction[most])
      most = i;
  return most;
}

void Asking::instructions() {
  if (evidence_.lost_lanes.total > 0.05 * evidence_.executed.total &&
      task_.record.counters.divergent_branches > 0)
    ask({.id = "divergence",
         .question = {.relief = {.divergence = true}, .kept = evidence_.of_one_thread},
         .what = fmt::format("divergent branches: {:.1f} of 32 lanes are active",
                             mean_active_lanes(task_.record.counters)),
         .next = "let whole warps take the same side: sort the work, or compute both sides",
         .cost = &evidence_.diverging});
  if (time_.run.bank_cycles > 0)
    ask({.id = "register_banks",
         .question = {.relief = {.register_banks = true}},
         .what = fmt::format("operands in one register bank cost {:.2f} cycles an instruction",
                             time_.run.bank_cycles / double(time_.run.issued)),
         .next = "reorder the products so that an operand is used again by the next instruction "
                 "(studies/sgemm/register_banks.cu)",
         .instruction = worst(Stall::dispatch_stall)});
  double_precision();
  division();
  accurate_functions();
  correct_rounding();
  reloads();
  narrow();
}

// 1.0 where 1.0f was meant: values become doubles and floats again.
void Asking::double_precision() {
  const auto is_conversion = [this](std::string_view to) {
    return where([to](const sass::Instruction& each) {
      return each.opcode == "F2F" && !each.modifiers.empty() &&
             each.modifiers.front().starts_with(to) &&
             std::ranges::any_of(each.modifiers, [](std::string_view modifier) {
               return modifier.find("F64") != modifier.npos;
             });
    });
  };
  const std::vector<bool> widened = is_conversion(".F64"), narrowed = is_conversion(".F32");
  if (!any(widened) || !any(narrowed)) return;  // a sum of doubles is meant so
  std::vector<bool> converts = widened;
  for (size_t i = 0; i < converts.size(); ++i) converts[i] = widened[i] || narrowed[i];
  ask({.id = "double_precision",
       .question = {.relief = {.double_rate = true}, .left_out = converts},
       .what = "floats are converted to double and back",
       .next = "write 1.0f, not 1.0, and call sqrtf, not sqrt",
       .instruction = most_executed(converts)});
}

// What ptxas makes of x / n and x % n: in the basic blocks and on the lines that have a reciprocal of an
// integer, rounded up.
void Asking::division() {
  if (!task_.listing) return;
  const auto& code = task_.trace.code;
  const auto& lines = task_.listing->instructions;
  std::vector<bool> left_out(code.size());
  uint32_t worst = 0;
  double most = 0;
  for (const TracedBasicBlock& block : task_.trace.basic_blocks) {
    std::set<std::pair<uint32_t, uint32_t>> divides;
    for (uint32_t i = block.first; i <= block.last && block.first <= block.last; ++i) {
      const sass::Instruction& each = *code[i].instruction;
      if (each.opcode != "I2F" || lines[i].file == no_source_file ||
          evidence_.executed.by_instruction[i] == 0 ||
          !std::ranges::any_of(each.modifiers,
                               [](std::string_view modifier) { return modifier.ends_with(".RP"); }))
        continue;
      divides.insert({lines[i].file, lines[i].line});
      if (evidence_.executed.by_instruction[i] > most) {
        most = evidence_.executed.by_instruction[i];
        worst = i;
      }
    }
    for (uint32_t i = block.first; i < block.last && !divides.empty(); ++i)
      left_out[i] = divides.contains({lines[i].file, lines[i].line}) &&
                    model_.code[i].action == Action::plain;
  }
  if (most == 0) return;
  ask({.id = "integer_division",
       .question = {.left_out = left_out},
       .what = "division by an integer that is not known when compiling",
       .next = "divide by a constant or a power of two, or multiply by a reciprocal that the host "
               "computes",
       .instruction = worst});
}

void Asking::accurate_functions() {
  if (!task_.listing) return;
  const std::vector<bool> found = where(is_accurate);
  const auto& lines = task_.listing->instructions;
  std::set<std::pair<uint32_t, uint32_t>> there;
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i] && lines[i].file != no_source_file) there.insert({lines[i].file, lines[i].line});
  if (there.empty()) return;
  std::vector<bool> left_out(found.size());
  for (size_t i = 0; i < found.size(); ++i)
    left_out[i] = there.contains({lines[i].file, lines[i].line}) &&
                  model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu;
  ask({.id = "accurate_functions",
       .question = {.left_out = left_out},
       .what = "the accurate sinf, cosf or expf",
       .next = "__sinf, __expf, or -use_fast_math, where their error is small enough",
       .instruction = most_executed(found)});
}

// Kept are the approximation of the hardware and what it is made of; a root and a reciprocal are repaired in the
// basic block behind the test, a quotient before it.
void Asking::correct_rounding() {
  const auto& code = task_.trace.code;
  const auto& blocks = task_.trace.basic_blocks;
  std::vector<bool> left_out(code.size());
  const auto leave_out = [&](uint32_t from, uint32_t last) {
    for (uint32_t i = from; i <= last; ++i)
      left_out[i] = model_.code[i].action == Action::plain && model_.code[i].unit != Unit::xu;
  };
  const auto is_executed = [&](size_t block) {
    return blocks[block].first <= blocks[block].last &&
           evidence_.executed.by_instruction[blocks[block].first] > 0;
  };
  std::optional<uint32_t> worst;
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (!is_executed(b)) continue;
    for (uint32_t i = blocks[b].first; i <= blocks[b].last; ++i) {
      const bool repaired_behind = tests_root_or_reciprocal(*code[i].instruction);
      if (!repaired_behind && !tests_quotient(*code[i].instruction)) continue;
      uint32_t from = i;
      if (!repaired_behind)
        while (from > blocks[b].first && model_.code[from - 1].unit != Unit::xu) --from;
      leave_out(from, blocks[b].last);
      for (size_t next = b + 1; repaired_behind && next < std::min(b + 4, blocks.size()); ++next)
        if (is_executed(next)) {
          leave_out(blocks[next].first, blocks[next].last);
          break;
        }
      const auto& executed = evidence_.executed.by_instruction;
      if (!worst || executed[i] > executed[*worst]) worst = i;
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

// Loads and stores of one place, round by round. Stores between them also keep the compiler from loading what
// else the rounds need ahead of time.
void Asking::reloads() {
  std::vector<bool> left_out(task_.trace.code.size());
  double sum = 0;
  bool stores = false;
  for (size_t i = 0; i < left_out.size(); ++i) {
    const double again = evidence_.again.by_instruction[i];
    left_out[i] = again > 0.5 * evidence_.executed.by_instruction[i] && again > 0;
    sum += left_out[i] ? again : 0;
    stores |= left_out[i] && model_.code[i].global_store;
  }
  if (sum == 0) return;
  ask({.id = "reloads",
       .question = {.relief = {.latency = stores}, .left_out = left_out},
       .what = fmt::format("{:.0f} % of the global accesses are to where the same warp was before",
                           100 * sum / evidence_.global.total),
       .next = "keep the value in a register: a local variable, const __restrict__ pointers",
       .cost = &evidence_.again});
}

// Bytes and halves: a thread that moves a word does the work of several.
void Asking::narrow() {
  if (evidence_.narrow.total < 0.8 * evidence_.global.total || evidence_.global.total == 0) return;
  ask({.id = "narrow_accesses",
       .question = {.relief = {.block_starts = true, .few_global_accesses = true}},
       .what = "accesses of less than four bytes a thread (gain: a quarter as many, and as many "
               "blocks)",
       .next = "let a thread move 4 to 16 bytes: uchar4, half2, float4",
       .cost = &evidence_.narrow});
}

}  // namespace headroom
