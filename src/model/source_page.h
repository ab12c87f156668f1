// A kernel's machine instructions by source line, as a profiler's source page has them.
//
//   source_page(report, kernel)->lines[0] == SourceLine{"/home/me/saxpy.cu", 6, "if (i < n) y[i] = …",
//                                                       {5, 6, 7, …}, sum, share 0.68}
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/explanation.h"
#include "record/source.h"

namespace headroom {

struct SourceLine {
  std::string file;  // empty: the code does not tell whose these instructions are
  uint32_t line = 0;
  std::string text;                  // as the file has it now; empty where it cannot be read
  size_t indent = 0;                 // columns before it there
  std::vector<size_t> instructions;  // indices into the listing, by address
  InstructionCounts sum{};
  StallCycles stalls{};
  double share = 0;  // of all warp instructions of the kernel
  bool hot = false;
};

struct SourcePage {
  std::shared_ptr<const MachineListing> listing;
  std::vector<InstructionCounts> counts;  // of each instruction, summed over the launches
  std::vector<AccessExample> examples;    // by instruction: of all launches the one that cost most
  InstructionCounts sum{};
  std::vector<StallCycles> stalls;  // of each instruction, likewise; empty: no time was predicted
  StallCycles all_stalls{};
  Counters counters{};
  std::vector<SourceLine> lines;    // by file, in the order of their code; in a file by line
  std::vector<std::string> unread;  // files of these lines that cannot be read
  size_t launches = 0;
};

// Without the lines' texts.
std::vector<SourceLine> source_lines(const SourceCounts&);

// Absent: no launch of the kernel was counted so.
std::optional<SourcePage> source_page(const Explanation&, const KernelGroup&);

// What warps wait for most at a place, and the place's share of all cycles in which warps of the kernel wait. Absent:
// they do not wait there.
struct Stalled {
  Stall most;
  double share;
};
std::optional<Stalled> stalled(const StallCycles& here, const StallCycles& all);

double mean_active_lanes(const InstructionCounts&);  // 0 where it did not run
double mean_lanes_on(const InstructionCounts&);
double sectors_per_request(const InstructionCounts&);  // 0 without requests
uint64_t all_requests(const InstructionCounts&);       // of shared memory too

}  // namespace headroom
