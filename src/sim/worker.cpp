#include "sim/worker.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "sim/banks.h"
#include "sim/finding_of.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

constexpr auto progress_pause = std::chrono::milliseconds(200);
// Of the kernel's clock: a block may be done sooner than the host's time is asked.
constexpr uint64_t clocks_between_looks = 2048;

size_t warps_of_block(const Launch& launch) {
  return size_t((launch.shape.block.count() + lanes - 1) / lanes);
}

bool is_interrupted(const Options& options) {
  return options.interrupted && options.interrupted->load(std::memory_order_relaxed);
}

uint64_t padded(uint64_t argument_bytes) { return (argument_bytes + 15) / 16 * 16 + 16; }

Machinery machinery_of(const Work& work) {
  const Program& program = work.program;
  const Launch& launch = work.launch;
  Machinery machinery;
  machinery.program = &program;
  machinery.body = &work.body;
  machinery.observer = work.observer;
  machinery.memory = &work.memory;
  machinery.time = work.memory.time();
  machinery.limits = work.limits;
  machinery.launch = &launch;
  machinery.checker = work.options.checker;
  machinery.lockstep = work.options.lockstep;
  machinery.grid_workspace = work.grid_workspace;
  machinery.printed.begin(work.limits.printf_bytes, program.facts.ordered);
  if (program.code) {
    machinery.arguments = banks_of(program, launch, work.limits, work.grid_workspace);
  } else {
    machinery.arguments = launch.arguments;
    machinery.arguments.resize(
        padded(std::max<uint64_t>(launch.arguments.size(), program.facts.parameter_bytes)));
  }
  machinery.shared_bytes =
      (launch.shape.dynamic_shared ? program.dynamic_shared_at : program.facts.static_shared) +
      launch.shape.dynamic_shared;
  machinery.recent.resize(program.sites);
  machinery.patterns.resize(program.sites);
  machinery.strayed.assign(program.instructions.size(), ~0ull);
  return machinery;
}

// A kernel with .reqnctapercluster counts on its clusters: run without them it would compute
// something else.
void check_clusters(const Program& program, const LaunchShape& launch) {
  if (!program.functions[0].source) return;
  const int* own = program.functions[0].source->cluster;
  const Dim3 shape{unsigned(own[0]), unsigned(std::max(1, own[1])), unsigned(std::max(1, own[2]))};
  if (own[0] && shape != launch.cluster_size())
    throw Error{"kernel '" + program.kernel + "'",
                "its blocks run in clusters, and the launch does not ask for them",
                "launch it through the runtime, or with its own cluster", 126};
}

// What predicts nothing has no use for it; nor may it take too much memory of the host.
bool get_on_together(const Work& work, const Machinery& machinery) {
  constexpr uint64_t most_memory = 2ull << 30;
  return work.program.facts.waits && !work.launch.shape.cooperative && !work.options.checker &&
         !work.options.lockstep &&
         work.residents * bytes_of_block(machinery, work.program) <= most_memory;
}

}  // namespace

Work::Work(const Program& all, const Launch& one, Memory& device, const Limits& machine,
           const Options& wishes, const Body& compiled, AnyObserver watching)
    : program(all),
      launch(one),
      memory(device),
      limits(machine),
      options(wishes),
      body(compiled),
      observer(watching) {
  const LaunchShape& shape = one.shape;
  check_clusters(all, shape);
  units = std::max<uint64_t>(1, shape.grid.count() / shape.cluster_size().count());
  const bool alone = all.facts.ordered || shape.cooperative || observer;
  threads = alone ? 1 : unsigned(std::min<uint64_t>(host_threads(wishes.threads), units));
  const uint64_t fit = uint64_t(machine.sm_count) * uint64_t(machine.blocks_per_sm);
  residents = std::max<uint64_t>(1, fit / shape.cluster_size().count() / threads);
  chunk = std::clamp<uint64_t>(units / (threads * 16), 1, 32);
  failed = units;
  if (shape.cooperative) {
    const auto place = device.grid_workspace();
    if (!place)
      throw Error{"", "no device memory for the barrier of a cooperative grid", "free some", 126};
    grid_workspace = *place;
  }
}

void Work::fail(uint64_t unit) {
  uint64_t lowest = failed;
  while (unit < lowest && !failed.compare_exchange_weak(lowest, unit)) {
  }
}

Worker::Worker(Work& work, bool first)
    : machinery(machinery_of(work)),
      work_(work),
      first_(first),
      hang_(work.options.hang_after),
      turns_(get_on_together(work, machinery)),
      began_(machinery.time.clocks) {
  machinery.turn = turns_.now();
  AccessSums& accesses = machinery.accesses;
  accesses.patterns = machinery.patterns.data();
  accesses.recent = machinery.recent.data();
  accesses.shared_bytes = machinery.shared_bytes;
  accesses.memory_base = work.memory.base();
  if (!work.observer && work.options.count) look_on(work);
  renew_operations(machinery);
}

void Worker::look_on(Work& work) {
  AccessSums& accesses = machinery.accesses;
  count = borrow_count(work.program, work.memory.base(), work.memory.addresses());
  machinery.observer = AnyObserver(*count);
  machinery.guarded.float_operations = count->guarded_float_operations;
  accesses.sectors = &count->Sectors::counters;
  accesses.conflicts = &count->Conflicts::counters;
  accesses.entries = count->entries.data();
  accesses.lanes_entered = count->lanes_entered.data();
  accesses.loaded = count->loaded.marks();
  accesses.stored = count->stored.marks();
  if (!in_detail(work.program, work.options)) return;
  if (counts_sites(work.program, work.options)) {
    sites = std::make_unique<Sites>();
    sites->begin(work.program);
    machinery.guarded.by_operation = sites->guarded();
    accesses.by_instruction = sites->counts();
    accesses.taken = sites->taken();
  }
  if (work.options.trace.count) {
    machinery.sample = work.options.trace;
    tracer = std::make_unique<Tracer>(work.program, machinery.sample, warps_of_block(work.launch));
  }
  detailed_.emplace(Detailed{*count, sites.get(), tracer.get()});
  machinery.observer = AnyObserver(*detailed_);
}

std::unique_ptr<Resident> Worker::take_new() {
  if (ring_.size() >= work_.residents) return nullptr;
  if (next_unit_ == end_of_chunk_) {
    next_unit_ = std::min(work_.started.fetch_add(work_.chunk), work_.units);
    end_of_chunk_ = std::min(next_unit_ + work_.chunk, work_.units);
  }
  if (next_unit_ >= std::min(end_of_chunk_, work_.failed.load())) return nullptr;
  std::unique_ptr<Resident> resident;
  if (idle_.empty()) {
    resident = std::make_unique<Resident>(machinery, work_.program, memory_);
  } else {
    resident = std::move(idle_.back());
    idle_.pop_back();
  }
  resident->start(next_unit_++);
  turns_.begin(resident->warps());
  hang_.changed();
  return resident;
}

// Who runs next: a new block while there are some and there is room, else who waited longest.
std::unique_ptr<Resident> Worker::next() {
  if (auto resident = take_new()) return resident;
  while (!ring_.empty()) {
    auto resident = std::move(ring_.front());
    ring_.pop_front();
    if (resident->unit() < work_.failed) return resident;
  }
  return nullptr;
}

void Worker::step(std::unique_ptr<Resident> resident) {
  try {
    if (resident->run(work_.body)) {
      ++work_.finished;
      if (tracer) resident->each_block([&](const BlockState& block) { tracer->note_end(block); });
      idle_.push_back(std::move(resident));
      hang_.changed();
    } else {
      const bool waited = resident->only_waited();
      const uint64_t warps = resident->waiting_warps(), all = resident->warps();
      const TurnLength turn = machinery.turn;
      const uint64_t rounds = resident->ran_a_slice() ? turn.basic_blocks : warps * turn.rounds;
      ring_.push_back(std::move(resident));
      turns_.had_turn(all, entered());
      machinery.turn = turns_.now();
      // All blocks that have begun go on at once: together they are as far as one would be.
      const double of_one = double(rounds) / (turn.together ? double(ring_.size()) : 1);
      if (!waited && hang_.worked(of_one)) end(HangWatch::give_up(waiting()));
      if (waited && hang_.waited(ring_.size(), warps, turn.rounds)) look_for_hang();
    }
  } catch (const Fault& fault) {
    note(fault, *resident);
  }
}

// Basic blocks.
uint64_t Worker::entered() const {
  return (machinery.time.clocks - began_) / clocks_of_basic_block;
}

// All that can be resident waits.
void Worker::look_for_hang() {
  if (const std::optional<Hang> hang = hang_.look(waiting(), machinery.time.leapt)) end(*hang);
}

Waiting Worker::waiting() const {
  Waiting all;
  for (const auto& resident : ring_)
    resident->each_block([&](const BlockState& block) { all.blocks.push_back(&block); });
  const uint64_t cluster = all.blocks.size() / ring_.size();
  all.not_begun = cluster * (work_.units - std::min(work_.started.load(), work_.units) +
                             end_of_chunk_ - next_unit_);
  return all;
}

void Worker::end(const Hang& hang) {
  uint64_t lowest = UINT64_MAX;
  for (const auto& resident : ring_) lowest = std::min(lowest, resident->unit());
  if (failed && failed->unit <= lowest) return;
  failed = Failed{lowest, finding_of(hang.fault, work_.program, *hang.warp)};
  work_.fail(work_.program.facts.ordered ? 0 : lowest);
}

// Blocks that wait for one another would wait for the one that failed, so all of them end.
void Worker::note(const Fault& fault, const Resident& resident) {
  if (!failed || resident.unit() < failed->unit)
    failed = Failed{resident.unit(), finding_of(fault, work_.program, resident.running())};
  work_.fail(work_.program.facts.ordered ? 0 : resident.unit());
}

bool Worker::run(Clock::time_point until) {
  try {
    while (auto resident = next()) {
      if (is_interrupted(work_.options)) work_.fail(0);
      step(std::move(resident));
      if (machinery.time.clocks - looked_ < clocks_between_looks) continue;
      looked_ = machinery.time.clocks;
      const auto now = Clock::now();
      if (now >= until && work_.started < work_.units) return false;
      show_progress(now);
    }
  } catch (...) {
    error = std::current_exception();
    work_.fail(0);
  }
  return true;
}

void Worker::show_progress(Clock::time_point now) {
  if (!first_ || !work_.options.progress || now - reported_ < progress_pause) return;
  reported_ = now;
  work_.options.progress(work_.finished, work_.units);
}

}  // namespace headroom::sim
