// What is moved where: a pattern names the ends of a transfer and the order of its copies; a Way is a
// pattern with the memory on the host's end and the API that is asked.
//
//   host to device     one way                                     n bytes
//   device to host     the other way                               n
//   both at once       two streams, opposite directions            2 n
//   round trip         there and back again, one after the other   2 n
//   device to device   within one device's memory                  n, each read once and written once
//   peer               from one device to another                  n
#pragma once
#include <cstdint>
#include <string>

#include "studies/common/buffer.h"
#include "studies/transfer/copies.h"
#include "studies/transfer/host_memory.h"

namespace transfer {

enum class Pattern {
  host_to_device,
  device_to_host,
  both_at_once,
  round_trip,
  within_device,
  peer
};

constexpr const char* names_of_patterns[] = {"host to device", "device to host",   "both at once",
                                             "round trip",     "device to device", "peer"};
inline const char* name(Pattern pattern) { return names_of_patterns[int(pattern)]; }

struct Way {
  Memory memory;  // means nothing where no host takes part
  Pattern pattern;
  const Copies* copies;

  bool has_host() const { return pattern < Pattern::within_device; }
  size_t copied(size_t bytes) const {
    const bool twice = pattern == Pattern::both_at_once || pattern == Pattern::round_trip;
    return twice ? 2 * bytes : bytes;
  }
};

// Where bytes come from and go to, for transfers up to a size. Managed memory has one address for
// both sides: there a host buffer is its own device buffer.
struct Places {
  Memory memory;
  void *host_from = nullptr, *host_to = nullptr;
  void *device_from = nullptr, *device_to = nullptr;
  int device = 0, device_of_to = 0;  // of device_to: another one for a peer
  cudaStream_t streams[2] = {};

  void* host_end_of_round_trip() const { return memory == Memory::managed ? host_from : host_to; }
};

// Fresh bytes where the transfer begins, other bytes where it ends.
void set_up(const Way&, const Places&, size_t bytes, uint64_t seed);
// Puts managed pages back where the transfer begins: before each repetition, outside of the time.
void put_back(const Way&, const Places&, size_t bytes);
// The transfer. Where it is done, or as good as done, the host goes on: who times it synchronises.
void run(const Way&, const Places&, size_t bytes);
// How many 8-byte words did not arrive as they were sent.
size_t wrong(const Way&, const Places&, size_t bytes, uint64_t seed);

}  // namespace transfer
