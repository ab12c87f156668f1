// Traffic of global and local memory in sectors of 32 bytes, and which of them a launch touched.
//
//   32 lanes read neighbouring floats   ->   1 request, 4 sectors, 128 bytes
#pragma once
#include "record/counters.h"
#include "sim/observer.h"
#include "sim/observers/footprint.h"

namespace headroom::sim {

// The words of a lane of local memory lie in lines of their own: a request each.
[[gnu::always_inline]] inline uint64_t local_requests(const AccessPattern& pattern) {
  return pattern.bytes > 4 ? pattern.bytes / 4 : 1;
}
inline uint64_t sectors_of(const Copied& copied) {
  return ((copied.address & 31) + copied.bytes + 31) >> 5;
}

struct Sectors : Ignore {
  using Ignore::on;
  Sectors(uint64_t base, uint64_t capacity)
      : memory_base(base), memory_capacity(capacity), loaded(capacity), stored(capacity) {}

  Counters counters{};
  uint64_t memory_base, memory_capacity;
  Footprint loaded, stored;

  [[gnu::always_inline]] void on(const Access& access) {
    if (access.space == Place::global) on_global(access);
    if (access.space == Place::local) on_local(access);
  }
  void on(const Copied&);  // bulk copies

  void begin();
  void merge(const Sectors&);  // but for the counters
  void add_to(Counters&) const;

 private:
  [[gnu::always_inline]] void on_global(const Access& access) {
    const AccessPattern& pattern = access.pattern;
    if (access.use == Use::load) {
      counters.global_load_requests += !access.rest;
      counters.global_load_sectors += pattern.sectors;
      counters.global_load_bytes += access.bytes();
    } else if (access.use == Use::store) {
      counters.global_store_requests += !access.rest;
      counters.global_store_sectors += pattern.sectors;
      counters.global_store_bytes += access.bytes();
    } else {
      counters.atomic_requests += !access.rest;
      counters.atomic_sectors += pattern.sectors;
    }
    const uint64_t sector = (access.first - memory_base) >> 5;
    if (access.pattern.marked == sector) return;
    bool inside = true;
    if (access.use != Use::store) inside &= mark(loaded, access.pattern, sector);
    if (access.use != Use::load) inside &= mark(stored, access.pattern, sector);
    access.pattern.marked = inside ? sector : ~0ull;
  }
  [[gnu::always_inline]] void on_local(const Access& access) {
    const uint64_t requests = local_requests(access.pattern);
    if (access.use == Use::load) {
      counters.local_load_requests += requests;
      counters.local_load_sectors += access.pattern.sectors;
    } else {
      counters.local_store_requests += requests;
      counters.local_store_sectors += access.pattern.sectors;
    }
  }
  [[gnu::always_inline]] static bool mark(Footprint& footprint, const AccessPattern& pattern,
                                          uint64_t sector) {
    return pattern.consecutive
               ? footprint.add(sector + uint64_t(pattern.sector[0]), pattern.sectors)
               : footprint.add_each(sector, pattern.sector, pattern.sectors);
  }
};

}  // namespace headroom::sim
