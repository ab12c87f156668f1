// The file that the library in the program writes and that we read: blocks, each a head and what
// follows it, in the machine's own byte order, written as CUPTI hands its buffers over. A program
// that dies leaves whole blocks and at most one that is cut off.
//
//   header · program "./saxpy\0 1000\0" · device "NVIDIA H200" · name 1 "_Z5saxpy…" · launch …
//   · copy … · end
//
// One file a process: PREFIX.<process id>.<n>.activity; n counts what one process starts by exec.
#pragma once
#include <cstdint>

namespace headroom::trace {

inline constexpr char magic[24] = "headroom-activity/1";

enum class Kind : uint32_t {
  header = 1,
  program,  // the words of the command line, each ended by a zero byte
  device,
  name,
  launch,
  copy,
  dropped,  // activities that CUPTI had no room for
  problem,  // why nothing, or no more, is recorded
  end       // the process left by exit
};

struct Block {
  Kind kind;
  uint32_t bytes;  // that follow
};

struct Header {
  char magic[24];
  uint32_t cupti_version;  // 130001; 0: unknown
  int32_t process;
};

struct Device {  // and its name
  uint64_t memory_bytes, memory_bandwidth;
  uint32_t id, compute_major, compute_minor, multiprocessors, clock_khz, l2_bytes, warps_per_sm,
      blocks_per_sm, threads_per_block, registers_per_sm, registers_per_block, shared_per_sm,
      shared_per_block, visible;
};

struct Name {  // and the mangled name
  uint32_t id;
};

struct Launch {
  uint64_t start, end;  // nanoseconds; end 0: had not ended when it was written
  uint64_t graph_node;  // 0: no node of a graph
  uint32_t name, correlation, device, context, stream, graph;
  uint32_t grid[3], block[3], cluster[3];  // cluster 0: none
  uint32_t registers, static_shared, dynamic_shared, local_per_thread;
  uint32_t shared_carveout;  // bytes of an SM that were configured as shared memory
  uint8_t cooperative, from_device, padding[6];
};

// Directions as in CUpti_ActivityMemcpyKind, memory as in CUpti_ActivityMemoryKind; a memset has
// direction 0 and only a destination.
struct Copy {
  uint64_t start, end, bytes, graph_node;
  uint32_t correlation, device, context, stream, to_device;
  uint8_t direction, from, to, asynchronous;
};

struct Dropped {
  uint64_t records;
};

enum class Cause : uint32_t { no_cupti = 1, no_function, version, call };

struct Problem {  // and the library, function or call it is about, and what it said
  Cause cause;
  int32_t code;  // a CUptiResult, or CUPTI's version
};

}  // namespace headroom::trace
