// Shared memory: its accesses, the passes they take (wavefronts), and those beyond what their width
// needs (conflicts).
#pragma once
#include "record/counters.h"
#include "sim/observer.h"

namespace headroom::sim {

struct Conflicts : Ignore {
  using Ignore::on;
  Counters counters{};

  [[gnu::always_inline]] void on(const Access& access) {
    if (access.space != Place::shared) return;
    const AccessPattern& pattern = access.pattern;
    if (access.use == Use::load) {
      counters.shared_load_instructions += 1;
      counters.shared_load_wavefronts += pattern.wavefronts;
      counters.shared_load_conflicts += pattern.conflicts;
    } else if (access.use == Use::store) {
      counters.shared_store_instructions += 1;
      counters.shared_store_wavefronts += pattern.wavefronts;
      counters.shared_store_conflicts += pattern.conflicts;
    } else {
      counters.shared_atomic_instructions += 1;
    }
  }
};

}  // namespace headroom::sim
