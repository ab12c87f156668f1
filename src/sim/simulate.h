// Runs one launch on the executor and counts.
//
//   LoadedModule module = load_module(ptx::parse(text, "saxpy"), memory);
//   auto program = decode(module, "_Z5saxpyfPfS_");
//   Outcome outcome = simulate(*program, launch, memory, limits);
//   outcome.counters.global_load_sectors == 2 * n / 8
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/launch.h"
#include "record/page_count.h"
#include "record/source.h"
#include "record/trace.h"
#include "sim/check/work.h"
#include "sim/loaded.h"
#include "sim/touched.h"

namespace headroom::sim {

namespace check {
class Checker;  // check/checker.h
std::shared_ptr<Checker> make_checker(bool races, bool uninitialised, bool bounds);
// What the host does to memory: bytes that nobody wrote yet, bytes that are written now, bytes that
// are what others are.
void allocated(Checker&, uint64_t address, uint64_t bytes);
void wrote(Checker&, uint64_t address, uint64_t bytes);
void copied(Checker&, uint64_t to, uint64_t from, uint64_t bytes);
// What follows belongs to this work: a launch of that program, or ranges that it touches.
void begin_work(Checker&, Work);
void runs(Checker&, std::shared_ptr<const Program>);
void touches(Checker&, uint64_t address, uint64_t bytes, bool writes, const char* what);
std::vector<Finding> take_findings(Checker&);  // of those ranges
// Of an allocation's bytes, what that work, by number and ascending, has done to whole pages of them; none,
// where it also wrote there by volatile or atomic accesses, as one does that tells the host by itself.
std::vector<HostPage> host_pages(const Checker&, const std::vector<uint32_t>& work, uint64_t begin,
                                 uint64_t end);
// The host's access to a byte that this work has written, or read where the host writes.
std::optional<Finding> host_access(const Checker&, const std::vector<uint32_t>& work,
                                   uint64_t address, bool writes);
}  // namespace check

// Shorter launches run again as fast as anybody finds that they need not.
inline constexpr std::chrono::microseconds worth_repeating{50};

struct Options {
  bool count = true;   // false: Silent, nothing is observed
  bool sites = false;  // of machine code: counts for each instruction too
  // Which sectors it touched is kept: never, where it took the executor so long that it is worth it, always.
  enum class Touched : uint8_t { no, worth_it, always } touched = Touched::no;
  check::Checker* checker =
      nullptr;           // looks on instead of counting; of a program decoded to be watched
  bool bounds = false;   // looks for accesses that leave their variable; of a program to be watched
  TraceSample trace;     // the blocks to trace, if any
  unsigned threads = 0;  // host threads that may run its blocks; 0: as many as this machine has
  bool lockstep = false;  // warps as before Volta: one stack, a side of a branch runs to its end
  // Rounds of loops, none of its blocks beginning or ending, after which a kernel is ended. Unset:
  // only loops that do nothing but wait have a limit, as a loop may well work for long.
  std::optional<uint64_t> hang_after;
  const std::atomic<bool>* interrupted = nullptr;  // to be ended where it is
  // Called a few times a second at most.
  std::function<void(uint64_t blocks_done, uint64_t blocks)> progress;
};

struct Outcome {
  Counters counters{};
  std::vector<InstructionCounts> sites;          // where they were asked for: by instruction
  std::vector<AccessExample> examples;           // … and an access of each that has one
  std::optional<Trace> trace;                    // where it was asked for
  std::vector<PageCount> loaded, stored;         // sectors of device memory, where they are counted
  std::shared_ptr<const TouchedMemory> touched;  // of one that completed, where asked for
  bool completed = false;
  bool interrupted = false;
  std::vector<Finding> findings;  // the first entry stopped the launch if not completed
  std::vector<Caveat> caveats;
  double seconds = 0;    // of the executor
  Memory::Time time;     // that passed
  unsigned threads = 1;  // of the host, that took part
  std::string printed;   // what the kernel's printf wrote, in order
};

Outcome simulate(const Program&, const Launch&, Memory&, const Limits&, const Options& = {});

}  // namespace headroom::sim
