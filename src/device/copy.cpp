#include "device/copy.h"

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

bool is_right(const Session& session, const Rows& rows, const Box& box) {
  return rows.are_apart(box) && is_reachable(session, rows.base, rows.extent(box));
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

}  // namespace

bool is_device_side(const Session& session, uint64_t address) {
  return in_device_range(session, address) || session.memory.find(address);
}

Status check_copy(const Session& session, const Rows& to, const Rows& from, const Box& box) {
  return is_right(session, to, box) && is_right(session, from, box) ? Status::ok
                                                                    : Status::invalid_value;
}

Status check_fill(const Session& session, const Rows& to, const Box& box) {
  return is_device_side(session, to.base) && is_right(session, to, box) ? Status::ok
                                                                        : Status::invalid_value;
}

void copy(Session& session, const Rows& to, const Rows& from, const Box& box) {
  copy(to, from, box);
  const bool to_device = in_device_range(session, to.base),
             from_device = in_device_range(session, from.base);
  const uint64_t bytes = box.bytes();
  session.journal.transfer(direction(to_device, from_device), bytes);
  // Within the device every byte is read and written.
  const bool over_link = to_device != from_device;
  session.clock += seconds(session, over_link, over_link ? double(bytes) : 2.0 * double(bytes));
}

void fill(Session& session, const Rows& to, const Box& box, unsigned value, unsigned element) {
  fill(to, box, value, element);
  session.journal.transfer("memset", box.bytes());
  session.clock += seconds(session, false, double(box.bytes()));
}

}  // namespace headroom::device
