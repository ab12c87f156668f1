#include "sim/check/role.h"

#include <algorithm>
#include <string>

namespace headroom::sim::check {
namespace {

Scope scope_of(const ptx::Instruction& i) { return i.has(".cta") ? Scope::block : Scope::gpu; }

}  // namespace

Role role_of(const ptx::Instruction& i) {
  Role role;
  const bool both = i.has(".acq_rel") || i.has(".sc");
  const bool acquire = both || i.has(".acquire"), release = both || i.has(".release");
  if (i.opcode == "membar" || i.opcode == "fence") {
    role.crosses = i.has(".proxy") && i.has(".async");
    const bool is_of_proxies = std::ranges::any_of(
        i.modifiers, [](const std::string& modifier) { return modifier.starts_with(".proxy"); });
    if (is_of_proxies || i.has(".mbarrier_init")) return role;
    const bool one_way = i.has(".acquire") || i.has(".release");
    role = {scope_of(i), one_way ? i.has(".acquire") : true, one_way ? i.has(".release") : true,
            true};
  } else if (i.opcode == "atom" || i.opcode == "red") {
    role = {scope_of(i), acquire, release};
  } else if (i.opcode == "ld" || i.opcode == "st") {
    const bool strong =
        acquire || release || i.has(".relaxed") || i.has(".volatile") || i.has(".mmio");
    if (strong) role = {scope_of(i), acquire, release};
  } else if (i.opcode == "barrier" && i.has(".cluster")) {
    role.releases = i.has(".arrive") && !i.has(".relaxed");
  } else if (i.opcode == "cp" && i.has(".async") && i.operands.size() > 1 && !i.has(".bulk")) {
    role.copies = true;
  }
  return role;
}

// Of shared memory machine code tells nothing but atomics: what PTX has as volatile looks like all else
// (Scope::polled).
Role role_of(const sass::Instruction& i) {
  Role role;
  const Scope scope = i.has(".CTA") || i.has(".SM") ? Scope::block : Scope::gpu;
  if (i.opcode == "MEMBAR") {
    role = {scope, true, true, true};
  } else if (i.opcode == "CCTL" && i.has(".IVALL")) {
    role = {Scope::gpu, true, false, true};
  } else if (i.opcode == "FENCE" && i.has(".ASYNC")) {
    role.crosses = true;
  } else if (i.opcode.starts_with("ATOM") || i.opcode.starts_with("RED") || i.has(".STRONG") ||
             i.has(".MMIO")) {
    role.scope = scope;
    role.acquires = scope == Scope::block;  // it needs nothing behind it
  } else if (i.opcode == "LDGSTS") {
    role.copies = true;
  }
  return role;
}

bool begins_atomic(const sass::Function& function, uint32_t index) {
  constexpr size_t at_most = 16;  // instructions on
  const auto& code = function.instructions;
  if (code[index].opcode != "LDS") return false;
  const auto reg_of = [](const sass::Instruction& i, size_t n) {
    return n < i.operands.size() && i.operands[n].kind == sass::OperandKind::reg
               ? i.operands[n].index
               : sass::zero_register;
  };
  const uint16_t loaded = reg_of(code[index], 0);
  for (size_t n = index + 1; n < std::min(code.size(), index + at_most); ++n)
    if (code[n].opcode == "ATOMS" && code[n].has(".CAST"))
      return loaded != sass::zero_register && reg_of(code[n], 2) == loaded;
  return false;
}

}  // namespace headroom::sim::check
