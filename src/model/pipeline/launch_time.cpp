#include "model/pipeline/launch_time.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/hiding.h"
#include "model/pipeline/again.h"
#include "model/pipeline/atomics.h"
#include "model/pipeline/unequal.h"

namespace headroom {
namespace {

constexpr double sector_bytes = 32, line_bytes = 128, KiB = 1024;
// Of resident blocks that are played, where an SM has so many: more change no time by more than 0.2 % (220 launches of
// results/h200/model_split.json's calibration half, beside 16 turns).
constexpr double turns = 4;
constexpr double most_of_sm = 64;  // bytes a cycle between an SM and L2
// Of L2's best samples, what it keeps up over tens of MiB: 8.36 of 12.6 TB/s on an H200.
constexpr double l2_sustained = 0.66;
// Latencies of L2 and DRAM are times rather than cycles: where a machine's are unknown, an H200's are taken.
// Measured on it (results/h200/model_probe.json).
constexpr double h200_overhead = 1500;  // ns
constexpr double h200_clock = 1.98e9;
constexpr double h200_l2 = 60 * KiB;  // KiB
// Cycles of an SM for a sector that is alone in its line, where few SMs load or store (results/h200/lone_sectors.json, few_stores.json:
// stores that are volatile, as those of the first, take 3.2).
constexpr double lone_load = 1.0, lone_store = 2.1;
// What an SM stores to L2 in a cycle where all do, no more than it loads; and where each has its share of the work from the beginning,
// the slowest one's way to L2 tells: so many times as long as the mean (results/h200/sm_shares.json).
constexpr double store_bytes = 19.9, slowest_load = 1.13, slowest_store = 1.2;
// What DRAM loses where it is read and written in turn, as much of the one as of the other: on an H200 it is read at 4558 GB/s, written
// at 4456, and copied at 4245 (results/h200/ceilings.json).
constexpr double dram_turns = 0.058;
// Of what is stored at random places of more than L2 holds so much of it is there when it is stored to again: 14 % of 64 MiB, 2 % of 256
// (results/h200/random_stores.json).
constexpr double stored_stay = 0.15;
// From the half of L2 that is not the SM's, where half of what others left there lies: 172 cycles more
// (results/h200/l2_distance.json).
constexpr double far_seconds = 172 / 1.98e9;
// Kernels read and write memory of the host at these shares of what its link carries, which loses one where both are as much, and little
// where they are not; a load takes so long (results/h200/host_memory.json, and zerocopy of model_unseen_2.json).
constexpr double host_reads = 0.81, host_writes = 0.83, host_both_ways = 0.19,
                 host_seconds = 1224e-9;
constexpr double l2_seconds = 280 / h200_clock, dram_seconds = 690 / h200_clock;

// Global loads pass by L1 where there is none, and by default on Kepler and Maxwell (CUDA C++ Programming
// Guide, compute capabilities 3.x and 5.x).
bool caches_loads(const Machine& machine) {
  const int major = machine.cc_major();
  return machine.l1_size.value_or(1) > 0 && major != 3 && major != 5;
}

// Bytes of L1 that are left beside the carve-out for the resident blocks, or for what the kernel prefers. One
// carve-out alone: shared memory is apart from L1.
double l1_left(const PredictTask& task) {
  const Machine& machine = task.machine;
  const double whole = machine.l1_size.value_or(128) * KiB;
  if (machine.shared_carveouts.size() == 1) return std::max(line_bytes, whole);
  const Resources& resources = task.record.resources;
  const LaunchShape& shape = task.record.shape;
  const double block = double(resources.static_shared.value_or(0)) + double(shape.dynamic_shared) +
                       machine.shared_reserved_per_block.value_or(0),
               resident = block * std::max(1, task.occupancy.blocks),
               preferred =
                   machine.shared_per_sm.value_or(0) * KiB * shape.carveout.value_or(0) / 100;
  const auto carveout = double(carveout_for(machine, uint64_t(std::max(resident, preferred))));
  return std::max(line_bytes, whole - carveout);
}

// L2 of GA100 and GH100 is two halves, each of which keeps what SMs near it have read of the other's.
bool has_two_halves(const Machine& machine) { return machine.cc() == 80 || machine.cc() == 90; }

bool is_store(const TracedAccess& access) {
  return access.kind == AccessKind::global_store || access.kind == AccessKind::bulk_store ||
         access.kind == AccessKind::global_atomic;
}
bool is_load(const TracedAccess& access) {
  return access.kind == AccessKind::global_load || access.kind == AccessKind::bulk ||
         access.kind == AccessKind::global_atomic;
}

// Of the sectors that come to this SM for the first time, those that no other SM has had: the launch's
// distinct sectors, of all that it touches, if each SM did as this one.
double first_here(const Trace& trace, bool (*is)(const TracedAccess&), uint64_t unique,
                  uint64_t all) {
  double here = 0;
  std::unordered_set<uint64_t> seen;
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps)
      for (const TracedAccess& access : warp.accesses) {
        if (!is(access)) continue;
        for (uint32_t i = 0; i < access.sectors; ++i) {
          const uint64_t sector = block.sectors[access.first_sector + i];
          if (trace.device.leaves_to_host(sector)) continue;
          here += 1;
          seen.insert(sector);
        }
      }
  if (seen.empty() || all == 0) return 1;
  const double of_all = double(seen.size()) / here * double(all);
  return std::clamp(double(unique) / of_all, 0.0, 1.0);
}

Supply supply_of(const PredictTask& task, double sms, double clock) {
  const Machine& m = task.machine;
  const double footprint = double(task.record.counters.unique_sectors) * sector_bytes,
               l2 = m.l2_size.value_or(h200_l2) * KiB;
  Supply supply;
  supply.l1_latency = m.l1_latency.value_or(supply.l1_latency);
  supply.shared_latency = m.shared_latency.value_or(supply.shared_latency);
  supply.l2_latency = m.l2_latency.value_or(l2_seconds * clock);
  supply.dram_latency = m.dram_latency.value_or(dram_seconds * clock);
  supply.loaded_latency = busy_dram_seconds * clock;
  supply.shared_cycles = std::max(1.0, line_bytes / m.shared_bytes_per_clock.value_or(line_bytes));
  supply.l1_loads = caches_loads(m);
  supply.l1_bytes = m.l1_bytes_per_clock.value_or(supply.l1_bytes);
  const auto share = [&](const Fact& whole, double otherwise) {
    return whole ? std::min(most_of_sm, *whole * 1e9 / clock / sms) : otherwise;
  };
  const Fact& dram = m.dram_bandwidth_measured ? m.dram_bandwidth_measured : m.dram_bandwidth;
  supply.dram_bytes = share(dram, most_of_sm);
  if (dram) supply.dram_reach = supply.dram_bytes * sms * clock / (*dram * 1e9);
  const double read = double(task.record.counters.unique_load_sectors),
               written = double(task.record.counters.unique_store_sectors);
  if (footprint > 0.5 * l2 && read + written > 0)
    supply.dram_bytes *= 1 - dram_turns * 2 * std::min(read, written) / (read + written);
  supply.l2_bytes = share(m.l2_bandwidth, most_of_sm / l2_sustained) * l2_sustained;
  const double all_sms = m.sm_count.value_or(sms);
  const bool at_once = sms == all_sms && double(task.record.shape.grid.count()) <=
                                             sms * std::max(1, task.occupancy.blocks);
  supply.l2_store_bytes =
      std::min(store_bytes * all_sms / sms, supply.l2_bytes) / (at_once ? slowest_store : 1);
  if (at_once) supply.l2_bytes /= slowest_load;
  supply.lone_l2 = std::max(lone_load, supply.lone_l2 * sms / all_sms);
  supply.lone_store = std::max(lone_store, supply.lone_store * sms / all_sms);
  supply.l1_lines = uint64_t(l1_left(task) / line_bytes);
  supply.in_l2 = task.in_l2;
  if (has_two_halves(m)) {
    supply.l2_far = far_seconds * clock;
    supply.far = 0.5;
    supply.near = task.near;
  }
  const Counters& c = task.record.counters;
  const auto of_device = [](uint64_t all, uint64_t in_host) {
    return all - std::min(all, in_host);
  };
  supply.first_here =
      first_here(task.trace, is_load, c.unique_load_sectors,
                 of_device(c.global_load_sectors + c.bulk_load_sectors + c.atomic_sectors,
                           c.host_load_sectors));
  supply.first_stored =
      first_here(task.trace, is_store, c.unique_store_sectors,
                 of_device(c.global_store_sectors + c.bulk_store_sectors + c.atomic_sectors,
                           c.host_store_sectors));
  supply.device = task.trace.device;
  const auto host_loads = double(c.host_load_sectors), host_stores = double(c.host_store_sectors),
             alike = std::min(host_loads, host_stores) / std::max({1.0, host_loads, host_stores});
  const double host = m.host_bandwidth.value_or(h200_host_bandwidth) * 1e9 / clock / sms *
                      (1 - host_both_ways * alike * alike);
  supply.host_load_bytes = host * host_reads;
  supply.host_store_bytes = host * host_writes;
  supply.host_latency = host_seconds * clock;
  if (c.unique_load_sectors > 0)
    supply.needed = needed_load_bytes(c) / (sector_bytes * double(c.unique_load_sectors));
  // As if its eight words were left out at random. A word that is stored twice counts twice: then it seems to miss fewer.
  const double stored_bytes = sector_bytes * double(c.unique_store_sectors);
  if (stored_bytes > 0) supply.fills = 1 - std::pow(needed_store_bytes(c) / stored_bytes, 8);
  supply.l2_keeps = l2 > 0 && footprint > l2 ? l2 / footprint : 1;
  if (l2 > 0 && stored_bytes > l2) supply.stored_keeps = stored_stay * l2 / stored_bytes;
  supply.writes_reach_dram = footprint > 0.5 * l2;
  if (m.l2_size && l2 == 0) {
    supply.first_here = 1;
    supply.l2_keeps = 0;
  }
  return supply;
}

// What all instructions of what was played take, by those that were: `executed` times as many.
double whole(double executed, const SmRun& run, size_t resident) {
  return run.parts.empty() ? 1 + (executed - 1) * pace_of_rest(run, resident)
                           : whole_of_parts(run, resident);
}

constexpr double much_longer = 2;  // a block, by a mean one of those that are played; assumed

// What a block executed, by what was traced of it.
double executed_by_traced(const TracedBlock& block) {
  double executed = 0, traced = 0;
  for (const TracedWarp& warp : block.warps) {
    executed += double(warp.executed);
    traced += double(warp.traced);
  }
  return traced > 0 ? executed / traced : 1;
}

struct Alone {
  SmRun run;
  double cycles = 0;      // of all that it executes
  uint64_t executed = 0;  // instructions of its longest warp
};

Alone block_alone(const LaunchModel& model, const TracedBlock& block,
                  const Question& question = {}) {
  const Trace one = model.task.trace.of({block});
  SmTask sm{one, model.code, model.task.machine, model.supply};
  sm.relief = question.relief;
  sm.left_out = question.left_out;
  sm.kept = question.kept;
  Alone made{play(sm), 0, longest_of(block)};
  made.cycles = made.run.cycles * whole(executed_by_traced(block), made.run, 1);
  return made;
}

// The traced warp that executed most, played alone.
Alone alone(const LaunchModel& model, const Question& question = {}) {
  const TracedBlock& its = longest_block(model.task.trace);
  const auto longest = std::ranges::max_element(its.warps, {}, &TracedWarp::executed);
  if (longest == its.warps.end() || longest->entered.empty()) return {};
  return block_alone(model, {its.linear, {*longest}, its.sectors, {}}, question);
}

// What each block takes of an SM where they follow one another as the later ones of those played did.
double cycles_of_each(SmTask sm, const SmRun& run) {
  const size_t played = run.ends.size(), resident = size_t(sm.resident);
  if (played <= resident) return run.cycles / double(played);
  sm.blocks = resident;
  return (run.cycles - play(sm).cycles) / double(played - resident);
}

// What a block takes of an SM that is full of its like.
double cycles_of_many(const LaunchModel& model, const TracedBlock& block, size_t resident) {
  const Trace one = model.task.trace.of({block});
  const PlayedAgain again(one);
  SmTask sm{one, model.code, model.task.machine, model.supply, int(resident)};
  sm.blocks = resident;
  sm.again = &again;
  const SmRun run = play(sm);
  return run.cycles / double(resident) * whole(executed_by_traced(block), run, resident);
}

// What traced blocks do on an SM: the longest one alone, a mean one among the resident ones.
SharedSm shared_sm(const LaunchModel& model, double instructions) {
  const Trace& trace = model.task.trace;
  SharedSm shared;
  shared.instructions = instructions;
  shared.resident = std::max(1, model.task.occupancy.blocks);
  shared.start = cycles_of_start(trace.blocks.front().warps.size());
  shared.follows = block_follows;
  SmTask sm{trace, model.code, model.task.machine, model.supply, shared.resident};
  sm.blocks = model.played;
  if (model.again) sm.again = &*model.again;
  const SmRun run = play(sm);
  shared.each = cycles_of_each(sm, run) * whole(model.executed, run, size_t(shared.resident));
  const TracedBlock& longest_one = longest_block(trace);
  if (double(executed_of(longest_one)) > much_longer * instructions) {
    shared.long_instructions = double(executed_of(longest_one));
    shared.long_each = cycles_of_many(model, longest_one, size_t(shared.resident));
  }
  const Alone longest = block_alone(model, longest_one);
  shared.longest_warp = double(std::max<uint64_t>(1, longest.executed));
  shared.alone = longest.cycles;
  shared.pace = std::min(1.0, pace_of_rest(longest.run, 1));
  return shared;
}

// Of unlike blocks one SM may have many that end at once, or the one that takes longest.
void share_unlike(LaunchModel& model, double instructions) {
  const Trace& trace = model.task.trace;
  const SharedSm shared = shared_sm(model, instructions);
  std::vector<AlikeBlocks> traced;
  for (size_t i = 0; double(i) < model.blocks_of_sm; ++i) {
    const TracedBlock& block = trace.blocks[i % trace.blocks.size()];
    traced.push_back({i, 1, executed_of(block), longest_of(block)});
  }
  const double sms = *model.task.machine.sm_count, alike = busiest_sm(traced, 1, shared);
  model.busiest = busiest_sm(trace.work, sms, shared) / alike;
  model.even = busiest_sm({mean_of(trace.work)}, sms, shared) / alike;
  model.unlike = std::max(1.0, double(trace.longest_warp) / shared.longest_warp);
}

// What the longest warp of the launch has to go when the traced ones are done; a question shortens its way as it does
// theirs. Not that of lanes that are out: they were with others, which are not played beside it.
double rest_of(const LaunchModel& model, const Question& question) {
  if (model.longest_rest == 0 || question.relief.divergence) return model.longest_rest;
  return model.longest_rest * alone(model, question).cycles / model.way_alone;
}

// The busiest place in L2 gets nothing before the first blocks come to their atomics.
double end_of_atomics(const LaunchModel& model, const LaunchTime& time) {
  return std::min(time.run.first_atomic, time.sm_cycles) / model.clock +
         std::max(model.atomic_seconds, model.retry_seconds);
}

}  // namespace

// Bulk copies need whole sectors; of atomics bytes are not counted.
double needed_load_bytes(const Counters& c) {
  return double(std::min(32 * c.unique_load_sectors,
                         c.global_load_bytes + 32 * (c.bulk_load_sectors + c.atomic_sectors)));
}
double needed_store_bytes(const Counters& c) {
  return double(std::min(32 * c.unique_store_sectors,
                         c.global_store_bytes + 32 * (c.bulk_store_sectors + c.atomic_sectors)));
}

LaunchModel::LaunchModel(const PredictTask& given)
    : task(given), code(timings(given.trace, given.machine)) {
  const Machine& machine = task.machine;
  const double blocks = double(task.record.shape.grid.count()),
               all_sms = machine.sm_count.value_or(1);
  overhead = machine.launch_overhead.value_or(h200_overhead) * 1e-9;
  clock = machine.sm_clock.value_or(1000) * 1e6;
  sms = std::min(all_sms, blocks);
  blocks_of_sm = std::ceil(blocks / all_sms);
  played = std::max(task.trace.blocks.size(),
                    size_t(std::min(blocks_of_sm, turns * std::max(1, task.occupancy.blocks))));
  if (played > task.trace.blocks.size() && !task.trace.blocks.empty()) again.emplace(task.trace);
  const double of_block = std::ceil(double(task.record.shape.block.count()) / 32);
  warps = int(std::min(double(task.occupancy.warps), blocks_of_sm * of_block));
  supply = supply_of(task, sms, clock);
  if (task.record.shape.cooperative) supply.grid_blocks = blocks;
  double all = 0, traced = 0, waits = 0;
  for (const TracedBlock& block : task.trace.blocks)
    for (const TracedWarp& warp : block.warps) {
      all += double(warp.executed);
      waits += double(warp.waited);
      traced += double(warp.traced);
    }
  executed = traced > 0 ? all / traced : 1;
  if (all > 0) waited = waits / (all + waits);
  uint64_t longest = 1;
  for (const TracedBlock& block : task.trace.blocks) longest = std::max(longest, longest_of(block));
  const double mean = (all + waits) / double(std::max<size_t>(1, task.trace.blocks.size()));
  if (mean > 0) busiest = work = double(task.record.counters.warp_instructions) / blocks / mean;
  const double all_warps = blocks * of_block,
               requests = double(task.record.counters.atomic_requests);
  retries = retries_of(
      task.trace, {.requests = requests,
                   .warps = std::min(all_warps, sms * double(std::max(1, task.occupancy.warps))),
                   .trip = supply.l2_latency + supply.l2_far});
  atomic_seconds =
      cycles_of_atomics(task.trace, requests, retries.is_best ? &retries : nullptr) / clock;
  same_stores = headroom::same_stores(task.trace);
  supply.storing_sms = sms;
  if (!same_stores.empty()) supply.same_stores = &same_stores;
  const Alone longest_alone = alone(*this);
  way_alone = longest_alone.cycles;
  if (longest_alone.run.issued > 0)
    cycles_alone = longest_alone.run.cycles / double(longest_alone.run.issued);
  const LaunchShape& shape = task.record.shape;
  if (task.trace.tells_waiting() && !task.trace.drawn && !task.trace.found && !shape.cooperative &&
      !shape.cluster && are_unlike(task.trace.work, mean)) {
    share_unlike(*this, mean);
    way_alone *= 1 + (unlike - 1) * std::min(1.0, pace_of_rest(longest_alone.run, 1));
    return;
  }
  // A warp of another SM may have a longer way than those that were traced.
  if (executed < 1.05 && task.trace.tells_waiting() &&
      double(task.trace.longest_warp) > 1.05 * double(longest)) {
    longest_rest = way_alone * (double(task.trace.longest_warp) / double(longest) - 1);
    busiest = work = std::min(work, 1.0);
  }
  unlike = std::max(work, 1 / work);
}

LaunchTime time_of(const LaunchModel& model, const Question& question) {
  const PredictTask& task = model.task;
  SmTask sm{task.trace, model.code, task.machine, model.supply,
            question.resident ? question.resident : std::max(1, task.occupancy.blocks)};
  sm.relief = question.relief;
  sm.left_out = question.left_out;
  sm.kept = question.kept;
  sm.blocks = model.played;
  if (model.again) sm.again = &*model.again;
  if (question.blocks_of_sm > 0) sm.blocks = std::min(sm.blocks, size_t(question.blocks_of_sm));
  if (question.in_l2) sm.supply.in_l2 = *question.in_l2;
  LaunchTime time;
  time.run = play(sm);
  const double blocks = question.blocks_of_sm ? question.blocks_of_sm : model.blocks_of_sm;
  const double played = double(time.run.ends.size());
  double cycles = time.run.cycles;
  if (blocks != played) {
    const double each = cycles_of_each(sm, time.run);
    cycles = std::max(each, cycles + (blocks - played) * each);
  }
  time.whole = whole(model.executed, time.run, size_t(sm.resident));
  time.sm_cycles = cycles * time.whole * model.busiest;
  time.mean_cycles = std::min(time.sm_cycles, cycles * time.whole * model.work);
  time.sm_cycles += rest_of(model, question);
  time.seconds = time.sm_cycles / model.clock;
  if (!question.relief.atomics) time.seconds = std::max(time.seconds, end_of_atomics(model, time));
  time.store_seconds =
      cycles_of_same_stores(time.run.memory,
                            double(task.record.counters.global_store_requests) / model.sms) /
      model.clock;
  time.seconds = std::max(time.seconds, time.store_seconds);
  time.seconds += model.overhead;
  return time;
}

LaunchTime first_time_of(LaunchModel& model) {
  LaunchTime time = time_of(model);
  if (model.task.trace.began_together) return time;        // on the emulator they met
  if (model.retries.alone <= time.sm_cycles) return time;  // they hardly meet
  model.retry_seconds = model.retries.cycles / model.clock;
  time.seconds = std::max(time.seconds, model.overhead + end_of_atomics(model, time));
  return time;
}

}  // namespace headroom
