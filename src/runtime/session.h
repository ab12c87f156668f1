// Everything the stand-in knows in this process: one of it, made at the first call that needs it
// (loading the library alone does nothing), never destroyed (the program's own exit code may still
// call us).
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "runtime/api.h"
#include "runtime/journal.h"
#include "runtime/options.h"
#include "runtime/registry.h"
#include "sim/memory.h"

namespace headroom::runtime {

// What the API handed out, in an order that the checks use: up to `managed` cudaFree takes it back,
// from `pinned` on it is the host's. A managed variable is loaded with its module.
enum class Place { device, managed, variable, pinned, registered };

struct Allocation {
  uint64_t begin = 0, bytes = 0;
  Place place = Place::device;
  int device = 0;
  unsigned flags = 0;
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  double when = 0;  // on the session's clock
};

struct Session {
  Options options;
  Machine machine;
  sim::Memory memory;  // of all devices: an address belongs to one of them (Allocation::device)
  Journal journal;
  std::map<uint64_t, Allocation> allocations;  // by begin
  std::map<cudaStream_t, std::unique_ptr<Stream>> streams;
  std::map<cudaEvent_t, std::unique_ptr<Event>> events;
  uint64_t next_stream_id = 8;  // the driver's own streams come first
  // Seconds the device was busy, by floors and host link: what events read.
  double clock = 0;
  // A kernel's fault: pending until a call waits for the device, then returned by every call that
  // needs it.
  cudaError_t pending = cudaSuccess, sticky = cudaSuccess;
  std::map<int, std::map<cudaLimit, size_t>> limits;

  explicit Session(Options);
  uint64_t memory_of_device() const;                     // bytes
  uint64_t used_on(int device) const;                    // bytes of its allocations
  const Allocation* allocation(uint64_t address) const;  // the one that holds the address
};

// A size in bytes, whatever unit the machine's file gives it in.
uint64_t bytes_of(const Fact&);

// Registration happens before main and must stay light: it does not make the session.
Registry& registry();

int& current_device();  // of this thread
void end_journal();     // at exit; harmless where there is no session

}  // namespace headroom::runtime
