// Advice on what accesses cost: sectors, banks, how often a value is loaded, local memory, atomics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/pipeline/asking.h"
#include "model/quantity.h"

namespace headroom {

void Asking::memory() {
  sectors();
  conflicts();
  reuse();
  uniform_loads();
  l2_misses();
  local();
  constants();
  atomics();
}

void Asking::sectors() {
  if (evidence_.excess_sectors.total > 0.05 * evidence_.sectors.total) {
    const uint32_t worst = evidence_.excess_sectors.worst();
    const double each = evidence_.sectors.by_instruction[worst],
                 excess = evidence_.excess_sectors.by_instruction[worst];
    ask({.id = "uncoalesced",
         .question = {.relief = {.excess_sectors = true}},
         .what = fmt::format("uncoalesced global accesses: {:.0f} % of the sectors of the worst "
                             "instruction are not needed",
                             100 * excess / each),
         .next = evidence_.excess.next(),
         .cost = &evidence_.excess_sectors});
  }
}

void Asking::conflicts() {
  if (evidence_.conflicts.total > 0) {
    const uint32_t worst = evidence_.conflicts.worst();
    const double all = evidence_.wavefronts.by_instruction[worst],
                 ways = all / std::max(1.0, all - evidence_.conflicts.by_instruction[worst]);
    ask({.id = "bank_conflicts",
         .question = {.relief = {.bank_conflicts = true}},
         .what = fmt::format("{:.0f}-way bank conflicts in shared memory: {:.0f} % of all "
                             "wavefronts",
                             std::round(ways),
                             100 * evidence_.conflicts.total / evidence_.wavefronts.total),
         .next = "pad the rows of the tile by one element, or permute its columns "
                 "(studies/sgemm/bank_conflicts_padded.cu)",
         .cost = &evidence_.conflicts});
  }
}

// The same values again and again: in registers or shared memory they come faster.
void Asking::reuse() {
  const Counters& c = task_.record.counters;
  const double arithmetic = double(c.fp32_instructions + c.fp64_instructions + c.fp16_instructions +
                                   c.tensor_instructions + c.integer_instructions);
  const double shared = double(c.shared_load_instructions);
  if (shared > 0.2 * arithmetic)
    ask({.id = "shared_loads",
         .question = {.relief = {.half_shared_loads = true}},
         .what =
             fmt::format("{:.2f} shared-memory loads for each arithmetic instruction (gain: half "
                         "as many)",
                         shared / arithmetic),
         .next =
             "several results a thread, so that a loaded value is used several times, and wider "
             "loads (studies/sgemm/tile_1d.cu, tile_2d.cu)",
         .cost = &evidence_.shared_loads});
  // A sector that comes again for another word of it is no reuse: that is uncoalesced.
  // Of memory of the host it is not known how often one comes.
  const auto unique = double(std::max<uint64_t>(1, c.unique_load_sectors));
  const double sectors = double(c.global_load_sectors) - double(c.host_load_sectors),
               bytes = double(c.global_load_bytes) - 32 * double(c.host_load_sectors),
               times = std::min(sectors / unique, bytes / (32 * unique));
  if (times < 4) return;
  // Places that data choose are met again by chance: no value is kept for the next time.
  if (evidence_.excess.has_no_stride() &&
      evidence_.excess_sectors.total > 0.3 * evidence_.sectors.total)
    return;
  // A tile pays where each of its values is loaded often: it is loaded and stored once, behind a barrier.
  const double by_halves = gain_of({.relief = {.half_global_loads = true}}),
               by_tile = times >= 16 ? gain_of({.relief = {.shared_tiles = true}}) : 0;
  const bool pays = by_tile > by_halves;
  tell({.id = "global_loads",
        .what = fmt::format("each sector is loaded {:.0f} times (gain: {})",
                            double(c.global_load_sectors) / unique,
                            pays ? "again from shared memory" : "half as many loads"),
        .next =
            pays ? "load a tile into shared memory once for the block "
                   "(studies/sgemm/shared_tile.cu), or several results a thread"
            : by_tile > 0
                ? "several results a thread, which keeps in registers what they share, or a tile "
                  "in shared memory, loaded once for the block (studies/sgemm/shared_tile.cu)"
                : "several results a thread, which keeps in registers what they share",
        .cost = &evidence_.global_loads},
       std::max(by_halves, by_tile));
}

// Operands of the arithmetic may lie in constant memory, if the host knows them and there is room.
void Asking::uniform_loads() {
  constexpr double room = 64 * 1024;
  if (evidence_.uniform.total == 0 || evidence_.uniform_bytes > room) return;
  std::vector<bool> left_out(task_.trace.code.size());
  constexpr double nearly_all = 0.95;
  for (size_t i = 0; i < left_out.size(); ++i) {
    const double uniform = evidence_.uniform.by_instruction[i];
    left_out[i] = uniform > 0 && uniform > nearly_all * evidence_.global_loads.by_instruction[i];
  }
  ask({.id = "uniform_loads",
       .question = {.left_out = left_out},
       .what = fmt::format("{:.0f} % of the global loads have one address for all threads, of {} "
                           "in all (gain: without them)",
                           100 * evidence_.uniform.total / evidence_.global_loads.total,
                           mebibytes(evidence_.uniform_bytes)),
       .next = "what the host knows before the launch belongs in __constant__ memory: it is an "
               "operand of the arithmetic then; else several results a thread use each value "
               "several times",
       .cost = &evidence_.uniform});
}

// What is loaded again from DRAM, as the launch goes over more than L2 holds in between.
void Asking::l2_misses() {
  const Counters& c = task_.record.counters;
  const double keeps = model_.supply.l2_keeps;
  if (keeps >= 1 || keeps == 0 || !task_.machine.l2_size) return;
  ask({.id = "l2_misses",
       .question = {.relief = {.l2_misses = true}},
       .what = fmt::format(
           "{} are gone over, L2 holds {}: of what is loaded again {:.0f} % comes from DRAM",
           mebibytes(32 * double(c.unique_sectors)),
           mebibytes(1024 * task_.machine.l2_size.value_or(0)), 100 * (1 - model_.supply.l2_keeps)),
       .next = "let blocks that run together work on what L2 can hold, piece by piece",
       .cost = &evidence_.global_loads});
}

void Asking::local() {
  if (evidence_.local.total > 0) {
    const Resources& r = task_.record.resources;
    const int spilled = r.spill_loads.value_or(0) + r.spill_stores.value_or(0);
    std::vector<bool> left_out;
    if (!spilled && !task_.trace.likely) left_out = own_of(loops_over_arrays()).left_out;
    ask({.id = spilled ? "spills" : "local_memory",
         .question = {.relief = {.local_memory = true}, .left_out = left_out},
         .what = spilled ? fmt::format("register spills: {} B stored and {} B loaded by code of {} "
                                       "registers a thread",
                                       r.spill_stores.value_or(0), r.spill_loads.value_or(0),
                                       r.registers.value_or(0))
                         : "an array of the thread lies in local memory, as it is indexed "
                           "dynamically",
         .next = !spilled ? "index it by constants: unroll the loop, or keep it in shared memory"
                 : r.registers.value_or(0) >= task_.machine.max_registers_per_thread.value_or(255)
                     ? "a thread has no more registers: share its values among several threads, or "
                       "keep some in shared memory"
                     : "allow more registers (__launch_bounds__, -maxrregcount), or keep fewer "
                       "values a thread",
         .cost = &evidence_.local});
  }
}

void Asking::constants() {
  if (const double waited = share(Stall::imc_miss); waited > 0)
    ask({.id = "immediate_constants",
         .question = {.relief = {.immediate_constants = true}},
         .what = fmt::format("operands in constant memory, 64 bytes a line, that are not in their "
                             "cache: warps wait {:.0f} % of their time for them",
                             100 * waited),
         .next = "several results a thread, so that an operand is used several times, or a table "
                 "in shared memory",
         .instruction = worst(Stall::imc_miss)});
  if (evidence_.constants.total == 0) return;
  const uint32_t worst = evidence_.constants.worst();
  ask({.id = "constants_by_lane",
       .question = {.relief = {.constants = true}},
       .what =
           fmt::format("lanes load {:.0f} different addresses of constant memory, one after the "
                       "other",
                       1 + evidence_.constants.by_instruction[worst] /
                               evidence_.executed.by_instruction[worst]),
       .next =
           "keep the table in shared memory, or read it as const __restrict__; constants are for "
           "what a warp reads alike",
       .cost = &evidence_.constants});
}

void Asking::atomics() {
  const Counters& c = task_.record.counters;
  const Retries& retries = model_.retries;
  if (model_.retry_seconds > model_.atomic_seconds)
    ask({.id = "retried_swaps",
         .question = {.relief = {.atomics = true}},
         .what = fmt::format("compare-and-swap in a loop: {} threads at once try at one place, and "
                             "whoever comes second tries again",
                             prefixed(retries.lanes, "")),
         .next =
             retries.is_best
                 ? "find the best of the warp and of the block first, then one thread tries; or "
                   "atomicMax and atomicMin of integers, whose order is that of floats from "
                   "zero up"
                 : "use the atomic itself where there is one (atomicAdd of doubles); or reduce "
                   "in the warp and in the block first, then one thread tries",
         .instruction = retries.swap});
  else if (evidence_.global_atomics.total > 0)
    ask({.id = "atomics",
         .question = {.relief = {.atomics = true}},
         .what = fmt::format("global atomics: {} requests; those at one line come one after the "
                             "other",
                             prefixed(double(c.atomic_requests), "")),
         .next = double(c.atomic_requests) <= double(task_.record.shape.grid.count())
                     ? "it is one a block already: fewer blocks, each of which loops over several "
                       "shares of the work and adds once"
                 : evidence_.meeting_lanes < 1.5 && evidence_.atomic_lanes > 2
                     ? "lanes add to places of their own: collect what goes to one place first, of "
                       "several rows in a thread's registers, of a block in a copy in shared "
                       "memory where it fits; or sort by place"
                     : "reduce in the warp (__reduce_add_sync, shuffles) and in the block first, "
                       "then one atomic a block",
         .cost = &evidence_.global_atomics});
  if (evidence_.shared_atomics.total > 0)
    ask({.id = "shared_atomics",
         .question = {.relief = {.shared_atomics = true}},
         .what = "shared-memory atomics of a warp meet at one address",
         .next = "count what comes often in a register, or let one lane add for all that have its "
                 "value (__match_any_sync)",
         .cost = &evidence_.shared_atomics});
}

}  // namespace headroom
