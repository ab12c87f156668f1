// Everything the stand-in knows in this process: one of it, made at the first call that needs it
// (loading the library alone does nothing), never destroyed (the program's own exit code may still
// call us).
#pragma once
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device/allocations.h"
#include "device/context.h"
#include "device/journal.h"
#include "device/managed_pages.h"
#include "device/options.h"
#include "device/predictions.h"
#include "device/registry.h"
#include "device/repeats.h"
#include "device/status.h"
#include "device/timeline.h"
#include "machine/machine.h"
#include "model/recent_memory.h"
#include "sim/memory.h"

namespace headroom::sim::check {
class Checker;
}

namespace headroom::device {

struct Array;          // array.h
struct Capture;        // capture.h
struct Node;           // graph/graph.h
struct Queued;         // queue.h
struct TextureObject;  // texture.h
struct VirtualMemory;  // virtual_memory.h

// The value of an attribute that steers nothing here: kept, and told again as it was.
struct Opaque {
  alignas(8) std::byte bytes[64]{};
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  int device = 0;
  Context context;                   // a default one's: the current one
  bool legacy = false;               // waits for every blocking stream and they for it
  std::shared_ptr<Capture> capture;  // what its calls become nodes of; null: they run
  std::vector<Node*> last;           // the nodes that its next one follows
  std::map<int, Opaque> attributes;
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  double when = 0;    // on the session's clock
  uint64_t work = 0;  // launches, copies and fills before it
  Clock order;        // what comes before it
  Context context;
  std::shared_ptr<Capture> capture;  // last recorded in one, after these nodes
  std::vector<Node*> after;
};

struct Session {
  Options options;
  Machine machine;
  sim::Memory memory;  // of all devices: an address belongs to one of them (Allocation::device)
  Journal journal;
  Allocations allocations;
  Predictions predictions;
  RecentMemory recent;
  ManagedPages managed_pages;
  Repeats repeats;
  std::shared_ptr<sim::check::Checker> checker;  // null: launches are counted, not checked
  Timeline timeline;                             // of what the checker is told
  // By their handles, which are their addresses.
  std::map<const void*, std::unique_ptr<Stream>> streams;
  std::map<const void*, std::unique_ptr<Event>> events;
  // Events and arrays of contexts that ended: their handles are not given again.
  std::map<const void*, std::shared_ptr<const void>> ended;
  uint64_t next_stream_id = 8;                           // the driver's own streams come first
  std::map<int, Stream> legacy_streams;                  // by device
  std::map<std::thread::id, Stream> per_thread_streams;  // one of every thread
  std::vector<std::shared_ptr<Capture>> captures;        // under way
  std::list<const Stream*> host_functions;               // streams that run one now
  std::list<std::shared_ptr<Queued>> queue;              // what comes after those
  // Seconds the device was busy, by floors and host link: what events read.
  double clock = 0;
  double busy = 0;  // … by predicted times, where launches have them, else by floors
  void pass(double seconds) { clock += seconds, busy += seconds; }
  // A kernel's fault: pending until a call waits for the device, then returned by every call that
  // needs it.
  Status pending = Status::ok, sticky = Status::ok;
  std::map<int, std::map<int, size_t>> limits;
  std::map<const void*, std::shared_ptr<Pool>> pools;
  std::map<int, Pool*> default_pools, current_pools;  // by device
  std::map<int, uint64_t> graph_memory_high;          // by device: bytes
  std::shared_ptr<VirtualMemory> virtual_memory;      // once there is any
  std::map<const void*, std::shared_ptr<Array>> arrays;
  std::set<std::pair<int, int>> peers;  // the first device may use the second one's memory
  std::map<uint64_t, std::shared_ptr<TextureObject>> textures;  // and surfaces
  uint64_t next_texture = 1;

  explicit Session(Options);
  uint64_t memory_of_device() const;  // bytes
};

inline bool is_device(const Session& session, int device) {
  return device >= 0 && device < session.options.devices;
}

// A size in bytes, whatever unit the machine's file gives it in.
uint64_t bytes_of(const Fact&);

// Registration happens before main and must stay light: it does not make the session.
Registry& registry();

int& current_device();  // of this thread
// Whether the runtime API was used on this thread, which makes the device's primary context current.
bool& runtime_is_used();

}  // namespace headroom::device
