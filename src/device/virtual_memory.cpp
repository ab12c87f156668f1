#include "device/virtual_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "device/access.h"
#include "sim/simulate.h"

namespace headroom::device {

struct VirtualMemory {
  // Bytes without an address: pages of a file without a name.
  struct Made {
    Session& session;
    int file = -1, device = 0;
    uint64_t bytes = 0, handles = 1;

    Made(Session& one, uint64_t size, int of)
        : session(one),
          file(memfd_create("headroom-memory", MFD_CLOEXEC)),
          device(of),
          bytes(size) {
      session.allocations.count(device, bytes, true);
    }
    Made(const Made&) = delete;
    ~Made() {
      if (file >= 0) close(file);
      session.allocations.count(device, bytes, false);
    }
  };

  struct Mapping {
    uint64_t bytes = 0;
    std::shared_ptr<Made> memory;
    std::map<int, Access> access;  // by device

    uint64_t users() const {
      uint64_t devices = 0;
      for (const auto& [device, may] : access)
        if (may != Access::none) devices |= uint64_t(1) << device;
      return devices;
    }
  };

  struct Range {
    uint64_t bytes = 0;
    std::map<uint64_t, Mapping> mappings;
    std::vector<uint64_t> shown;  // where its allocations begin
  };

  std::map<uint64_t, Range> ranges;                // by where they begin
  std::multimap<uint64_t, uint64_t> free;          // ranges given back: bytes, begin
  std::map<uint64_t, std::shared_ptr<Made>> made;  // by handle, as long as the program has one
  uint64_t next_handle = 1;
};

namespace {

using Made = VirtualMemory::Made;
using Range = VirtualMemory::Range;
using Mapping = VirtualMemory::Mapping;

bool is_whole(uint64_t value) { return value % memory_unit == 0; }

VirtualMemory& state_of(Session& session) {
  if (!session.virtual_memory) session.virtual_memory = std::make_shared<VirtualMemory>();
  return *session.virtual_memory;
}

// Null: no reserved addresses hold all of them.
Range* range_holding(Session& session, uint64_t address, uint64_t bytes) {
  auto& ranges = state_of(session).ranges;
  auto found = ranges.upper_bound(address);
  if (found == ranges.begin()) return nullptr;
  --found;
  return is_within(address, bytes, found->first, found->first + found->second.bytes)
             ? &found->second
             : nullptr;
}

// The mappings that make up exactly these bytes; empty: none do.
std::vector<std::pair<const uint64_t, Mapping>*> mappings_of(Range& range, uint64_t address,
                                                             uint64_t bytes) {
  std::vector<std::pair<const uint64_t, Mapping>*> all;
  uint64_t next = address;
  for (auto at = range.mappings.find(address);
       at != range.mappings.end() && at->first == next && next < address + bytes; ++at) {
    all.push_back(&*at);
    next += at->second.bytes;
  }
  if (next != address + bytes) all.clear();
  return all;
}

// What is mapped and allowed, neighbours together.
void show(Session& session, Range& range) {
  session.repeats.forget();
  for (const uint64_t begin : range.shown) {
    session.memory.hide(begin);
    session.allocations.remove(begin);
  }
  range.shown.clear();
  Allocation run{.place = Place::mapped};
  const auto add_run = [&] {
    if (!run.bytes) return;
    session.memory.show(run.begin, run.bytes);
    range.shown.push_back(run.begin);
    set_access(session, session.allocations.add(run));
    if (session.checker) sim::check::wrote(*session.checker, run.begin, run.bytes);
    run.bytes = 0;
  };
  for (const auto& [begin, mapping] : range.mappings) {
    const uint64_t users = mapping.users();
    const bool joins = run.bytes && run.begin + run.bytes == begin && run.readers == users &&
                       run.device == mapping.memory->device;
    if (!joins) add_run();
    if (!users) continue;
    if (!run.bytes) run.begin = begin, run.readers = users, run.device = mapping.memory->device;
    run.bytes += mapping.bytes;
  }
  add_run();
}

bool put_pages(uint64_t address, uint64_t bytes, int file, uint64_t offset) {
  const int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  return mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
              flags | MAP_NORESERVE | MAP_FIXED, file, off_t(offset)) != MAP_FAILED;
}

}  // namespace

Status reserve_addresses(Session& session, uint64_t bytes, uint64_t alignment, uint64_t& address) {
  if (!bytes || !is_whole(bytes) || alignment & (alignment - 1)) return Status::invalid_value;
  VirtualMemory& state = state_of(session);
  const auto known = state.free.find(bytes);
  if (known != state.free.end() && known->second % std::max(alignment, memory_unit) == 0) {
    address = known->second;
    state.free.erase(known);
  } else if (const auto fresh = session.memory.reserve(bytes, std::max(alignment, memory_unit))) {
    address = *fresh;
  } else {
    return Status::out_of_memory;
  }
  state.ranges[address].bytes = bytes;
  return Status::ok;
}

Status free_addresses(Session& session, uint64_t address, uint64_t bytes) {
  auto& ranges = state_of(session).ranges;
  const auto found = ranges.find(address);
  if (found == ranges.end() || found->second.bytes != bytes || !found->second.mappings.empty())
    return Status::invalid_value;
  ranges.erase(found);
  state_of(session).free.emplace(bytes, address);
  return Status::ok;
}

Status make_memory(Session& session, uint64_t bytes, int device, uint64_t& handle) {
  if (!bytes || !is_whole(bytes)) return Status::invalid_value;
  if (!is_device(session, device)) return Status::invalid_device;
  if (bytes > session.memory_of_device() ||
      session.allocations.used(device) > session.memory_of_device() - bytes)
    return Status::out_of_memory;
  auto made = std::make_shared<Made>(session, bytes, device);
  if (made->file < 0 || ftruncate(made->file, off_t(bytes)) != 0) return Status::out_of_memory;
  handle = state_of(session).next_handle++;
  state_of(session).made.emplace(handle, std::move(made));
  return Status::ok;
}

Status retain_memory(Session& session, uint64_t address, uint64_t& handle) {
  Range* range = range_holding(session, address, 1);
  if (!range) return Status::invalid_value;
  auto found = range->mappings.upper_bound(address);
  if (found == range->mappings.begin()) return Status::invalid_value;
  --found;
  if (address >= found->first + found->second.bytes) return Status::invalid_value;
  auto& made = state_of(session).made;
  for (auto& [known, memory] : made)
    if (memory == found->second.memory) {
      ++memory->handles;
      handle = known;
      return Status::ok;
    }
  handle = state_of(session).next_handle++;  // its handles were released
  found->second.memory->handles = 1;
  made.emplace(handle, found->second.memory);
  return Status::ok;
}

Status release_memory(Session& session, uint64_t handle) {
  auto& made = state_of(session).made;
  const auto found = made.find(handle);
  if (found == made.end()) return Status::invalid_value;
  if (--found->second->handles == 0) made.erase(found);
  return Status::ok;
}

Status map_memory(Session& session, uint64_t address, uint64_t bytes, uint64_t offset,
                  uint64_t handle) {
  Range* range = range_holding(session, address, bytes);
  const auto found = state_of(session).made.find(handle);
  if (!bytes || !is_whole(address) || !is_whole(bytes) || !is_whole(offset) || !range ||
      found == state_of(session).made.end() || !is_within(offset, bytes, 0, found->second->bytes))
    return Status::invalid_value;
  if (bytes != found->second->bytes)
    return Status::not_supported;  // a part of it, on a GPU neither
  const auto next = range->mappings.lower_bound(address);
  if (next != range->mappings.end() && next->first < address + bytes) return Status::invalid_value;
  if (next != range->mappings.begin()) {
    const auto& [begin, before] = *std::prev(next);
    if (begin + before.bytes > address) return Status::invalid_value;
  }
  if (!put_pages(address, bytes, found->second->file, offset)) return Status::out_of_memory;
  range->mappings[address] = {bytes, found->second, {}};
  return Status::ok;
}

Status unmap_memory(Session& session, uint64_t address, uint64_t bytes) {
  Range* range = range_holding(session, address, bytes);
  if (!range) return Status::invalid_value;
  if (mappings_of(*range, address, bytes).empty()) return Status::invalid_value;
  range->mappings.erase(range->mappings.find(address),
                        range->mappings.lower_bound(address + bytes));
  show(session, *range);
  return put_pages(address, bytes, -1, 0) ? Status::ok : Status::out_of_memory;
}

Status let_use(Session& session, uint64_t address, uint64_t bytes, int device, Access access) {
  Range* range = range_holding(session, address, bytes);
  if (!range) return Status::invalid_value;
  if (!is_device(session, device)) return Status::invalid_device;
  const auto pieces = mappings_of(*range, address, bytes);
  if (pieces.empty()) return Status::invalid_value;
  for (auto* piece : pieces) piece->second.access[device] = access;
  show(session, *range);
  return Status::ok;
}

Status ask_use(Session& session, uint64_t address, int device, Access& out) {
  Range* range = range_holding(session, address, 1);
  if (!range) return Status::invalid_value;
  auto found = range->mappings.upper_bound(address);
  if (found == range->mappings.begin()) return Status::invalid_value;
  --found;
  if (address >= found->first + found->second.bytes) return Status::invalid_value;
  const auto known = found->second.access.find(device);
  out = known == found->second.access.end() ? Access::none : known->second;
  return Status::ok;
}

Status device_of_memory(Session& session, uint64_t handle, int& device) {
  const auto found = state_of(session).made.find(handle);
  if (found == state_of(session).made.end()) return Status::invalid_value;
  device = found->second->device;
  return Status::ok;
}

}  // namespace headroom::device
