// Advice on what warps wait for, and on the launch as a whole: barriers, latencies, occupancy, blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/pipeline/asking.h"
#include "model/quantity.h"

namespace headroom {
namespace {

// "840 … 53.9 k"
std::string instructions_of(const std::vector<AlikeBlocks>& work) {
  const auto [least, most] = std::ranges::minmax(work, {}, &AlikeBlocks::instructions);
  return fmt::format("{} … {}", prefixed(double(least.instructions), ""),
                     prefixed(double(most.instructions), ""));
}

}  // namespace

void Asking::waiting() {
  if (task_.record.counters.barriers > 0)
    ask({.id = "barriers",
         .question = {.relief = {.barriers = true}},
         .what = fmt::format("warps wait for their block at barriers for {:.0f} % of their time",
                             100 * share(Stall::barrier)),
         .next = "fewer barriers a tile (two buffers need one), or smaller blocks "
                 "(studies/sgemm/double_buffering.cu)",
         .instruction = worst(Stall::barrier)});
  const Stall dominant =
      share(Stall::long_scoreboard) >= share(Stall::wait) ? Stall::long_scoreboard : Stall::wait;
  const std::string waits =
      dominant == Stall::wait
          ? fmt::format(
                "dependent arithmetic: warps wait {:.0f} % of their time for their own last "
                "instruction",
                100 * share(Stall::wait))
          : fmt::format("latency of memory: warps wait {:.0f} % of their time for it",
                        100 * share(Stall::long_scoreboard));
  // Threads of a grid that loops over the work, or of a loop that more can share, are as many as the launch says: as much more
  // is in flight, up to eight times.
  const double room = double(task_.occupancy.warps) / std::max(1, model_.warps),
               parts =
                   evidence_.strides_over_grid ? 8 : std::clamp(evidence_.shared_rounds, 1.0, 8.0),
               more = dominant == Stall::long_scoreboard ? std::max(2.0, std::min(room, parts)) : 2;
  ask({.id = dominant == Stall::wait ? "dependences" : "latency",
       .question = {.relief = {.latency = more}},
       .what = waits +
               fmt::format(", {} of {} warps an SM", model_.warps, task_.occupancy.max_warps) +
               (more > 2 ? fmt::format(" (gain: {:.0f} times as many)", more) : ""),
       .next =
           dominant == Stall::wait
               ? "several independent accumulators or values a thread (studies/latency)"
               : std::string(
                     more <= 2 ? ""
                     : evidence_.strides_over_grid
                         ? "more threads: the loop goes over the grid; "
                         : "let more threads share the rounds of this loop, and add up what "
                           "they have; ") +
                     "more loads in flight: several independent values a thread, all loaded before "
                     "the first is used, and wider ones (studies/copy)",
       .instruction = worst(dominant)});
  occupancy();
}

// As many more blocks as there is room for warps and as other resources admit, of those that are played: what the traced
// ones take then. Without registers' limit up to twice as many, as a thread can do with half of its registers, hardly with
// less.
void Asking::occupancy() {
  const Occupancy& now = task_.occupancy;
  const int resident = std::max(1, now.blocks);
  if (now.warps <= 0 || model_.blocks_of_sm <= resident) return;
  if (now.limiters.size() > 1) return;  // without one of them the other admits no more
  int more = std::min(resident * now.max_warps / now.warps,
                      int(std::min(model_.blocks_of_sm, double(time_.run.ends.size()))));
  const OccupancyLimit* limiter = nullptr;
  for (const OccupancyLimit& limit : now.limits) {
    if (!limit.blocks) continue;
    if (*limit.blocks > resident)
      more = std::min(more, *limit.blocks);
    else if (!limiter)
      limiter = &limit;
    if (*limit.blocks <= resident && limit.resource == "registers")
      more = std::min(more, 2 * resident);
  }
  if (more <= resident) return;
  // More warps are not the only way.
  constexpr double much = 0.1;
  const double far = share(Stall::long_scoreboard), near = share(Stall::wait);
  const std::string or_else =
      std::max(far, near) < much ? ""
      : far >= near
          ? "; more loads in flight a thread hide latency as well (studies/copy)"
          : "; more independent operations a thread hide latency as well (studies/latency)";
  const double then = answers_.to({.resident = more}).cycles,
               played = double(time_.run.ends.size());
  tell(
      {.id = "occupancy",
       .what = fmt::format(
           "theoretical occupancy {:.0f} %, limited by {} (gain: {} blocks an SM in "
           "place of {})",
           100 * now.fraction,
           now.limiters.empty() ? std::string("the launch") : now.limiters.front(), more, resident),
       .next =
           (limiter && !limiter->relief.empty()
                ? fmt::format("{} admits {}; see `--kernel`", limiter->relief,
                              text::counted(uint64_t(limiter->relief_blocks), "block", "blocks"))
                : "see `--kernel` for what would admit one more block") +
           or_else},
      (time_.run.cycles - then) / played * model_.blocks_of_sm * time_.whole * model_.busiest /
          model_.clock);
}

void Asking::shape() {
  const double blocks = double(task_.record.shape.grid.count());
  if (blocks < task_.machine.sm_count.value_or(1))
    few_blocks();
  else
    tail();
  unequal_work();
  const size_t warps_of_block = (task_.record.shape.block.count() + 31) / 32;
  ask({.id = "small_blocks",
       .question = {.relief = {.block_starts = true}},
       .what = fmt::format("{:.0f} blocks of {} threads start one after the other", blocks,
                           task_.record.shape.block.count()),
       .next = std::string(task_.record.shape.block.count() < 128 ? "larger blocks, " : "") +
               "several values a thread, or as many blocks as are resident that loop over the "
               "work",
       .most = double(time_.run.ends.size()) * (cycles_of_start(warps_of_block) + block_follows) /
               time_.run.cycles});
  if (model_.overhead > 0.4 * time_.seconds)
    tell({.id = "launch",
          .what = "starting the launch takes longer than its work",
          .next = "do more in one launch; many small ones start faster in a graph"},
         model_.overhead);
}

// A warp's own way does not get shorter by more blocks, so that none ends before it; but where it goes round by the size of the
// grid there are fewer rounds; those of a loop that adds up are what others would share, and of one block alone those in which it loads.
void Asking::few_blocks() {
  const double blocks = double(task_.record.shape.grid.count()), sms = *task_.machine.sm_count,
               work = time_.seconds - model_.overhead,
               parts = blocks == 1 ? std::max(evidence_.load_rounds, evidence_.shared_rounds)
                                   : evidence_.shared_rounds,
               rounds = std::clamp(parts, 1.0, sms / blocks),
               way = model_.way_alone / model_.clock / rounds;
  const bool strides =
      evidence_.strides_over_grid && task_.record.shape.grid.y * task_.record.shape.grid.z == 1;
  tell({.id = "few_blocks",
        .what = fmt::format("{} for {:.0f} SMs: the others have no work",
                            text::counted(uint64_t(blocks), "block", "blocks"), sms),
        .next = "split the work over more blocks, as split-K does (studies/sgemm/stream_k.cu)"},
       std::min(work * (1 - blocks / sms), strides ? work : work - way));
}

// Shared among all warps, what it goes alone is next to nothing.
void Asking::unequal_work() {
  const bool known = model_.even > 0;
  const double gain = known ? (1 - model_.even / model_.busiest) * time_.sm_cycles / model_.clock
                            : model_.longest_rest / model_.clock;
  const std::string part = fmt::format("{:.0f} % of the time", 100 * gain / time_.seconds);
  tell({.id = "unequal_work",
        .what = known ? fmt::format("unequal work: blocks execute {} instructions; SMs that have "
                                    "less wait for {}",
                                    instructions_of(task_.trace.work), part)
                      : fmt::format("unequal work: one warp goes on for {} when those traced are "
                                    "done; it has {:.0f} times their work",
                                    part, 1 + model_.longest_rest / model_.way_alone),
        .next = "cut long lists or rows into pieces of equal length (studies/interval_move), give "
                "each a warp or a block, or begin with the longest"},
       gain);
}

void Asking::tail() {
  const double of_sm = double(task_.record.shape.grid.count()) / *task_.machine.sm_count;
  if (of_sm == std::ceil(of_sm) || time_.run.ends.size() <= 1) return;
  const double without = answers_.to({.blocks_of_sm = std::floor(of_sm)}).seconds;
  tell({.id = "tail",
        .what = fmt::format("the tail: {:.2f} blocks an SM, the busiest have {:.0f}", of_sm,
                            std::ceil(of_sm)),
        .next = "a grid that is a multiple of the SMs, smaller blocks, or a persistent kernel "
                "(studies/sgemm/stream_k.cu)"},
       (time_.seconds - without) * (std::ceil(of_sm) - of_sm));
}

}  // namespace headroom
