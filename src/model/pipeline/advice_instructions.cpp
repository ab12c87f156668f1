// Advice on what is executed: lanes that are out, register banks, and instructions that others could spare.
#include <fmt/format.h>

#include <algorithm>

#include "model/pipeline/asking.h"

namespace headroom {
uint32_t Asking::most_executed(const std::vector<bool>& of) const {
  uint32_t most = uint32_t(std::ranges::find(of, true) - of.begin());
  for (uint32_t i = most; i < of.size(); ++i)
    if (of[i] && evidence_.executed.by_instruction[i] > evidence_.executed.by_instruction[most])
      most = i;
  return most;
}

void Asking::instructions() {
  if (evidence_.lost_lanes.total > 0.05 * evidence_.executed.total) divergence();
  if (time_.run.bank_cycles > 0)
    ask({.id = "register_banks",
         .question = {.relief = {.register_banks = true}},
         .what = fmt::format("operands in one register bank cost {:.2f} cycles an instruction",
                             time_.run.bank_cycles / double(time_.run.issued)),
         .next = "reorder the products so that an operand is used again by the next instruction "
                 "(studies/sgemm/register_banks.cu)",
         .instruction = worst(Stall::dispatch_stall),
         .most = time_.run.bank_cycles / time_.run.cycles});
  numbers();
  loops();
  reloads();
  narrow();
  warp_sums();
  block_trees();
}

// Lanes part at a branch of the program, or where some go round a loop again and others do not.
void Asking::divergence() {
  const bool parts = task_.record.counters.divergent_branches > 0,
             by_rounds = evidence_.fewer_rounds.total > 0.5 * evidence_.lost_lanes.total;
  ask({.id = "divergence",
       .question = {.relief = {.divergence = true}, .kept = evidence_.of_one_thread},
       .what = fmt::format("{}: {:.1f} of 32 lanes are active",
                           by_rounds ? "lanes go round this loop unequally often"
                           : parts   ? "divergent branches"
                                     : "lanes that left",
                           mean_active_lanes(task_.record.counters)),
       .next = by_rounds
                   ? "where its rounds go along a row or a list, let several lanes or a warp "
                     "share it; else let a warp's lanes have work of like length"
                   : "let whole warps take the same side: sort the work, or compute both sides",
       .cost = by_rounds ? &evidence_.fewer_rounds : &evidence_.diverging});
}

// Loads and stores of one place, round by round. Stores between them also keep the compiler from loading what
// else the rounds need ahead of time.
void Asking::reloads() {
  std::vector<bool> left_out(task_.trace.code.size());
  double sum = 0;
  bool stores = false;
  for (size_t i = 0; i < left_out.size(); ++i) {
    const double again = evidence_.again.by_instruction[i];
    left_out[i] = again > 0.5 * evidence_.executed.by_instruction[i] && again > 0;
    sum += left_out[i] ? again : 0;
    stores |= left_out[i] && model_.code[i].global_store;
  }
  if (sum == 0) return;
  ask({.id = "reloads",
       .question = {.relief = {.latency = stores ? 2.0 : 1.0}, .left_out = left_out},
       .what = fmt::format("{:.0f} % of the global accesses are to where the same warp was before",
                           100 * sum / evidence_.global.total),
       .next = "keep the value in a register: a local variable, const __restrict__ pointers",
       .cost = &evidence_.again});
}

// Bytes and halves: a thread that moves a word does the work of several, and what goes with them is wider, too.
void Asking::narrow() {
  constexpr double some = 0.2;  // of the accesses; assumed
  const Counters& c = task_.record.counters;
  if (evidence_.narrow.total < some * evidence_.global.total || evidence_.global.total == 0 ||
      c.host_load_sectors + c.host_store_sectors > 0 || !model_.same_stores.empty())
    return;
  // A quarter of the blocks move what all did; what is computed stays as much.
  const double quarter = std::max(1.0, model_.blocks_of_sm / 4),
               moving = answers_.to({.relief = {.wide_accesses = true}, .blocks_of_sm = quarter})
                            .seconds,
               computing = answers_.to({.relief = {.block_starts = true, .memory = true}}).seconds;
  tell({.id = "narrow_accesses",
        .what = fmt::format("{:.0f} % of the global accesses take less than four bytes a thread "
                            "(gain: four times as much a thread, in a quarter of the blocks)",
                            100 * evidence_.narrow.total / evidence_.global.total),
        .next = "let a thread move 4 to 16 bytes: uchar4, half2, float4",
        .cost = &evidence_.narrow},
       time_.seconds - std::max(moving, computing));
}

}  // namespace headroom
