// Counts of a launch, and where they are asked for its counts by instruction and its trace.
#pragma once
#include "sim/observers/count.h"
#include "sim/observers/sites.h"
#include "sim/observers/tracer.h"

namespace headroom::sim {

struct Detailed {
  Count& count;
  Sites* sites = nullptr;
  Tracer* tracer = nullptr;
  template <class Event>
  [[gnu::always_inline]] void on(const Event& event) {
    count.on(event);
    if (sites) sites->on(event);
    if (tracer) tracer->on(event);
  }
};

template <>
inline constexpr bool counts_guarded<Detailed> = true;

}  // namespace headroom::sim
