#include "runtime/copy.h"

#include <cstring>

namespace headroom::runtime {
namespace {

// Bytes per second between host and device: what an H200 on PCIe 5 moved from pinned memory,
// measured. Machines differ; it only paces the clock that events read.
constexpr double host_link = 55.5e9;

bool in_device_range(const Session& session, uintptr_t address) {
  return address >= session.memory.base() &&
         address - session.memory.base() < session.memory.capacity();
}

// Device memory must be allocated from the first byte to the last; of host memory only the program
// knows.
bool is_reachable(const Session& session, uintptr_t address, size_t bytes) {
  if (!address) return false;
  if (!in_device_range(session, address)) return true;
  const sim::Memory::Block* block = session.memory.find(address);
  return block && block->contains(address, bytes);
}

bool is_device_side(const Session& session, uintptr_t address) {
  return in_device_range(session, address) || session.memory.find(address);
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

cudaError_t copy(Session& session, const Rows& to, const Rows& from, const Box& box,
                 cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (box.empty()) return cudaSuccess;
  if (!is_reachable(session, to.base, to.extent(box)) ||
      !is_reachable(session, from.base, from.extent(box)))
    return cudaErrorInvalidValue;
  bool must_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool must_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((must_to && !is_device_side(session, to.base)) ||
      (must_from && !is_device_side(session, from.base)))
    return cudaErrorInvalidValue;

  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      std::memmove(reinterpret_cast<void*>(to.row(y, z)),
                   reinterpret_cast<const void*>(from.row(y, z)), box.width);

  bool to_device = in_device_range(session, to.base),
       from_device = in_device_range(session, from.base);
  size_t bytes = box.width * box.height * box.depth;
  session.journal.transfer(direction(to_device, from_device), bytes);
  // Within the device every byte is read and written.
  bool over_link = to_device != from_device;
  session.clock += seconds(session, over_link, over_link ? bytes : 2.0 * bytes);
  return cudaSuccess;
}

cudaError_t copy(Session& session, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy(session, Rows{uintptr_t(to)}, Rows{uintptr_t(from)}, Box{bytes}, kind);
}

cudaError_t fill(Session& session, const Rows& to, int value, const Box& box) {
  if (box.empty()) return cudaSuccess;
  if (!is_device_side(session, to.base) || !is_reachable(session, to.base, to.extent(box)))
    return cudaErrorInvalidValue;
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      std::memset(reinterpret_cast<void*>(to.row(y, z)), value, box.width);
  size_t bytes = box.width * box.height * box.depth;
  session.journal.transfer("memset", bytes);
  session.clock += seconds(session, false, double(bytes));
  return cudaSuccess;
}

}  // namespace headroom::runtime
