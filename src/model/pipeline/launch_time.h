// From one SM's blocks to the whole launch.
#pragma once
#include "model/pipeline/again.h"
#include "model/pipeline/predict.h"
#include "model/pipeline/retries.h"

namespace headroom {

// What stays the same from question to question about a launch.
struct LaunchModel {
  const PredictTask& task;
  std::vector<InstructionTiming> code;
  Supply supply;
  std::unordered_set<uint64_t> same_stores;  // sectors that all SMs store to
  double blocks_of_sm = 1;                   // of the busiest one
  size_t played = 0;                         // of them
  std::optional<PlayedAgain> again;          // if those are more than were traced
  int warps = 0;                             // resident on an SM
  double sms = 1;                            // that have blocks
  double clock = 1e9;                        // Hz
  double overhead = 0;      // seconds until the first block runs, and from the last one to the end
  double work = 1;          // of a mean block, by those that were traced
  double busiest = 1;       // what the busiest SM takes, by one that has as many like those
  double even = 0;          // … if all blocks were as a mean one; 0: not known of blocks alike
  double unlike = 1;        // how much more or less than what was traced others execute, 1 …
  double executed = 1;      // instructions of the traced blocks, by those in the trace
  double waited = 0;        // share of their instructions in rounds that only waited
  double way_alone = 0;     // cycles of the longest traced warp, played alone
  double cycles_alone = 0;  // … for each of its instructions
  double longest_rest = 0;  // cycles of the longest warp when those that were traced are done
  double atomic_seconds = 0;  // of the busiest place in L2
  Retries retries;
  double retry_seconds = 0;  // of the busiest place of these, where threads meet there

  explicit LaunchModel(const PredictTask&);
  LaunchModel(const LaunchModel&) = delete;  // `supply` points into it
};

struct Question {
  Relief relief = {};
  std::vector<bool> left_out = {}, kept = {};  // as in SmTask
  int resident = 0;                            // blocks; 0: as many as there are
  double blocks_of_sm = 0;                     // 0: as many as there are
  std::optional<double> in_l2 = std::nullopt;
  bool operator==(const Question&) const = default;
};

struct LaunchTime {
  double seconds = 0, sm_cycles = 0;
  double mean_cycles = 0;    // of an SM that has as much to do as a mean one
  double store_seconds = 0;  // of the busiest place in L2 that all blocks store to
  double whole = 1;          // what the played blocks take, by what was played of them
  SmRun run;
};
LaunchTime time_of(const LaunchModel&, const Question& = {});
// The first one, which decides whether threads meet whose swaps are tried again: a question that makes the rest shorter does not.
LaunchTime first_time_of(LaunchModel&);

// GB/s each way, where a machine's is unknown.
inline constexpr double h200_host_bandwidth = 63;

// Of the distinct sectors of a launch, the bytes that it asks for.
double needed_load_bytes(const Counters&);
double needed_store_bytes(const Counters&);

}  // namespace headroom
