// One host thread's share of a launch. It starts blocks in order, runs each until it ends or its
// slice is used up; an unfinished block waits in the ring of residents while the next one starts. A
// kernel whose blocks wait for one another therefore gets as many residents as the machine has; all
// others run block after block.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "sim/hang.h"
#include "sim/machinery.h"
#include "sim/observers/detailed.h"
#include "sim/resident.h"
#include "sim/simulate.h"

namespace headroom::sim {

// A launch, as the host threads that run it share it.
struct Work {
  const Program& program;
  const Launch& launch;
  Memory& memory;
  const Limits& limits;
  const Options& options;
  const Body& body;
  const AnyObserver observer;  // the caller's; without one, every host thread has its own or none
  unsigned threads;            // host threads that may take part
  uint64_t grid_workspace = 0;
  // A unit is what starts together: a block, or the blocks of a cluster.
  uint64_t units;
  uint64_t residents;  // units that may have begun at once, on one host thread
  uint64_t chunk;      // units a host thread takes at a time: neighbours, which share sectors
  std::atomic<uint64_t> started = 0, finished = 0;
  // The lowest unit that failed: those above it need not go on, those below it may fail yet.
  std::atomic<uint64_t> failed;

  Work(const Program&, const Launch&, Memory&, const Limits&, const Options&, const Body&,
       AnyObserver = {});
  void fail(uint64_t unit);
};

// Counts by instruction are of machine code alone: of PTX it is not known where an instruction ends.
inline bool counts_sites(const Program& program, const Options& options) {
  return program.code && options.sites;
}
inline bool in_detail(const Program& program, const Options& options) {
  return options.count && (counts_sites(program, options) || options.trace.count);
}

struct Failed {  // a fault, and whose
  uint64_t unit;
  Finding finding;
};

class Worker {
 public:
  Worker(Work&, bool first);  // the first shows progress
  using Clock = std::chrono::steady_clock;
  // Until no block is left, or, where it runs alone so far, until then.
  bool run(Clock::time_point until = Clock::time_point::max());

  bool began_together() const { return turns_.began_together(); }

  Machinery machinery;
  BorrowedCount count;
  std::unique_ptr<Sites> sites;
  std::unique_ptr<Tracer> tracer;
  std::optional<Failed> failed;
  std::exception_ptr error;  // of ours: the launch cannot go on

 private:
  void look_on(Work&);
  std::unique_ptr<Resident> next();
  std::unique_ptr<Resident> take_new();
  void step(std::unique_ptr<Resident>);
  void note(const Fault&, const Resident&);
  void look_for_hang();
  uint64_t entered() const;
  Waiting waiting() const;
  void end(const Hang&);
  void show_progress(Clock::time_point now);

  Work& work_;
  const bool first_;
  uint64_t next_unit_ = 0, end_of_chunk_ = 0;
  BlockMemory memory_;  // of the blocks
  std::vector<std::unique_ptr<Resident>> idle_;
  std::deque<std::unique_ptr<Resident>> ring_;  // started, not finished
  HangWatch hang_;
  TurnLengths turns_;
  std::optional<Detailed> detailed_;  // what observes where there are sites or traces
  Clock::time_point reported_ = Clock::now();
  const uint64_t began_;  // of the kernel's clock
  uint64_t looked_ = 0;   // the kernel's clock when the host's was last looked at
};

}  // namespace headroom::sim
