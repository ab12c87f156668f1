#include "device/content.h"

#include <cstring>

namespace headroom::device {

Content::Content(const sim::Memory& memory, const sim::SectorPages& sectors) {
  bytes_.reserve(32 * sectors.count());
  for (const sim::SectorRange& range : sectors.ranges()) {
    auto* const place = reinterpret_cast<std::byte*>(memory.base() + 32 * range.first);
    runs_.push_back({place, 32 * (range.last - range.first + 1)});
    bytes_.insert(bytes_.end(), place, place + runs_.back().bytes);
  }
}

bool Content::is_there() const {
  const std::byte* from = bytes_.data();
  for (const Run& run : runs_) {
    if (std::memcmp(run.place, from, run.bytes) != 0) return false;
    from += run.bytes;
  }
  return true;
}

void Content::put() const {
  const std::byte* from = bytes_.data();
  for (const Run& run : runs_) {
    std::memcpy(run.place, from, run.bytes);
    from += run.bytes;
  }
}

}  // namespace headroom::device
