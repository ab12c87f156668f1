// Memory and addresses apart: a program reserves addresses, makes memory, maps it there, and says which devices
// may use it. The same memory may be mapped at several places.
//
//   reserve_addresses(session, 4 << 20, 0, address);   make_memory(session, 2 << 20, 0, handle);
//   map_memory(session, address, 2 << 20, 0, handle);  let_use(session, address, 2 << 20, 0, Access::all);
//
// Sizes and places are multiples of memory_unit. A kernel may use what is mapped and allowed, and pieces that lie
// side by side are one allocation to it.
#pragma once
#include "device/session.h"

namespace headroom::device {

inline constexpr uint64_t memory_unit = sim::page_size;
enum class Access : unsigned { none = 0, reading = 1, all = 3 };  // numbered as the driver API does

Status reserve_addresses(Session&, uint64_t bytes, uint64_t alignment, uint64_t& address);
Status free_addresses(Session&, uint64_t address, uint64_t bytes);
Status make_memory(Session&, uint64_t bytes, int device, uint64_t& handle);
Status retain_memory(Session&, uint64_t address, uint64_t& handle);  // of what is mapped there
Status release_memory(Session&, uint64_t handle);                    // goes with its last mapping
Status map_memory(Session&, uint64_t address, uint64_t bytes, uint64_t offset, uint64_t handle);
Status unmap_memory(Session&, uint64_t address, uint64_t bytes);
Status let_use(Session&, uint64_t address, uint64_t bytes, int device, Access);
Status ask_use(Session&, uint64_t address, int device, Access& out);
Status device_of_memory(Session&, uint64_t handle, int& device);

}  // namespace headroom::device
