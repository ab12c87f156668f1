#include "sass/decode.h"

#include "sass/operands.h"

namespace headroom::sass {
namespace {

// Instructions of the uniform data path, and copies that one thread starts for all, are guarded by
// a uniform predicate.
bool is_uniform(const Encoding& word) {
  constexpr uint64_t vote = 0x086;  // of a warp's lanes
  constexpr uint64_t exchange = 0x1b2, first_copy = 0x1b4, last_copy = 0x1bc;
  constexpr uint64_t special = 0x1c3, cluster_barrier = 0x1c7;
  const uint64_t opcode = field(word, {0, 9});
  return (opcode >= 0x080 && opcode <= 0x0bf && opcode != vote) || opcode == exchange ||
         opcode == special || opcode == cluster_barrier ||
         (opcode >= first_copy && opcode <= last_copy);
}

bool fits(const Row& row, const Encoding& word, int architecture) {
  if (architecture < row.form->first || architecture > row.form->last) return false;
  for (const Condition& condition : row.conditions)
    if (field(word, condition.field) != condition.value) return false;
  return true;
}

bool fill(const Row& row, const OperandReader& reader, Instruction& out) {
  out.opcode = row.opcode;
  out.modifiers.clear();
  out.operands.clear();
  for (const Choice& choice : row.modifiers)
    if (!reader.choose(choice, out.modifiers)) return false;
  for (const Hole& hole : row.holes)
    if (!reader.read(hole, out.operands)) return false;
  return true;
}

}  // namespace

Control control_of(const Encoding& word) {
  Control control;
  control.stall = uint8_t(field(word, {105, 4}));
  control.yield = !field(word, {109, 1});
  control.write_barrier = uint8_t(field(word, {110, 3}));
  control.read_barrier = uint8_t(field(word, {113, 3}));
  control.wait_mask = uint8_t(field(word, {116, 6}));
  control.reuse = uint8_t(field(word, {122, 3}));
  return control;
}

Instruction undecoded(const Encoding& word) {
  Instruction out;
  out.encoding = word;
  out.control = control_of(word);
  out.guard.kind = is_uniform(word) ? OperandKind::uniform_predicate : OperandKind::predicate;
  out.guard.index = uint16_t(field(word, {12, 3}));
  out.guard.inverted = field(word, {15, 1}) != 0;
  out.guarded = out.guard.index != true_predicate || out.guard.inverted;
  return out;
}

std::optional<Instruction> decode(const Encoding& word, uint64_t offset, int architecture) {
  if (architecture < first_architecture || architecture > last_architecture) return std::nullopt;
  Instruction out = undecoded(word);
  const OperandReader reader(word, offset, architecture);
  for (const Row* row : rows_of(uint32_t(field(word, {0, 12}))))
    if (fits(*row, word, architecture) && fill(*row, reader, out)) return out;
  return std::nullopt;
}

}  // namespace headroom::sass
