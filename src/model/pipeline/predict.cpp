#include "model/pipeline/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "base/thread_pool.h"
#include "model/pipeline/asking.h"
#include "model/pipeline/latency_bounds.h"
#include "model/pipeline/launch_time.h"
#include "model/pipeline/queue.h"
#include "model/pipeline/representative.h"
#include "model/pipeline/unequal.h"
#include "model/quantity.h"

namespace headroom {
namespace {

// Instructions of warps that are played for an answer.
constexpr uint64_t most_instructions = 400'000, least_of_a_warp = 1500;

// Blocks that are traced apart from the sample, by how many warps they have.
constexpr uint64_t least_others = 8, most_others = 32, warps_of_others = 256;

constexpr double most_apart = 1.5;  // a mean block and those that were played

constexpr double most_waited = 0.05;  // share of instructions in rounds that only waited

constexpr const char* instead = "see the floors, or time it on a GPU: headroom run --gpu 0";

// Whether a traced warp came to an instruction that is so.
template <class Is>
bool executes(const LaunchModel& model, Is is) {
  const Trace& trace = model.task.trace;
  std::vector<bool> looked(trace.basic_blocks.size());
  for (const TracedBlock& block : trace.blocks)
    for (const TracedWarp& warp : block.warps)
      for (const Entry entry : warp.entered) {
        if (looked[entry.basic_block]) continue;
        looked[entry.basic_block] = true;
        const TracedBasicBlock& range = trace.basic_blocks[entry.basic_block];
        for (uint32_t i = range.first; i <= range.last && range.first <= range.last; ++i)
          if (is(model.code[i])) return true;
      }
  return false;
}

std::string basis_of(const LaunchModel& model) {
  const PredictTask& task = model.task;
  uint64_t instructions = 0;
  for (const TracedBlock& block : task.trace.blocks)
    for (const TracedWarp& warp : block.warps) instructions += warp.traced;
  return fmt::format(
      "{} of {} blocks of {} on one SM, {} instructions{}; {:.0f} % of its data in L2 "
      "before it, by what was touched before",
      task.trace.blocks.size(), task.record.shape.grid.count(),
      task.trace.likely ? "what its PTX would likely become" : "machine code",
      prefixed(double(instructions), ""),
      task.trace.drawn   ? ", its share of the work that blocks draw from a counter"
      : task.trace.found ? ", its share of the work that blocks find others to have done"
                         : "",
      100 * task.in_l2);
}

std::vector<StalledLine> lines_of(const MachineListing& listing, const SmRun& run) {
  constexpr size_t most_lines = 5;
  constexpr double least_share = 0.03;
  std::map<std::pair<uint32_t, uint32_t>, StallCycles> by_line;
  double all = 0;
  for (size_t i = 0; i < run.by_instruction.size(); ++i) {
    const MachineInstruction& at = listing.instructions[i];
    for (size_t s = 0; s < stalls.size(); ++s) {
      all += run.by_instruction[i][s];
      if (at.file != no_source_file) by_line[{at.file, at.line}][s] += run.by_instruction[i][s];
    }
  }
  std::vector<StalledLine> lines;
  for (const auto& [place, cycles] : by_line) {
    StalledLine& line = lines.emplace_back();
    line.file = listing.files[place.first];
    line.line = place.second;
    line.share = std::accumulate(cycles.begin(), cycles.end(), 0.0) / all;
    line.most = Stall(std::ranges::max_element(cycles) - cycles.begin());
  }
  std::ranges::stable_sort(lines, [](auto& a, auto& b) { return a.share > b.share; });
  std::erase_if(lines, [](const StalledLine& line) { return !(line.share >= least_share); });
  if (lines.size() > most_lines) lines.resize(most_lines);
  return lines;
}

// What was played is as the rest of the launch.
std::vector<StallCycles> stalls_of(const LaunchRecord& record, const SmRun& run) {
  const double all = double(record.counters.warp_instructions) / double(run.issued);
  std::vector<StallCycles> stalls = run.by_instruction;
  for (StallCycles& each : stalls)
    for (double& cycles : each) cycles = std::round(cycles * all);
  return stalls;
}

// Facts that the model takes from an H200 where the machine's are unknown.
std::string unknown_facts(const Machine& machine) {
  std::string names;
  for (const MachineField& field : machine_fields()) {
    constexpr Fact Machine::*needed[] = {
        &Machine::fp32_per_clock,     &Machine::integer_per_clock, &Machine::special_per_clock,
        &Machine::alu_latency,        &Machine::special_latency,   &Machine::shared_latency,
        &Machine::l1_latency,         &Machine::l2_latency,        &Machine::dram_latency,
        &Machine::l1_bytes_per_clock, &Machine::l1_size,           &Machine::l2_size,
        &Machine::l2_bandwidth,       &Machine::launch_overhead};
    if (std::ranges::find(needed, field.fact) == std::end(needed) || machine.*field.fact) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  }
  return names;
}

// What is not known of a launch: whether its data lie in L2 when it begins.
std::vector<double> other_shares_in_l2(const PredictTask& task) {
  std::vector<double> shares;
  for (const double in_l2 : {0.0, 1.0})
    if (in_l2 != task.in_l2 && !task.time_alone) shares.push_back(in_l2);
  return shares;
}

// Experiments without the one and without the other (Volkov's): if neither waited for the other, the longer
// one would be all.
std::optional<Apart> apart_of(const LaunchModel& model, const LaunchTime& time, Answers& answers) {
  const bool has_both = executes(model,
                                 [](const InstructionTiming& each) {
                                   return each.far || each.action == Action::bulk;
                                 }) &&
                        executes(model, [](const InstructionTiming& each) { return each.floats; });
  if (!has_both) return std::nullopt;
  Apart apart;
  apart.without_arithmetic = answers.to({.relief = {.arithmetic = true}}).seconds;
  apart.without_memory = answers.to({.relief = {.atomics = true, .memory = true}}).seconds;
  const double memory = apart.without_arithmetic - model.overhead,
               arithmetic = apart.without_memory - model.overhead,
               shorter = std::min(memory, arithmetic);
  if (shorter > 0)
    apart.overlap =
        std::clamp((memory + arithmetic - (time.seconds - model.overhead)) / shorter, 0.0, 1.0);
  return apart;
}

bool is_product(const InstructionTiming& each) { return each.action == Action::product; }
bool is_mbarrier(const InstructionTiming& each) { return each.action == Action::mbarrier; }

// ATOMG.E.CAS, ATOMS.CAST
bool swaps(const Trace& trace, AccessKind where) {
  const auto compares = [&](const TracedAccess& access) {
    return access.kind == where && (trace.code[access.instruction].instruction->has(".CAS") ||
                                    trace.code[access.instruction].instruction->has(".CAST"));
  };
  return std::ranges::any_of(trace.blocks, [&](const TracedBlock& block) {
    return std::ranges::any_of(block.warps, [&](const TracedWarp& warp) {
      return std::ranges::any_of(warp.accesses, compares);
    });
  });
}

std::vector<Caveat> doubts(const LaunchModel& model) {
  const PredictTask& task = model.task;
  std::vector<Caveat> result;
  if (const std::string unknown = unknown_facts(task.machine); !unknown.empty())
    result.push_back({"the predicted time takes facts of another machine, an H200",
                      "this machine's are unknown: " + unknown,
                      "put them into a copy of its file and give that to --machine"});
  if (task.record.shape.cooperative)
    result.push_back({"the predicted time has all SMs come to a grid's barriers together",
                      "one SM's blocks are played, and its launch is cooperative", instead});
  if (task.record.shape.cluster)
    result.push_back(
        {"the predicted time has what other blocks of a cluster do for this one at once",
         "blocks of one SM are played, not those of their cluster", instead});
  if (task.record.counters.host_load_sectors + task.record.counters.host_store_sectors > 0) {
    const Fact& link = task.machine.host_bandwidth;
    result.push_back(
        {fmt::format("the predicted time has the host's memory at the rate of {}",
                     link ? "the machine's link" : "an H200's link, as the machine's is unknown"),
         fmt::format("{:g} GB/s each way, of which kernels reach 0.8; a computer may give it fewer "
                     "lanes",
                     link.value_or(h200_host_bandwidth)),
         "put yours into a copy of its file, as host_bandwidth, and give that to --machine"});
  }
  if (model.retry_seconds > 0)
    result.push_back({"the predicted time estimates how often compare-and-swap tries again",
                      "it does where another thread came between, which on the emulator hardly "
                      "any does; how long so many take at one place was measured on an H200",
                      instead});
  if (swaps(task.trace, AccessKind::shared_atomic) ||
      (model.retry_seconds == 0 && !task.trace.began_together &&
       swaps(task.trace, AccessKind::global_atomic)))
    result.push_back(
        {"the predicted time leaves out what compare-and-swap tries again",
         "it does where another thread came between, which on the emulator hardly any does",
         instead});
  if (executes(model, is_mbarrier))
    result.push_back(
        {"the predicted time takes assumed latencies of mbarriers and bulk copies",
         "its warps wait by them; what was measured of them on an H100 is not used yet", instead});
  if (task.trace.found)
    result.push_back(
        {"the predicted time gives each block the same share of the work",
         "how often its loops go round depends on what other blocks have stored, which on the "
         "emulator came before or after them, and on a GPU meanwhile",
         instead});
  if (task.trace.spins && task.trace.together)
    result.push_back({"the predicted time has all resident blocks get on at one pace",
                      "its warps wait for those of other blocks through memory, as long as they do "
                      "on the emulator, where each enters as many basic blocks as any other",
                      instead});
  if (!task.trace.tells_waiting())
    result.push_back({"the predicted time has rounds of waiting as the emulator went them",
                      "its warps wait for others through memory", instead});
  else if (model.unlike > most_apart)
    result.push_back(
        {"the predicted time rests on blocks unlike the others",
         model.even > 0
             ? fmt::format("the longest warp executes {:.2g} times the instructions of the longest "
                           "that was played",
                           model.unlike)
             : fmt::format(
                   "a mean block executes {:.2g} times the instructions of those that were played",
                   model.work),
         instead});
  return result;
}

}  // namespace

TraceSample sample_of(const Machine& machine, const LaunchShape& shape,
                      const Occupancy& occupancy) {
  const uint64_t blocks = shape.grid.count(), sms = uint64_t(machine.sm_count.value_or(1)),
                 warps = (shape.block.count() + 31) / 32;
  TraceSample sample;
  sample.meets_grid = shape.cooperative;
  sample.step = std::max<uint64_t>(1, sms);
  // An SM that is among the busiest, and not the one of the first block.
  sample.first = blocks % sms ? (blocks % sms) / 2 : sms / 2;
  if (sample.first >= blocks) sample.first = 0;
  const uint64_t of_sm = (blocks - sample.first + sms - 1) / sms;
  sample.count = std::min<uint64_t>(of_sm, 2 * uint64_t(std::max(1, occupancy.blocks)));
  sample.instructions =
      std::max(least_of_a_warp, most_instructions / std::max<uint64_t>(1, sample.count * warps));
  // Where an SM has one block, the longest of the grid tells: all of them, if there is room. Else those of one SM may be unlike
  // the others; and the first may have drawn others' work.
  const bool alone = of_sm == 1;
  sample.others =
      std::min(blocks, std::clamp(warps_of_others / std::max<uint64_t>(1, warps), least_others,
                                  std::max(least_others, alone ? sms : most_others)));
  sample.others_step = std::max<uint64_t>(1, blocks / sample.others);
  sample.deep = alone ? std::max<uint64_t>(1, sample.others / least_others) : sample.others;
  sample.others_instructions =
      std::clamp(most_instructions / std::max<uint64_t>(1, sample.others * warps), least_of_a_warp,
                 sample.instructions);
  return sample;
}

namespace {

Predicted predict_played(const PredictTask& task) {
  Predicted result;
  const auto refuse = [&](const std::string& why) {
    result.caveats.push_back({"no predicted time", why, instead});
    return result;
  };
  const Machine& m = task.machine;
  if (!m.sm_clock || !m.sm_count || !(m.dram_bandwidth || m.dram_bandwidth_measured))
    return refuse("the machine's clock, number of SMs or DRAM bandwidth is unknown");
  LaunchModel model(task);
  if (task.trace.likely && executes(model, is_product))
    return refuse("PTX does not tell how long its products of warpgroups take");
  if (task.trace.began_together && !task.trace.together)
    return refuse(
        "its warps wait for one another for longer than the emulator lets all get on "
        "together");
  const auto begin = std::chrono::steady_clock::now();
  const LaunchTime time = first_time_of(model);
  const bool is_short = std::chrono::steady_clock::now() - begin < worth_waking;
  if (time.run.issued == 0) return result;
  Answers answers(model, time, is_short ? 1 : task.threads);
  std::optional<Asking> asking;
  if (!task.time_alone) {
    asking.emplace(model, time, answers);
    answers.prepare([&] {
      for (const double in_l2 : other_shares_in_l2(task)) answers.to({.in_l2 = in_l2});
      apart_of(model, time, answers);
      asking->run();
    });
  }
  Prediction& made = result.prediction.emplace();
  // Rounds of waiting that the emulator went count in its floors, and are no work.
  const double floor = model.waited > most_waited ? 0 : task.floor_seconds;
  made.seconds = std::max(time.seconds, floor);
  made.start_seconds = model.overhead;
  made.sm_cycles = time.sm_cycles;
  made.ipc = double(time.run.issued) / time.run.cycles;
  for (size_t i = 0; i < stalls.size(); ++i)
    made.stall_cycles[i] = time.run.stalls[i] / double(time.run.issued);
  made.low_seconds = made.high_seconds = made.seconds;
  for (const double in_l2 : other_shares_in_l2(task)) {
    const double other = answers.to({.in_l2 = in_l2}).seconds;
    made.low_seconds = std::max(floor, std::min(other, made.low_seconds));
    made.high_seconds = std::max(other, made.high_seconds);
  }
  // Nor how unlike the blocks that were not traced are, but what they execute.
  if (model.unlike > 1) {
    const double busy = made.seconds - model.overhead;
    made.low_seconds =
        std::min(made.low_seconds, std::max(floor, model.overhead + busy / model.unlike));
    // Behind all others the longest warp waits for DRAM with each of its instructions, at most.
    const double more = model.overhead + busy * model.unlike,
                 slowest = model.supply.dram_latency + model.supply.loaded_latency,
                 most = made.seconds + double(task.trace.longest_warp) * slowest / model.clock;
    made.high_seconds = std::max(made.high_seconds, model.even > 0 ? std::min(more, most) : more);
  }
  if (!task.time_alone) made.apart = apart_of(model, time, answers);
  if (!task.time_alone) made.latency_bounds = latency_bounds(model, time);
  // Of a mean block there may be less than of those that were played.
  for (LatencyBound& bound : made.latency_bounds)
    bound.seconds = std::min(bound.seconds, made.seconds);
  made.basis = basis_of(model);
  made.bytes_in_flight = time.run.byte_cycles / time.run.cycles;
  made.needed_bytes =
      model.supply.dram_bytes * (model.supply.dram_latency + model.supply.loaded_latency);
  // Of the time between the launch's begin and end; who has more than others leaves DRAM idle, and so do few SMs.
  const MemoryUse& used = time.run.memory;
  const double busy = made.seconds - model.overhead;
  const auto share = [&](double cycles) {
    return busy > 0
               ? std::min(1.0, cycles / time.run.cycles * time.mean_cycles / model.clock / busy)
               : 0;
  };
  const auto bytes = [&](double sectors) {
    return 32 * sectors / time.run.cycles * time.mean_cycles * model.sms;
  };
  made.dram_share = model.supply.dram_reach * share(used.dram_cycles);
  made.dram_bytes = bytes(used.dram_sectors);
  made.host_share = share(used.host_cycles());
  made.host_bytes = bytes(used.host_sectors);
  made.warps = model.warps;
  made.cycles_alone = model.cycles_alone;
  made.needed_warps =
      model.cycles_alone * m.issue_per_clock.value_or(m.warp_schedulers.value_or(0));
  if (task.listing) made.lines = lines_of(*task.listing, time.run);
  if (task.record.source) result.stalls = stalls_of(task.record, time.run);
  if (asking) made.advice = asking->run();
  result.caveats = doubts(model);
  return result;
}

}  // namespace

Predicted predict(const PredictTask& task) {
  const double warps = double(task.record.shape.grid.count()) *
                       std::ceil(double(task.record.shape.block.count()) / 32);
  std::optional<Trace> other =
      shared_out(task.trace, double(task.record.counters.warp_instructions) / warps);
  if (!other) other = by_the_longest(task.trace);
  if (!other && !task.record.shape.cooperative && !task.record.shape.cluster)
    other = representative(task.trace);
  if (!other) return predict_played(task);
  return predict_played({task.machine, task.record, task.occupancy, *other, task.listing,
                         task.floor_seconds, task.time_alone, task.in_l2, task.near, task.threads});
}

}  // namespace headroom
