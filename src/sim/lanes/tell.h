// How the execution body tells its observer of an event: a call of a member that the compiler sees,
// or nothing where the observer has no state.
//
//   tell<O>(warp, Entered{warp, basic_block});
#pragma once
#include "sim/observer.h"

namespace headroom::sim::HEADROOM_ISA {

template <Observer O, class Event>
[[gnu::always_inline]] inline void tell(Warp& warp, const Event& event) {
  if constexpr (std::is_empty_v<O>)
    O{}.on(event);
  else
    static_cast<O*>(warp.observer)->on(event);
}

}  // namespace headroom::sim::HEADROOM_ISA
