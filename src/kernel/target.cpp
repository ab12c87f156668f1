// Reading and comparing PTX targets: see target.h.
#include "kernel/target.h"

#include <fmt/format.h>

namespace headroom {

std::string Target::name() const { return fmt::format("sm_{}{}", number, suffix); }

bool Target::runs_on(int cc) const {
  if (suffix == "a") return number == cc;
  if (suffix == "f") return number / 10 == cc / 10 && number <= cc;
  return number <= cc;
}

Target target_of(std::string_view ptx) {
  size_t at = ptx.find(".target");
  if (at != ptx.npos) at = ptx.find("sm_", at);
  if (at == ptx.npos) return {};
  Target target;
  for (at += 3; at < ptx.size() && ptx[at] >= '0' && ptx[at] <= '9' && target.number < 10'000; ++at)
    target.number = target.number * 10 + (ptx[at] - '0');
  if (at < ptx.size() && (ptx[at] == 'a' || ptx[at] == 'f')) target.suffix = ptx[at];
  return target;
}

}  // namespace headroom
