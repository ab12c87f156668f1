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
  } else if (i.opcode == "cp" && i.has(".async") && i.operands.size() > 1 && !i.has(".bulk")) {
    role.copies = true;
  }
  return role;
}

}  // namespace headroom::sim::check
