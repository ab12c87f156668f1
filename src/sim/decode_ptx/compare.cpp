// Comparisons: setp, set, and lop3 with a predicate, which are a row's comparison and what joins it
// with another predicate. Pairs of halves are compared a half at a time.
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {
namespace {

// A comparison's spelling, as that of its row, and how its result is joined: "setp.lt.f16", "and".
struct Parts {
  std::string spelling = "setp", join;
  int halves = 1;
};
Parts parts_of(const ptx::Instruction& instruction, ptx::Type compared) {
  Parts parts;
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier == ".and" || modifier == ".or" || modifier == ".xor")
      parts.join = modifier.substr(1);
    else if (!ptx::type_named(modifier))
      parts.spelling += modifier;
  }
  const std::string type(name_of(compared));
  const bool pair = compared == ptx::Type::f16x2 || compared == ptx::Type::bf16x2;
  parts.halves = pair ? 2 : 1;
  parts.spelling += "." + (pair ? type.substr(0, type.size() - 2) : type);
  return parts;
}

}  // namespace

// The predicates of a comparison of a and b, one for each half of a pair, joined with c.
std::vector<uint32_t> FunctionDecoder::compare(const Instruction& instruction, ptx::Type type,
                                               size_t first) {
  const Parts parts = parts_of(instruction, type);
  const std::vector<const Operand*> operands = flat(instruction);
  const Row* row = find_row(parts.spelling, 3);
  if (!row) unsupported(instruction, "not executed yet");
  std::vector<uint32_t> a, b, out;
  for (auto [list, n] : {std::pair{&a, first}, std::pair{&b, first + 1}}) {
    const int bytes = row->sort[1] * parts.halves;
    list->push_back(input(*operands.at(n), bytes));
    if (parts.halves == 1) continue;
    const uint32_t whole = list->back();
    *list = {temporary(2), temporary(2)};
    add("!unpack4x2", {list->at(0), list->at(1), whole});
  }
  for (int half = 0; half < parts.halves; ++half) {
    out.push_back(temporary(0));
    add(*row, {out.back(), a[size_t(half)], b[size_t(half)]});
  }
  return out;
}

uint32_t FunctionDecoder::joined(const Instruction& instruction, uint32_t holds, const Operand& c) {
  const std::string join = parts_of(instruction, ptx::Type::b32).join;
  if (join.empty()) return holds;
  const uint32_t both = temporary(0);
  add(join + ".pred", {both, holds, input(c, 0)});
  return both;
}

// setp.cmp[.bool][.ftz].type p[|q], a, b[, [!]c]: q is the opposite of p before both are joined
// with c; of pairs p is about the low halves, q about the high ones.
void FunctionDecoder::decode_setp(const Instruction& instruction) {
  const std::vector<const Operand*> operands = flat(instruction);
  const bool pair = instruction.operands.at(0).kind == Kind::list;
  const size_t in = pair ? 2 : 1;
  if (!pair && instruction.operands.size() == 3 &&
      parts_of(instruction, instruction.type()).halves == 1) {
    const Row* row = find_row(instruction.spelled(), 3);  // the usual case is one operation
    if (!row) unsupported(instruction, "not executed yet");
    const uint32_t a = input(*operands[1], row->sort[1]), b = input(*operands[2], row->sort[2]);
    return add(*row, {output(*operands[0], 0), a, b});
  }
  std::vector<uint32_t> holds = compare(instruction, instruction.type(), in);
  if (pair && holds.size() == 1) {
    holds.push_back(temporary(0));
    add("not.pred", {holds[1], holds[0]});
  }
  for (size_t n = 0; n < in && instruction.operands.size() == 4; ++n)
    holds[n] = joined(instruction, holds[n], *operands.at(in + 2));  // before p may overwrite c
  for (size_t n = 0; n < in; ++n) add("mov.pred", {output(*operands[n], 0), holds[n]});
}

// set.cmp[.bool][.ftz].dtype.stype d, a, b[, [!]c]: 1.0 or all ones where it holds, else zero; of
// pairs in each half.
void FunctionDecoder::decode_set(const Instruction& instruction) {
  const ptx::Type to = instruction.type(0);
  const std::vector<Operand>& operands = instruction.operands;
  const std::vector<uint32_t> holds = compare(instruction, instruction.type(1), 1);
  const int halves = int(holds.size()), bytes = size_of(to) / halves;
  const bool f16 = to == ptx::Type::f16 || to == ptx::Type::f16x2;
  const bool bf16 = to == ptx::Type::bf16 || to == ptx::Type::bf16x2;
  const uint64_t one = to == ptx::Type::f32 ? 0x3f800000
                       : f16                ? 0x3c00
                       : bf16               ? 0x3f80
                                            : ~0ull >> (64 - 8 * bytes);
  std::vector<uint32_t> values;
  for (const uint32_t each : holds) {
    const uint32_t chosen = operands.size() == 4 ? joined(instruction, each, operands[3]) : each;
    values.push_back(halves == 1 ? output(operands[0], bytes) : temporary(bytes));
    add("!select" + std::to_string(bytes),
        {values.back(), shared.constant(one, bytes), shared.constant(0, bytes), chosen});
  }
  if (halves == 2) add("!pack4x2", {output(operands[0], 4), values[0], values[1]});
  finish_outputs();
}

// lop3.b32 d, a, b, c, table;   lop3.or.b32 d|p, a, b, c, table, q: p = d != 0 or q
void FunctionDecoder::decode_lop3(const Instruction& instruction) {
  const bool with_predicate = instruction.operands.at(0).kind == Kind::list;
  if (!with_predicate) {
    if (!decode_row(instruction, "lop3.b32")) unsupported(instruction, "not executed yet");
    return;
  }
  const std::vector<const Operand*> operands = flat(instruction);
  std::vector<uint32_t> operation = {temporary(4)};
  for (size_t n = 2; n < 6; ++n) operation.push_back(input(*operands.at(n), 4));
  add("lop3.b32", operation);
  const uint32_t some = temporary(0), q = input(*operands.at(6), 0);
  add("setp.ne.u32", {some, operation[0], shared.constant(0, 4)});
  add(instruction.modifiers.at(0).substr(1) + ".pred", {output(*operands[1], 0), some, q});
  add("!mov4", {output(*operands[0], 4), operation[0]});
  finish_outputs();
}

}  // namespace headroom::sim
