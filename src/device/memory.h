// Device memory, given and taken back. What a graph allocates has addresses before it is memory: they
// are reserved with its node, and given when the node has run.
//
//   uint64_t address;
//   allocate(session, 100, Place::device, 0, address)    Status::ok, or out_of_memory
//   release(session, address)                            Status::ok, or invalid_value: none begins there
#pragma once
#include "device/session.h"

namespace headroom::device {

// 0 bytes: at 0. is_cleared: by the driver before it is given, as memory of a pool is not.
Status allocate(Session&, uint64_t bytes, Place, int device, uint64_t& address,
                bool is_cleared = true);
Status release(Session&, uint64_t address);  // at 0: nothing

// As the program asks for it: after what runs. Throws Failure while a capture forbids it. `call`: who asks.
Status free_memory(Session&, uint64_t address, const char* call);

struct Reserved {
  uint64_t begin = 0, bytes = 0;
  std::shared_ptr<void> addresses;  // given back with the last copy
};
Status reserve(Session&, uint64_t bytes, Reserved&);
// `readers` has a bit for each other device that has access.
Status allocate(Session&, const Reserved&, int device, uint64_t readers);
uint64_t graph_memory(const Session&, int device);  // bytes allocated so

}  // namespace headroom::device
