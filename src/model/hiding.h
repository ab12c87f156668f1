// Latency hiding by Little's law: the work that must be in flight is latency × throughput, wherever
// it comes from: more threads, more independent instructions per thread, or wider ones.
//
//   needed_parallelism(18, 32)                  576 operations in flight per SM (GF100, arithmetic)
//   needed_parallelism(800 / 1.401e9, 177.4e9)  101 kB in flight on the chip (GTX 480, memory)
//   threads_for(needed, 4)                      25 thousand threads of 4 B each
//
// Source: V. Volkov, Better Performance at Lower Occupancy, 2010, p11, p28, p29.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace headroom {

// In units of throughput's numerator; latency and throughput share their unit of time.
constexpr double needed_parallelism(double latency, double throughput) {
  return latency * throughput;
}

// Threads that must be resident when each keeps `per_thread` (operations or bytes) in flight.
constexpr double threads_for(double needed, double per_thread) { return needed / per_thread; }

// Throughput that the work in flight allows, at most the peak.
constexpr double reached(double in_flight, double latency, double peak) {
  double rate = in_flight / latency;
  return rate < peak ? rate : peak;
}

// FP32 operations in flight that keep the lanes of one SM busy; absent: a fact is unknown.
std::optional<double> needed_operations(const Machine&);
// Warps per SM that this takes with `chains` independent operations per thread.
std::optional<double> needed_warps(const Machine&, double chains);

// Warps of an SM that hide the latency of a loop in which each thread loads a float and then does `intensity`
// operations, each on the result of the one before. At few operations a load DRAM's bandwidth bounds it, at
// many its lanes do; in between both latencies must be hidden, and it takes most warps.
//
//   h200: 0 operations 99 warps, 28 operations 115, 1024 operations 19; of a busy DRAM 168, 184, 19
//
// Source: V. Volkov, A microbenchmark to study GPU performance models, PPoPP 2018 (the cusp).
struct NeededWarps {
  double intensity = 0;
  double warps = 0;        // by the latency of a DRAM that is idle
  double busy_warps = 0;   // by the one that it has at the rate that these warps are to reach
  bool by_memory = false;  // what bounds it when latency is hidden
};
std::optional<NeededWarps> needed_warps_at(const Machine&, double intensity);
// At 0, 1, 2, 4 … and where warps are needed most. Empty: a fact is unknown.
std::vector<NeededWarps> needed_warps_curve(const Machine&);
// Facts without which there is no curve and that the machine's file does not have, by name: {"dram_latency"}.
std::vector<std::string> unknown_for_needed_warps(const Machine&);
// Bytes in flight on the whole chip that keep DRAM at its pin bandwidth, by the latency of one that is idle, and of one
// that is as busy as it can be.
std::optional<double> needed_bytes(const Machine&);
std::optional<double> busy_needed_bytes(const Machine&);

// How much longer DRAM takes where it is as busy as it can be, less in proportion to how busy it is; a time rather than
// cycles. Measured on an H200 (results/h200/model_probe.json, loads in flight), and taken for other machines too.
inline constexpr double busy_dram_seconds = 480 / 1.98e9;

}  // namespace headroom
