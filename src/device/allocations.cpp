#include "device/allocations.h"

#include <algorithm>
#include <utility>

#include "base/saturate.h"
#include "device/host_frames.h"

namespace headroom::device {

void Allocations::count(const Allocation& allocation, bool added) {
  if (allocation.place <= Place::managed) count(allocation.device, allocation.bytes, added);
}

void Allocations::count(int device, uint64_t bytes, bool taken) {
  uint64_t& used = used_[device];
  used = taken ? used + bytes : used - bytes;
}

Allocation& Allocations::add(Allocation allocation) {
  remove(allocation.begin);
  count(allocation, true);
  const uint64_t begin = allocation.begin;
  if (keeps_sites) allocation.site = host_frames();
  return by_begin_[begin] = std::move(allocation);
}

void Allocations::remove(uint64_t begin) {
  auto found = by_begin_.find(begin);
  if (found == by_begin_.end()) return;
  count(found->second, false);
  by_begin_.erase(found);
}

void Allocations::remove_if(const std::function<bool(const Allocation&)>& is_gone) {
  std::erase_if(by_begin_, [&](const auto& entry) {
    if (!is_gone(entry.second)) return false;
    count(entry.second, false);
    return true;
  });
}

const Allocation* Allocations::at(uint64_t begin) const {
  auto found = by_begin_.find(begin);
  return found == by_begin_.end() ? nullptr : &found->second;
}
Allocation* Allocations::at(uint64_t begin) {
  return const_cast<Allocation*>(std::as_const(*this).at(begin));
}

const Allocation* Allocations::holding(uint64_t address) const {
  auto after = by_begin_.upper_bound(address);
  if (after == by_begin_.begin()) return nullptr;
  const Allocation& before = std::prev(after)->second;
  return address - before.begin < std::max<uint64_t>(before.bytes, 1) ? &before : nullptr;
}
Allocation* Allocations::holding(uint64_t address) {
  return const_cast<Allocation*>(std::as_const(*this).holding(address));
}

bool Allocations::overlaps(uint64_t begin, uint64_t bytes) const {
  auto next = by_begin_.lower_bound(begin);
  return holding(begin) || (next != by_begin_.end() && next->first < saturated_add(begin, bytes));
}

uint64_t Allocations::used(int device) const {
  auto found = used_.find(device);
  return found == used_.end() ? 0 : found->second;
}

}  // namespace headroom::device
