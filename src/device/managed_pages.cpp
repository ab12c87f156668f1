#include "device/managed_pages.h"

#include <algorithm>
#include <iterator>

#include "device/advice.h"
#include "device/session.h"

namespace headroom::device {
namespace {

constexpr uint64_t sector_bytes = 32;

// Null: none lies in the page, or another kind of memory does.
const Allocation* managed_in(const Session& session, uint64_t begin) {
  const auto& all = session.allocations.all();
  const auto after = all.lower_bound(begin + PageCount::bytes);
  if (after == all.begin()) return nullptr;
  const Allocation& last = std::prev(after)->second;
  const bool managed = last.place == Place::managed || last.place == Place::variable;
  return managed && last.begin + last.bytes > begin ? &last : nullptr;
}

bool is_prefetched(const Allocation& memory, uint64_t page) {
  if (!memory.advice) return false;
  const auto after = memory.advice->ranges.upper_bound(std::max(page, memory.begin));
  return std::prev(after)->second.prefetched.kind == Location::Kind::device;
}

}  // namespace

uint64_t ManagedPages::first_touched(const Session& session, const std::vector<PageCount>& pages) {
  uint64_t bytes = 0;
  for (const auto& [page, sectors] : pages) {
    const uint64_t begin = session.memory.base() + page * PageCount::bytes;
    const Allocation* memory = managed_in(session, begin);
    if (!memory || !touched_.insert(page).second || is_prefetched(*memory, begin)) continue;
    bytes += sector_bytes * sectors;
  }
  return bytes;
}

void ManagedPages::allocated(const Session& session, uint64_t address, uint64_t bytes) {
  if (touched_.empty()) return;
  const uint64_t first = (address - session.memory.base()) / PageCount::bytes;
  for (uint64_t page = first; page * PageCount::bytes < address - session.memory.base() + bytes;
       ++page)
    touched_.erase(page);
}

}  // namespace headroom::device
