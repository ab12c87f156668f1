// Memory of the host that kernels may touch: pinned, which is allocated here, and registered, which the
// program had already. And what a pointer is.
//
//   void* p;
//   allocate_host(session, 100, 0, p)      Status::ok; a kernel may use p
//   look_up(session, p).kind               Pointed::Kind::host
#pragma once
#include "device/session.h"

namespace headroom::device {

// Flags, as both faces number them.
inline constexpr unsigned portable = 1, mapped = 2;             // of both
inline constexpr unsigned write_combined = 4;                   // of pinned memory
inline constexpr unsigned of_other_devices = 4, read_only = 8;  // of registered memory

Status allocate_host(Session&, uint64_t bytes, unsigned flags, void*& out);  // 0 bytes: at null
Status free_host(Session&, void*);                                           // null: nothing
Status register_host(Session&, void*, uint64_t bytes, unsigned flags);
Status unregister_host(Session&, void*);
const Allocation* find_host(const Session&, const void*);  // null: none holds the address

struct Pointed {
  enum class Kind { unknown, host, device, managed };  // both faces number them so
  Kind kind = Kind::unknown;
  int device = 0;  // of all but unknown ones
};
Pointed look_up(const Session&, const void*);

}  // namespace headroom::device
