// Measured launches beside counted ones: how long each took, over the least time that its counters
// and the machine's facts allow.
//
//   LaunchTiming 12.1 µs + LaunchRecord{counters} + Machine
//     -> MeasuredLaunch: floor 8.29 µs by dram, headroom 1.46, 3470 GB/s
//
// Counters come from a run on the executor. They belong to a measured launch when kernel, grid,
// block, cluster and dynamic shared memory are the same, and either as many launches of that shape were
// counted as measured (then in order), or all those counted did the same (then any of them: a
// program that repeats a launch until a time is sure does so more often on a GPU). Else they do not
// join, and a caveat says which.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "model/bounds.h"
#include "model/occupancy.h"
#include "record/timing.h"

namespace headroom {

enum class Joined : unsigned char { no, by_order, by_shape };

// Launches of one shape share what was computed for it: a program may launch a million times.
struct MeasuredLaunch {
  LaunchTiming timing;
  int process = 0;
  std::shared_ptr<const Occupancy> occupancy;  // null: unknown
  Joined joined = Joined::no;
  std::shared_ptr<const Bounds> bounds;  // of the counted launch it joined; null: none

  // Measured time over the largest floor; absent without either.
  std::optional<double> headroom() const;
  // B/s that the threads asked for, and that moved between L1 and L2, over the measured time.
  std::optional<double> useful_rate() const, moved_rate() const;
};

// How values lie; spread is the middle 80 % of them over the median, absent below three.
struct Distribution {
  size_t count = 0;
  double median = 0, least = 0, most = 0, total = 0;
  std::optional<double> spread;
};
Distribution distribution(std::vector<double> values);

// The launches of one shape.
struct MeasuredGroup {
  std::vector<size_t> launches;  // indices, in order
  Distribution seconds;          // of those that were timed
  double share = 0;              // of the time of all kernels
  size_t joined = 0;
  // Medians over those that joined; absent: none did, or the facts are unknown.
  std::optional<double> floor_seconds, headroom, useful_rate, moved_rate;
  std::optional<Resource> limiter;  // binds most of them
  bool floor_estimated = false;
};
std::vector<MeasuredGroup> group_measured(const std::vector<MeasuredLaunch>&);

struct CopyGroup {  // of one direction and kind of memory
  std::string direction, from, to;
  uint64_t calls = 0, bytes = 0;
  double seconds = 0;
  uint64_t timed_bytes = 0;  // of the copies whose time is known
  std::optional<double> rate() const;
};
std::vector<CopyGroup> group_copies(const std::vector<CopyTiming>&);

// With the registers and shared memory that the launch really had; null without a machine.
std::shared_ptr<const Occupancy> occupancy_of(const std::optional<Machine>&, const LaunchTiming&);
// The same for each launch.
void give_occupancies(std::vector<MeasuredLaunch>&, const std::optional<Machine>&);

// Fills joined and bounds of `launches`; returns what did not join and why. `several_processes`: of
// either run; there is then no order among launches.
std::vector<Caveat> join(std::vector<MeasuredLaunch>& launches,
                         const std::vector<LaunchRecord>& counted, const Machine&,
                         bool several_processes);

}  // namespace headroom
