#include "sim/compiled/uses.h"

#include <algorithm>

namespace headroom::sim::compiled {
namespace {

uint64_t key(uint32_t operand, uint64_t operation) { return uint64_t(operand) << 32 | operation; }

}  // namespace

Uses::Uses(std::span<const Operation> operations, bool loop)
    : round_(operations.size()), loop_(loop) {
  for (uint64_t at = 0; at < round_; ++at)
    for (const uint32_t operand : operations[at].operand) {
      if (operand == no_operand) continue;
      of_.push_back(key(operand, at));
      if (operations[at].kind == InstructionClass::fp64)  // a pair, or one value
        of_.push_back(key(operand + row_bytes, at));
    }
  std::ranges::sort(of_);
}

uint64_t Uses::next(uint32_t operand, uint64_t now) const {
  if (!round_) return never;
  const uint64_t at = now % round_, begin = now - at;
  const auto is_of = [&](auto found) { return found != of_.end() && *found >> 32 == operand; };
  const auto later = std::ranges::upper_bound(of_, key(operand, at));
  if (is_of(later)) return begin + uint32_t(*later);
  const auto first = std::ranges::lower_bound(of_, key(operand, 0));
  return loop_ && is_of(first) ? begin + round_ + uint32_t(*first) : never;
}

}  // namespace headroom::sim::compiled
