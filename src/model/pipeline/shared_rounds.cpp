#include "model/pipeline/shared_rounds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "model/pipeline/registers.h"

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;
using sass::OperandKind;

bool multiplies(std::string_view opcode) {
  return is_any(opcode, {"FFMA", "DFMA", "HFMA2", "IMAD", "UIMAD"});
}
// In any order: what it makes of a sum is a sum.
bool adds(std::string_view opcode) {
  return is_any(opcode, {"FADD", "DADD", "HADD2", "IADD3", "UIADD3", "IADD", "VIADD", "FMNMX",
                         "DMNMX", "HMNMX2", "VHMNMX", "IMNMX", "VIMNMX"}) ||
         multiplies(opcode);
}
// Of a counter or an address it makes one that is as far on: IMAD.IADD, IMAD.MOV and IMAD.X only add.
bool steps(const Instruction& instruction) {
  if (is_any(instruction.opcode, {"IADD3", "UIADD3", "IADD", "VIADD", "MOV", "UMOV", "LEA"}))
    return true;
  return instruction.opcode == "IMAD" &&
         (instruction.has(".IADD") || instruction.has(".MOV") || instruction.has(".X"));
}

class Rounds {
 public:
  Rounds(const Trace& trace, const Loop& loop) : trace_(trace), loop_(loop) {
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      each_written(at(i), [&](const Register& name) { written_.insert(name); });
    find_carried();
  }

  // First each is taken for a counter; what turns out to be none must be a sum. What a round stores the next one may load.
  bool can_be_shared() const {
    for (uint32_t i = loop_.first; i <= loop_.last; ++i)
      if (is_any(at(i).opcode, {"BAR", "ST", "STG", "STS", "STL", "ATOM", "ATOMG", "ATOMS", "RED"}))
        return false;
    Registers counters = carried_;
    for (;;) {
      const std::optional<Values> end = walk(counters);
      if (!end) return false;
      const size_t before = counters.size();
      bool sums = true;
      for (const Register& name : carried_) {
        const auto value = end->find(name);
        const bool is_counter = value != end->end() && value->second == Value::step;
        if (counters.contains(name) && !is_counter) counters.erase(name);
        sums &= counters.contains(name) || (value != end->end() && value->second == Value::sum);
      }
      if (counters.size() == before) return sums;
    }
  }

 private:
  enum class Value { step, sum, other };
  // Of what the loop has written or carries; all else stays the same.
  using Values = std::map<Register, Value>;

  const Instruction& at(uint32_t i) const { return *trace_.code[i].instruction; }

  // Read before a round writes them.
  void find_carried() {
    Registers before = written_;
    for (uint32_t i = loop_.first; i <= loop_.last; ++i) {
      each_read(at(i), [&](const Register& name) {
        if (before.contains(name)) carried_.insert(name);
      });
      if (at(i).guarded) continue;
      each_written(at(i), [&](const Register& name) { before.erase(name); });
    }
  }

  // What a round leaves in registers; none: a sum is used otherwise than to add to it.
  std::optional<Values> walk(const Registers& counters) const {
    Values values;
    for (const Register& name : carried_)
      values[name] = counters.contains(name) ? Value::step : Value::sum;
    for (uint32_t i = loop_.first; i <= loop_.last; ++i) {
      const Instruction& each = at(i);
      int of_sums = 0;
      bool has_step = false, has_other = false;
      each_read(each, [&](const Register& name) {
        const auto found = values.find(name);
        if (found == values.end()) return;
        of_sums += found->second == Value::sum;
        has_step |= found->second == Value::step;
        has_other |= found->second == Value::other;
      });
      if (of_sums > 1 || (of_sums == 1 && !is_added_to(each, values))) return std::nullopt;
      const Value made = of_sums == 1                            ? Value::sum
                         : has_step && !has_other && steps(each) ? Value::step
                                                                 : Value::other;
      each_written(each, [&](const Register& name) { values[name] = made; });
    }
    return values;
  }

  // A factor would be of every round behind it.
  static bool is_added_to(const Instruction& instruction, const Values& values) {
    if (!adds(instruction.opcode)) return false;
    if (!multiplies(instruction.opcode)) return true;
    const Operand* last = nullptr;
    for (const Operand& operand : instruction.operands)
      if (!operand.written &&
          (operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform ||
           operand.kind == OperandKind::constant))
        last = &operand;
    const auto found = last ? values.find(name_of(*last)) : values.end();
    return found != values.end() && found->second == Value::sum;
  }

  const Trace& trace_;
  const Loop loop_;
  Registers written_, carried_;  // by a round; from one to the next
};

}  // namespace

bool rounds_can_be_shared(const Trace& trace, const Loop& loop) {
  return Rounds(trace, loop).can_be_shared();
}

}  // namespace headroom
