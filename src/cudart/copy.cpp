#include "cudart/copy.h"

#include <cstring>

#include "base/saturate.h"
#include "cudart/array.h"

namespace headroom::cudart {
namespace {

// A box of `depth` slices of `height` rows of `width` bytes; a plain run of bytes is one row.
struct Box {
  size_t width = 0, height = 1, depth = 1;
  bool empty() const { return !width || !height || !depth; }
};
// Where its rows lie: row y of slice z begins at base + (z * slice_rows + y) * pitch. What does not
// fit into 64 bits saturates: is_reachable refuses it.
struct Rows {
  uintptr_t base = 0;
  size_t pitch = 0, slice_rows = 1;
  size_t offset(size_t y, size_t z) const {
    return saturated_multiply(saturated_add(saturated_multiply(z, slice_rows), y), pitch);
  }
  uintptr_t row(size_t y, size_t z) const { return saturated_add(base, offset(y, z)); }
  size_t extent(const Box& box) const {
    return saturated_add(offset(box.height - 1, box.depth - 1), box.width);
  }
};

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
  if (!address || bytes > UINTPTR_MAX - address) return false;
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

// Arrays count in elements, linear memory in bytes.
Rows rows_of(const Array& array, const cudaPos& at) {
  Rows rows{array.base, array.extent.width * array.element(), array.rows()};
  rows.base = saturated_add(rows.row(at.y, at.z), saturated_multiply(at.x, array.element()));
  return rows;
}

Rows rows_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  Rows rows{uintptr_t(pointer.ptr), pointer.pitch, pointer.ysize};
  rows.base = saturated_add(rows.row(at.y, at.z), at.x);
  return rows;
}

// Rows and slices that lie in one another are a mistake, and may be more than ever end.
bool is_apart(const Rows& rows, const Box& box) {
  if (box.depth > 1 && box.height > rows.slice_rows) return false;
  return (box.height == 1 && box.depth == 1) || box.width <= rows.pitch;
}

Box box_of(const cudaExtent& extent) { return {extent.width, extent.height, extent.depth}; }

bool is_inside(const Array& array, const cudaPos& at, const cudaExtent& extent) {
  return is_within(at.x, extent.width, 0, array.extent.width) &&
         is_within(at.y, extent.height, 0, array.rows()) &&
         is_within(at.z, extent.depth, 0, array.slices());
}

// A copy with its arrays looked up.
struct Sides {
  Rows to, from;
  Box box;
};
cudaError_t sides_of(const Session& session, const cudaMemcpy3DParms& what, Sides& out) {
  const Array *to = find_array(session, what.dstArray), *from = find_array(session, what.srcArray);
  if ((what.dstArray && (!to || what.dstPtr.ptr)) || (what.srcArray && (!from || what.srcPtr.ptr)))
    return cudaErrorInvalidValue;
  if ((to && !is_inside(*to, what.dstPos, what.extent)) ||
      (from && !is_inside(*from, what.srcPos, what.extent)) ||
      (to && from && to->element() != from->element()))
    return cudaErrorInvalidValue;
  out.to = to ? rows_of(*to, what.dstPos) : rows_of(what.dstPtr, what.dstPos);
  out.from = from ? rows_of(*from, what.srcPos) : rows_of(what.srcPtr, what.srcPos);
  out.box = box_of(what.extent);
  if (to || from) out.box.width *= (to ? to : from)->element();
  return cudaSuccess;
}

void fill_row(void* to, const FillWork& work) {
  auto* bytes = static_cast<std::byte*>(to);
  if (work.element == 1)
    std::memset(bytes, int(work.value), work.extent.width);
  else
    for (size_t at = 0; at + work.element <= work.extent.width; at += work.element)
      std::memcpy(bytes + at, &work.value, work.element);
}

}  // namespace

cudaMemcpy3DParms copy_of(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_of(to, bytes, from, bytes, bytes, 1, kind);
}

cudaMemcpy3DParms copy_of(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                          size_t width, size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms what{};
  what.dstPtr = {to, to_pitch, width, height};
  what.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  what.extent = {width, height, 1};
  what.kind = kind;
  return what;
}

cudaError_t check_copy(Session& session, const cudaMemcpy3DParms& what) {
  if (what.kind < cudaMemcpyHostToHost || what.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Sides sides;
  if (cudaError_t error = sides_of(session, what, sides)) return error;
  const auto& [to, from, box] = sides;
  if (box.empty()) return cudaSuccess;
  if (!is_apart(to, box) || !is_apart(from, box)) return cudaErrorInvalidValue;
  if (!is_reachable(session, to.base, to.extent(box)) ||
      !is_reachable(session, from.base, from.extent(box)))
    return cudaErrorInvalidValue;
  const bool must_to = what.kind == cudaMemcpyHostToDevice || what.kind == cudaMemcpyDeviceToDevice;
  const bool must_from =
      what.kind == cudaMemcpyDeviceToHost || what.kind == cudaMemcpyDeviceToDevice;
  if ((must_to && !is_device_side(session, to.base)) ||
      (must_from && !is_device_side(session, from.base)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t copy(Session& session, const cudaMemcpy3DParms& what) {
  if (cudaError_t error = check_copy(session, what)) return error;
  Sides sides;
  if (cudaError_t error = sides_of(session, what, sides)) return error;
  const auto& [to, from, box] = sides;
  if (box.empty()) return cudaSuccess;
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

MakeWork copy_work(const cudaMemcpy3DParms& what) {
  return [what](Session& session, Work& work) {
    if (cudaError_t error = check_copy(session, what)) return error;
    if (what.extent.width && what.extent.height && what.extent.depth) work = CopyWork{what};
    return cudaSuccess;
  };
}

cudaError_t check_fill(Session& session, const FillWork& work) {
  const Box box = box_of(work.extent);
  if (work.element != 1 && work.element != 2 && work.element != 4) return cudaErrorInvalidValue;
  if (box.empty()) return cudaSuccess;
  const Rows to = rows_of(work.to, {});
  if (!is_apart(to, box)) return cudaErrorInvalidValue;
  if (!is_device_side(session, to.base) || !is_reachable(session, to.base, to.extent(box)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t fill(Session& session, const FillWork& work) {
  if (cudaError_t error = check_fill(session, work)) return error;
  const Box box = box_of(work.extent);
  if (box.empty()) return cudaSuccess;
  const Rows to = rows_of(work.to, {});
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y) fill_row(reinterpret_cast<void*>(to.row(y, z)), work);
  size_t bytes = box.width * box.height * box.depth;
  session.journal.transfer("memset", bytes);
  session.clock += seconds(session, false, double(bytes));
  return cudaSuccess;
}

}  // namespace headroom::cudart
