// How a register depends on the thread's index: as a sum of multiples, or in a way that is not followed.
//
//   mad.lo.s32 %r4, %ctaid.x, %ntid.x, %tid.x     1 · tid.x + what is the same for the whole block
//   mul.wide.s32 %rd2, %r4, 4                     4 · tid.x + …
//   mad.lo.s32 %r7, %tid.y, %r6, %tid.x           1 · tid.x + ? · tid.y + …
//   and.b32 %r8, %r4, 31                          unknown
//
// A register with several writers has a form only if all but one of them change its own value, as a
// loop's `add.s64 %rd2, %rd2, 128` does: what lanes got on two ways may differ in any manner.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/module.h"

namespace headroom::sim {

struct Multiple {
  bool is_known = true;  // false: of a value that is only known to be the same for the whole block
  int64_t value = 0;
  bool is_zero() const { return is_known && value == 0; }
  friend bool operator==(const Multiple&, const Multiple&) = default;
};

struct ThreadForm {
  enum class Kind : uint8_t { undefined, affine, unknown } kind = Kind::undefined;
  std::array<Multiple, 3> of_thread = {};  // tid.x, tid.y, tid.z
  std::optional<int64_t> constant;         // where there is nothing else
  bool is_uniform() const;                 // the same for the whole block
  friend bool operator==(const ThreadForm&, const ThreadForm&) = default;
};

// By register.
std::vector<ThreadForm> thread_forms(const ptx::Function&);

}  // namespace headroom::sim
