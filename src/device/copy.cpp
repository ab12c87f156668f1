#include "device/copy.h"

#include "base/saturate.h"
#include "device/check_calls.h"
#include "device/stream.h"
#include "sim/simulate.h"

namespace headroom::device {
namespace {

// Bytes per second between host and device: what an H200 on PCIe 5 moved from pinned memory,
// measured. Machines differ; it only paces the clock that events read.
constexpr double host_link = 55.5e9;

bool in_device_range(const Session& session, uint64_t address) {
  return address >= session.memory.base() &&
         address - session.memory.base() < session.memory.addresses();
}

// Device memory must be allocated from the first byte to the last; of host memory only the program
// knows.
bool is_reachable(const Session& session, uint64_t address, uint64_t bytes) {
  if (!address || bytes > UINT64_MAX - address) return false;
  if (!in_device_range(session, address)) return true;
  const sim::Memory::Block* block = session.memory.find(address);
  return block && block->contains(address, bytes);
}

// Rows lie apart from one another, and all in what is allocated.
bool is_right(const Session& session, const Rows& rows, const Box& box) {
  return rows.are_apart(box) && is_reachable(session, rows.base, rows.extent(box));
}

// Device memory, or the host's that the device may use.
bool is_device_side(const Session& session, uint64_t address) {
  return in_device_range(session, address) || session.memory.find(address);
}

// Arrays count in elements, linear memory in bytes.
Rows rows_of(const Array& array, const Position& at) {
  Rows rows{array.base, array.row_bytes(), array.rows()};
  rows.base = saturated_add(rows.row(at.y, at.z), saturated_multiply(at.x, array.element()));
  return rows;
}

Rows rows_of(const Pitched& memory, const Position& at) {
  Rows rows{uintptr_t(memory.pointer), memory.pitch, memory.height};
  rows.base = saturated_add(rows.row(at.y, at.z), at.x);
  return rows;
}

Box box_of(const Extent& extent) { return {extent.width, extent.height, extent.depth}; }

bool is_inside(const Array& array, const Position& at, const Extent& extent) {
  return is_within(at.x, extent.width, 0, array.extent.width) &&
         is_within(at.y, extent.height, 0, array.rows()) &&
         is_within(at.z, extent.depth, 0, array.slices());
}

// A copy with its arrays looked up.
struct Sides {
  Rows to, from;
  Box box;
};
Status sides_of(const Session& session, const CopyWork& what, Sides& out) {
  const Array *to = find_array(session, what.to.array),
              *from = find_array(session, what.from.array);
  for (const auto& [side, array] : {std::pair(&what.to, to), std::pair(&what.from, from)}) {
    if (side->array && (!array || side->memory.pointer)) return Status::invalid_value;
    if (array && !is_inside(*array, side->at, what.extent)) return Status::invalid_value;
  }
  if (to && from && to->element() != from->element()) return Status::invalid_value;
  out.to = to ? rows_of(*to, what.to.at) : rows_of(what.to.memory, what.to.at);
  out.from = from ? rows_of(*from, what.from.at) : rows_of(what.from.memory, what.from.at);
  out.box = box_of(what.extent);
  if (to || from) out.box.width *= (to ? to : from)->element();
  return Status::ok;
}

double seconds(const Session& session, bool over_link, double bytes) {
  if (over_link) return bytes / host_link;
  const Fact& rate = session.machine.dram_bandwidth;  // GB/s
  return rate ? bytes / (*rate * 1e9) : bytes / host_link;
}

const char* direction(bool to_device, bool from_device) {
  if (to_device) return from_device ? "device_to_device" : "host_to_device";
  return from_device ? "device_to_host" : "host_to_host";
}

bool is_right(const Session& session, const Sides& sides, Direction said) {
  const auto& [to, from, box] = sides;
  if (!is_right(session, to, box) || !is_right(session, from, box)) return false;
  const bool to_device = said == Direction::host_to_device || said == Direction::device_to_device;
  const bool from_device = said == Direction::device_to_host || said == Direction::device_to_device;
  return (!to_device || is_device_side(session, to.base)) &&
         (!from_device || is_device_side(session, from.base));
}

// What is touched of memory that kernels may touch.
void tell_of_ranges(Session& session, const Rows& rows, const Box& box, bool writes,
                    const char* what) {
  if (!session.timeline.is_kept || !is_device_side(session, rows.base)) return;
  if (rows.extent(box) == box.bytes())
    sim::check::touches(*session.checker, rows.base, box.bytes(), writes, what);
  else
    each_row(box, [&](size_t y, size_t z) {
      sim::check::touches(*session.checker, rows.row(y, z), box.width, writes, what);
    });
  tell_of_races(session);
}

// What the program's host code writes nobody sees: its own bytes count as written.
void tell_checker(Session& session, const Sides& sides) {
  const auto& [to, from, box] = sides;
  tell_of_ranges(session, from, box, false, "copy");
  tell_of_ranges(session, to, box, true, "copy");
  if (!in_device_range(session, to.base)) return;
  const bool from_device = in_device_range(session, from.base);
  each_row(box, [&, &to = to, &from = from, &box = box](size_t y, size_t z) {
    if (from_device)
      sim::check::copied(*session.checker, to.row(y, z), from.row(y, z), box.width);
    else
      sim::check::wrote(*session.checker, to.row(y, z), box.width);
  });
}

RecentMemory::Ranges ranges_of(const Session& session, const Rows& rows, const Box& box) {
  RecentMemory::Ranges ranges;
  const auto add = [&](uint64_t at, uint64_t bytes) {
    ranges.push_back({at - session.memory.base(), bytes});
  };
  if (rows.extent(box) == box.bytes())
    add(rows.base, box.bytes());
  else
    each_row(box, [&](size_t y, size_t z) { add(rows.row(y, z), box.width); });
  return ranges;
}

void tell_repeats(Session& session, const Rows& to, const Box& box) {
  if (in_device_range(session, to.base)) session.repeats.wrote(session, to.base, to.extent(box));
}

double l2_of(const Session& session) { return double(bytes_of(session.machine.l2_size)); }

void copy(Session& session, const Sides& sides, const Stream& stream) {
  const auto& [to, from, box] = sides;
  device::copy(to, from, box);
  tell_repeats(session, to, box);
  if (session.checker) tell_checker(session, sides);
  const bool to_device = in_device_range(session, to.base),
             from_device = in_device_range(session, from.base);
  if (to_device && from_device)
    session.recent.copy(ranges_of(session, from, box), ranges_of(session, to, box), l2_of(session));
  const uint64_t bytes = box.bytes();
  // Within the device every byte is read and written.
  const bool over_link = to_device != from_device;
  const double taken = seconds(session, over_link, over_link ? double(bytes) : 2.0 * double(bytes));
  session.journal.transfer(
      {direction(to_device, from_device), stream.device, number_of(stream), bytes, taken});
  session.pass(taken);
}

}  // namespace

Status check(const Session& session, const CopyWork& what) {
  Sides sides;
  const Status status = sides_of(session, what, sides);
  if (failed(status) || what.empty()) return status;
  return is_right(session, sides, what.direction) ? Status::ok : Status::invalid_value;
}

Status perform(Session& session, const CopyWork& what, const Stream& stream) {
  Sides sides;
  const Status status = sides_of(session, what, sides);
  if (failed(status) || what.empty()) return status;
  if (!is_right(session, sides, what.direction)) return Status::invalid_value;
  copy(session, sides, stream);
  return Status::ok;
}

Status check(const Session& session, const FillWork& what) {
  if (what.element != 1 && what.element != 2 && what.element != 4) return Status::invalid_value;
  if (what.empty()) return Status::ok;
  const Rows to = rows_of(what.to, {});
  return is_device_side(session, to.base) && is_right(session, to, box_of(what.extent))
             ? Status::ok
             : Status::invalid_value;
}

Status perform(Session& session, const FillWork& what, const Stream& stream) {
  const Status status = check(session, what);
  if (failed(status) || what.empty()) return status;
  const Box box = box_of(what.extent);
  const Rows to = rows_of(what.to, {});
  fill(to, box, what.value, what.element);
  tell_repeats(session, to, box);
  if (in_device_range(session, to.base))
    session.recent.fill(ranges_of(session, to, box), l2_of(session));
  tell_of_ranges(session, to, box, true, "fill");
  if (session.checker)
    each_row(box, [&](size_t y, size_t z) {
      sim::check::wrote(*session.checker, to.row(y, z), box.width);
    });
  const double taken = seconds(session, false, double(box.bytes()));
  session.journal.transfer({"memset", stream.device, number_of(stream), box.bytes(), taken});
  session.pass(taken);
  return Status::ok;
}

}  // namespace headroom::device
