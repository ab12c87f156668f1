#include "model/pipeline/grid_stride.h"

#include <algorithm>

#include "model/pipeline/registers.h"

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;
using sass::OperandKind;

// c[0x0][0xc]: gridDim.x
bool is_grid(const Operand& operand) {
  return operand.kind == OperandKind::constant && operand.index == 0 && operand.value == 0xc &&
         operand.base == sass::zero_register;
}

bool adds(const Instruction& instruction) {
  return is_any(instruction.opcode,
                {"IADD3", "IADD", "VIADD", "IMAD", "LEA", "UIADD3", "UIMAD", "ULEA"});
}
// Makes an integer of its sources alone.
bool carries(const Instruction& instruction) {
  return adds(instruction) || is_any(instruction.opcode, {"MOV", "UMOV", "SHF", "USHF", "SHL",
                                                          "LDC", "ULDC", "R2UR", "LOP3", "ULOP3"});
}

template <class Is>
bool any_source(const Instruction& instruction, Is is) {
  return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
    return !operand.written && is(operand);
  });
}

class LoopOfGrid {
 public:
  LoopOfGrid(const Trace& trace, const Loop& loop) : trace_(trace), loop_(loop) {
    find_invariant();
  }

  bool steps_by_grid() {
    for (uint32_t i = 0; i < loop_.first; ++i) follow(at(i));
    for (uint32_t i = loop_.first; i <= loop_.last; ++i) {
      if (adds(at(i)) &&
          any_source(at(i),
                     [&](const Operand& source) {
                       return is_grid(source) || (is_of_grid(source) && !varies(source));
                     }) &&
          comes_back(at(i)))
        return true;
      follow(at(i));
    }
    return false;
  }

 private:
  const Instruction& at(uint32_t i) const { return *trace_.code[i].instruction; }
  bool is_of_grid(const Operand& operand) const {
    return is_register(operand) && of_grid_.contains(name_of(operand));
  }
  bool varies(const Operand& operand) const {
    return is_register(operand) && varying_.contains(name_of(operand));
  }

  // In the order of the code, which for what comes before a loop is that of execution.
  void follow(const Instruction& instruction) {
    const bool is_of = carries(instruction) && any_source(instruction, [&](const Operand& source) {
                         return is_grid(source) || is_of_grid(source);
                       });
    for (const Operand& operand : instruction.operands) {
      if (!operand.written || !is_register(operand)) continue;
      if (is_of)
        of_grid_.insert(name_of(operand));
      else if (!instruction.guarded)
        of_grid_.erase(name_of(operand));
    }
  }

  // Registers that rounds write otherwise than from what stays the same in all of them.
  void find_invariant() {
    for (uint32_t i = loop_.first; i <= loop_.last; ++i)
      for (const Operand& operand : at(i).operands)
        if (operand.written && is_register(operand)) varying_.insert(name_of(operand));
    for (size_t before = varying_.size() + 1; before > varying_.size();) {
      before = varying_.size();
      std::erase_if(varying_, [&](const Register& name) { return !is_written_anew(name); });
    }
  }
  bool is_written_anew(const Register& name) const {
    for (uint32_t i = loop_.first; i <= loop_.last; ++i) {
      const bool writes = std::ranges::any_of(at(i).operands, [&](const Operand& operand) {
        return operand.written && is_register(operand) && name_of(operand) == name;
      });
      if (writes && (!carries(at(i)) ||
                     any_source(at(i), [&](const Operand& source) { return varies(source); })))
        return true;
    }
    return false;
  }

  // The sum is made of itself, a round later.
  bool comes_back(const Instruction& sum) const {
    Registers reached;
    for (const Operand& operand : sum.operands)
      if (operand.written && is_register(operand)) reached.insert(name_of(operand));
    const auto is_reached = [&](const Operand& source) {
      return is_register(source) && reached.contains(name_of(source));
    };
    for (size_t before = 0; before < reached.size();) {
      before = reached.size();
      for (uint32_t i = loop_.first; i <= loop_.last; ++i)
        if (carries(at(i)) && any_source(at(i), is_reached))
          for (const Operand& operand : at(i).operands)
            if (operand.written && is_register(operand)) reached.insert(name_of(operand));
    }
    return any_source(sum,
                      [&](const Operand& source) { return varies(source) && is_reached(source); });
  }

  const Trace& trace_;
  const Loop loop_;
  Registers of_grid_, varying_;
};

}  // namespace

bool strides_over_grid(const Trace& trace, const Loops& loops) {
  return !trace.likely && std::ranges::any_of(loops.all, [&](const Loop& loop) {
    return LoopOfGrid(trace, loop).steps_by_grid();
  });
}

}  // namespace headroom
