// What would make a launch faster: the questions that are put to its model, a group a file. Each takes one obstacle away; the
// time that this saves is the gain. What gains next to nothing is not told.
//
//   Asking(model, time, answers).run()  ->  {{"bank_conflicts", 87 µs, …, "transpose.cu", 17}, …}
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/pipeline/answers.h"
#include "model/pipeline/evidence.h"
#include "model/pipeline/launch_time.h"

namespace headroom {

// A question, and what is said if the answer is a gain.
struct Ask {
  std::string id;
  Question question;
  std::string what, next;
  const Cost* cost = nullptr;                // its worst instruction is where it is
  std::optional<uint32_t> instruction = {};  // … or this one
  double most = 1;                           // share of the played cycles that it cannot be above
};

class Asking {
 public:
  Asking(const LaunchModel&, const LaunchTime&, Answers&);
  std::vector<Advice> run();  // the largest gain first; again: the same

 private:
  void ask(const Ask&);
  double gain_of(const Question&) const;  // seconds
  void tell(const Ask&, double gain);
  double least_told() const;  // seconds that are worth a line
  Advice made_of(const Ask&, double gain) const;
  void together();              // advice_together.cpp
  uint32_t worst(Stall) const;  // the instruction at which warps spend most of it
  double share(Stall) const;    // of the warps' time
  template <class Is>
  std::vector<bool> where(Is) const;  // the executed instructions that are so
  uint32_t most_executed(const std::vector<bool>&) const;
  bool on_line_of(uint32_t instruction, uint32_t other) const;

  void memory();  // advice_memory.cpp
  void sectors();
  void conflicts();
  void reuse();
  void uniform_loads();
  void l2_misses();
  void local();
  void constants();
  void atomics();

  void instructions();  // advice_instructions.cpp
  void divergence();
  void reloads();
  void narrow();
  void warp_sums();    // advice_warp_sums.cpp
  void block_trees();  // advice_trees.cpp

  // What rounds of loops spend on the loops themselves.
  struct LoopsOwn {
    std::vector<bool> left_out;  // instructions
    double executed = 0, of = 0;
    bool tests = false;                  // among them tests that nearly always go the same way
    std::optional<uint32_t> worst = {};  // the branch back that is executed most
  };
  void loops();  // advice_loops.cpp
  LoopsOwn own_of(const std::vector<Loop>&) const;
  std::vector<Loop> loops_over_arrays() const;

  void numbers();  // advice_numbers.cpp
  void double_precision();
  void division();
  void accurate_functions();
  void correct_rounding();
  void scalar_halves();

  void waiting();  // advice_waiting.cpp
  void occupancy();
  void shape();
  void few_blocks();
  void tail();
  void unequal_work();

  const LaunchModel& model_;
  const PredictTask& task_;
  const LaunchTime& time_;
  Answers& answers_;
  const Evidence evidence_;
  const double least_seconds_;  // that no advice goes below
  struct Asked {
    Ask ask;
    double gain;  // alone
  };
  std::vector<Asked> asked_;
  std::vector<Advice> advice_;
  bool mixes_rounds_ = false;  // the advice on loops halves latencies too
};

}  // namespace headroom
