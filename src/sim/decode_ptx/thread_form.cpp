#include "sim/decode_ptx/thread_form.h"

#include <algorithm>
#include <string_view>

#include "sim/register_allocation.h"

namespace headroom::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Kind = ThreadForm::Kind;

const ThreadForm unknown{Kind::unknown, {}, {}};
const ThreadForm uniform{Kind::affine, {}, {}};

ThreadForm plus(const ThreadForm& a, const ThreadForm& b, int64_t sign) {
  ThreadForm sum = uniform;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Multiple &x = a.of_thread[axis], &y = b.of_thread[axis];
    sum.of_thread[axis] = {x.is_known && y.is_known, x.value + sign * y.value};
  }
  if (a.constant && b.constant) sum.constant = *a.constant + sign * *b.constant;
  return sum;
}

ThreadForm times(const ThreadForm& a, const ThreadForm& b) {
  if (!b.is_uniform()) return a.is_uniform() ? times(b, a) : unknown;
  ThreadForm product = uniform;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Multiple& one = a.of_thread[axis];
    if (one.is_zero()) continue;
    product.of_thread[axis] = {one.is_known && b.constant, one.value * b.constant.value_or(1)};
  }
  if (a.constant && b.constant) product.constant = *a.constant * *b.constant;
  return product;
}

ThreadForm special(const std::string& name) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (name != std::string("%tid.") + "xyz"[axis]) continue;
    ThreadForm index = uniform;
    index.of_thread[axis].value = 1;
    return index;
  }
  constexpr std::string_view same[] = {"%ntid.",      "%ctaid.", "%nctaid.",     "%cluster",
                                       "%ncluster",   "%gridid", "%is_explicit", "%dynamic_smem",
                                       "%total_smem", "%nsmid",  "%smid"};
  const bool is_same =
      std::ranges::any_of(same, [&](std::string_view each) { return name.starts_with(each); });
  return is_same ? uniform : unknown;
}

class ThreadForms {
 public:
  explicit ThreadForms(const ptx::Function& function)
      : function_(function), forms_(function.registers.size()), writers_(forms_.size()) {
    for (const Instruction& i : function.body)
      each_written(i, [&](int reg) { writers_[size_t(reg)].push_back(&i); });
    for (size_t reg = 0; reg < forms_.size(); ++reg)
      if (writers_[reg].size() > 1 && begins(int(reg)) > 1) forms_[reg] = unknown;
  }

  std::vector<ThreadForm> find() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& i : function_.body) {
        const ThreadForm result = result_of(i);
        each_written(i, [&](int reg) { changed |= meet(forms_[size_t(reg)], result); });
      }
    }
    return std::move(forms_);
  }

 private:
  template <class F>
  static void each_register(const Operand& operand, F&& f) {
    if (operand.reg >= 0) f(operand.reg);
    for (const Operand& item : operand.items) each_register(item, f);
  }
  template <class F>
  static void each_written(const Instruction& i, F&& f) {
    for (int n = 0; n < written_operands(i); ++n) each_register(i.operands[size_t(n)], f);
  }

  // Of the register's writers those that do not change its own value.
  int begins(int reg) const {
    return int(std::ranges::count_if(
        writers_[size_t(reg)], [&](const Instruction* writer) { return !depends(*writer, reg); }));
  }

  bool depends(const Instruction& writer, int reg) const {
    std::vector<bool> seen(forms_.size(), false);
    std::vector<int> open;
    const auto read = [&](const Instruction& i) {
      for (size_t n = size_t(written_operands(i)); n < i.operands.size(); ++n)
        each_register(i.operands[n], [&](int from) {
          if (!seen[size_t(from)]) open.push_back(from);
          seen[size_t(from)] = true;
        });
    };
    read(writer);
    while (!open.empty() && !seen[size_t(reg)]) {
      const int from = open.back();
      open.pop_back();
      for (const Instruction* i : writers_[size_t(from)]) read(*i);
    }
    return seen[size_t(reg)];
  }

  static bool meet(ThreadForm& form, const ThreadForm& other) {
    if (other.kind == Kind::undefined || form.kind == Kind::unknown || form == other) return false;
    if (form.kind == Kind::undefined) {
      form = other;
      return true;
    }
    if (other.kind == Kind::affine && form.of_thread == other.of_thread) {
      const bool changed = form.constant.has_value();
      form.constant.reset();
      return changed;
    }
    form = unknown;
    return true;
  }

  ThreadForm form_of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg: return operand.negated ? unknown : forms_[size_t(operand.reg)];
      case Operand::Kind::immediate: return {Kind::affine, {}, int64_t(operand.bits)};
      case Operand::Kind::special: return special(operand.name);
      case Operand::Kind::symbol: return uniform;
      case Operand::Kind::address:  // of a load
        if (!operand.items.empty()) return unknown;
        return operand.reg >= 0 ? forms_[size_t(operand.reg)] : uniform;
      default: return unknown;
    }
  }

  // Whole numbers of at least 16 bits, which no index leaves.
  static bool is_index(const Instruction& i) {
    for (int n = 0; i.type(n) != ptx::Type::none; ++n) {
      const ptx::Type type = i.type(n);
      if (ptx::size_of(type) < 2 || type >= ptx::Type::f16) return false;
    }
    return !i.has(".hi") && !i.has(".sat");
  }

  ThreadForm result_of(const Instruction& i) const {
    const size_t outs = size_t(written_operands(i));
    if (outs == 0) return {};
    if (i.guard.reg >= 0 && writers_of(i) < 2) return unknown;  // lanes without it have anything
    std::vector<ThreadForm> in;
    for (size_t n = outs; n < i.operands.size(); ++n) in.push_back(form_of(i.operands[n]));
    for (const ThreadForm& each : in)
      if (each.kind == Kind::undefined) return {};
    for (const ThreadForm& each : in)
      if (each.kind == Kind::unknown) return unknown;
    const bool is_same = std::ranges::all_of(in, &ThreadForm::is_uniform);
    if (i.opcode == "ld") {
      const bool of_thread = i.has(".local") || (i.has(".param") && !function_.entry);
      return is_same && !of_thread ? uniform : unknown;
    }
    if (is_index(i)) {
      if ((i.opcode == "mov" || i.opcode == "cvt" || i.opcode == "cvta") && in.size() == 1)
        return in[0];
      if (i.opcode == "add" && in.size() == 2) return plus(in[0], in[1], 1);
      if (i.opcode == "sub" && in.size() == 2) return plus(in[0], in[1], -1);
      if (i.opcode == "mul" && in.size() == 2) return times(in[0], in[1]);
      if (i.opcode == "mad" && in.size() == 3) {
        const ThreadForm product = times(in[0], in[1]);
        return product.kind == Kind::unknown ? unknown : plus(product, in[2], 1);
      }
      if (i.opcode == "shl" && in.size() == 2 && in[1].constant.value_or(-1) >= 0 &&
          *in[1].constant < 63)
        return times(in[0], {Kind::affine, {}, int64_t(1) << *in[1].constant});
    }
    constexpr std::string_view of_lane[] = {"atom",  "shfl", "call", "match", "vote", "activemask",
                                            "redux", "tex",  "tld4", "suld",  "elect"};
    const bool by_itself = std::ranges::find(of_lane, i.opcode) != std::end(of_lane);
    return is_same && !by_itself && !in.empty() ? uniform : unknown;
  }

  size_t writers_of(const Instruction& i) const {
    size_t least = SIZE_MAX;
    each_written(i, [&](int reg) { least = std::min(least, writers_[size_t(reg)].size()); });
    return least;
  }

  const ptx::Function& function_;
  std::vector<ThreadForm> forms_;
  std::vector<std::vector<const Instruction*>> writers_;
};

}  // namespace

bool ThreadForm::is_uniform() const {
  return kind == Kind::affine && std::ranges::all_of(of_thread, &Multiple::is_zero);
}

std::vector<ThreadForm> thread_forms(const ptx::Function& function) {
  return ThreadForms(function).find();
}

}  // namespace headroom::sim
