#include "sim/observers/sectors.h"

#include <algorithm>

namespace headroom::sim {

void Sectors::on(const Copied& copied) {
  if (copied.space != Place::global) return;
  const bool loads = copied.use == Use::load;
  uint64_t sector = (copied.address - memory_base) >> 5;
  const uint64_t end = sector + sectors_of(copied);
  (loads ? counters.bulk_load_sectors : counters.bulk_store_sectors) += end - sector;
  for (; sector < end; sector += 64)
    (loads ? loaded : stored).add(sector, uint32_t(std::min<uint64_t>(end - sector, 64)));
}

void Sectors::begin() {
  counters = {};
  loaded.clear();
  stored.clear();
}

void Sectors::merge(const Sectors& other) {
  loaded.merge(other.loaded);
  stored.merge(other.stored);
}

void Sectors::add_to(Counters& c) const {
  c.unique_load_sectors = loaded.count();
  c.unique_store_sectors = stored.count();
  c.unique_sectors = loaded.count_union(stored);
  c.host_load_sectors = loaded.outside();
  c.host_store_sectors = stored.outside();
}

}  // namespace headroom::sim
