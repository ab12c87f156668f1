// What a GPU did, measured: every launch and copy of a process in the order in which the program
// asked for them. Beside LaunchRecord, which says what a launch does, this says how long it took.
//
//   {"index": 0, "kernel": "saxpy(…)", "grid": [4096, 1, 1], …, "start": 0.0021,
//   "seconds": 1.2e-05}
//   {"direction": "host_to_device", "from": "pageable", "to": "device", "bytes": 4194304, …}
//
// Times are seconds; starts count from the first activity of all processes. What the profiling
// interface could not tell is absent.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "record/launch.h"

namespace headroom {

inline constexpr const char* timing_schema = "headroom-timing/1";

struct LaunchTiming {
  int index = 0;      // of its process, in order of the calls
  LaunchShape shape;  // no carve-out: the profiling interface does not tell what was preferred
  State state = State::stopped;  // measured, or stopped: its end was not seen
  std::string name;              // of the kernel: demangled, with its parameters
  std::optional<double> start, seconds;
  int registers = 0;                                 // per thread
  uint64_t static_shared = 0, local_per_thread = 0;  // bytes
  uint64_t shared_carveout = 0;  // bytes of an SM configured as shared memory; 0: not told
  int device = 0, context = 0;
  uint64_t stream = 0;
  bool in_graph = false;
};

struct CopyTiming {
  std::string direction;  // as Transfer's: host_to_device …, peer_to_peer, memset
  std::string from, to;   // pageable, pinned, managed, device, array; "" unknown
  uint64_t bytes = 0;
  std::optional<double> start, seconds;
  int device = 0, to_device = 0, context = 0;
  uint64_t stream = 0;
  bool asynchronous = false, in_graph = false;
};

// A device as the profiling interface describes it.
struct GpuDevice {
  int id = 0;
  std::string name;  // "NVIDIA H200"
  int compute_major = 0, compute_minor = 0, multiprocessors = 0;
  double clock_mhz = 0;
  uint64_t memory_bytes = 0, l2_bytes = 0;
  double memory_bandwidth = 0;  // B/s
  int warps_per_sm = 0, blocks_per_sm = 0, threads_per_block = 0, registers_per_sm = 0,
      registers_per_block = 0;
  uint64_t shared_per_sm = 0, shared_per_block = 0;              // bytes
  int cc() const { return compute_major * 10 + compute_minor; }  // 90
};

struct TimingRecord {
  std::vector<std::string> program;  // its command line
  int process = 0;
  uint32_t cupti_version = 0;
  std::vector<GpuDevice> devices;
  std::vector<LaunchTiming> launches;
  std::vector<CopyTiming> copies;
  uint64_t dropped = 0;          // activities that the profiling interface lost
  bool ended = false;            // the process left by exit
  std::optional<Error> problem;  // why nothing was recorded
};

}  // namespace headroom
