// A launch: host threads run its blocks, and what they saw and counted becomes one outcome. The
// outcome does not depend on how many they were.
#include "sim/simulate.h"

#include <algorithm>
#include <set>

#include "base/thread_pool.h"
#include "sim/check/checker.h"
#include "sim/observed.h"
#include "sim/worker.h"

namespace headroom::sim {
namespace {

using Clock = Worker::Clock;
using Workers = std::vector<std::unique_ptr<Worker>>;

// A worker that cannot be made, for want of memory, takes no part.
std::unique_ptr<Worker> another(Work& work) {
  try {
    return std::make_unique<Worker>(work, false);
  } catch (const Error&) {
    return nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

Workers run(Work& work) {
  Workers workers(work.threads);
  workers[0] = std::make_unique<Worker>(work, true);
  if (workers[0]->run(work.threads == 1 ? Clock::time_point::max() : Clock::now() + worth_waking))
    return workers;
  workers[0]->machinery.host_threads = work.threads;
  ThreadPool::of_process().run(work.threads - 1, [&](unsigned index) {
    auto& worker = workers[index];
    if (!worker && !(worker = another(work))) return;
    worker->machinery.host_threads = work.threads;
    worker->run();
  });
  return workers;
}

// The fault of the lowest block is the launch's; what blocks above it did does not show.
const Failed* first_failed(const Workers& workers) {
  const Failed* first = nullptr;
  for (const auto& worker : workers) {
    if (worker->failed && (!first || worker->failed->unit < first->unit)) first = &*worker->failed;
  }
  return first;
}

std::vector<Finding> strays(const Workers& workers, uint64_t last_block) {
  std::vector<Stray> all;
  for (const auto& worker : workers) {
    for (Stray& stray : worker->machinery.strays)
      if (stray.block <= last_block) all.push_back(std::move(stray));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Stray& a, const Stray& b) { return a.block < b.block; });
  std::set<uint32_t> said;
  std::vector<Finding> out;
  for (Stray& stray : all)
    if (said.insert(stray.instruction).second) out.push_back(std::move(stray.finding));
  return out;
}

void take_printed(Outcome& outcome, const Workers& workers, uint64_t last_block, uint64_t capacity,
                  bool ordered) {
  PrintfBuffer all;
  all.begin(capacity, ordered);
  for (const auto& worker : workers) all.take(worker->machinery.printed, last_block);
  outcome.printed = all.text();
  if (const uint64_t bytes = all.overwritten())
    outcome.caveats.push_back(
        {"printf output lost",
         std::to_string(bytes) +
             " bytes that came first were overwritten: the launch printed more than "
             "the buffer of " +
             std::to_string(capacity) + " bytes holds",
         "print less, or raise it: cudaDeviceSetLimit(cudaLimitPrintfFifoSize, …)"});
}

Counters counters(const Workers& workers, const Program& program) {
  Count& all = *workers[0]->count;
  for (size_t w = 1; w < workers.size(); ++w) all.merge(*workers[w]->count);
  return all.finish(program);
}

// Later launches know which basic blocks are worth compiling.
void note_entries(const Work& work, const Workers& workers) {
  uint64_t ran = 0;
  for (const auto& worker : workers) ran += worker->machinery.ran;
  work.program.bound.note(work.body, work.program, ran, workers[0]->count->entries.data());
}

void take_sites(Outcome& outcome, const Workers& workers, const Program& program) {
  if (!workers[0]->sites) return;
  Sites& all = *workers[0]->sites;
  for (size_t w = 1; w < workers.size(); ++w) all.merge(*workers[w]->sites);
  outcome.sites = all.finish(program, *workers[0]->count);
  outcome.examples = all.examples();
}

std::optional<Trace> trace(const Workers& workers, const Program& program, const Memory& memory) {
  if (!workers[0]->tracer) return std::nullopt;
  Tracer& all = *workers[0]->tracer;
  for (size_t w = 1; w < workers.size(); ++w) all.merge(*workers[w]->tracer);
  Trace made = all.finish(program);
  made.began_together = workers[0]->began_together();
  made.together = workers[0]->machinery.turn.together;
  made.device = {memory.base() / 32, (memory.base() + memory.addresses()) / 32};
  return made;
}

// Bulk copies may add to what is there, which is not told as a load.
bool reads_more(const Program& program, const Counters& c) {
  return program.facts.more_inputs || c.bulk_load_sectors || c.bulk_store_sectors ||
         c.host_load_sectors || c.host_store_sectors;
}

// Constants are copied when a launch begins, or read by no access to device memory.
void add_constants(SectorPages& loaded, const Program& program, uint64_t base) {
  const auto add = [&](uint64_t address, uint64_t bytes) {
    if (bytes && address >= base)
      loaded.add({(address - base) / 32, (address - base + bytes - 1) / 32});
  };
  for (const ConstantBank& bank : program.banks)
    for (const ConstantBank::Variable& each : bank.variables) add(each.address, each.bytes);
  if (program.code || !program.module.module) return;
  for (const ptx::Variable& variable : program.module.module->variables) {
    const auto found = program.module.addresses.find(variable.name);
    if (variable.space == ptx::Space::constant && found != program.module.addresses.end())
      add(found->second, variable.bytes);
  }
}

std::shared_ptr<const TouchedMemory> touched(const Outcome& outcome, const Count& count,
                                             const Program& program, uint64_t base,
                                             bool may_repeat) {
  if (!outcome.completed) return nullptr;
  auto made = std::make_shared<TouchedMemory>();
  made->stored = count.stored.sectors();
  made->stored_more = program.facts.more_outputs;
  made->alone = may_repeat && outcome.findings.empty() && !reads_more(program, outcome.counters);
  if (!made->alone) return made;
  made->loaded = count.loaded.sectors();
  made->in_place = made->loaded.meets(made->stored);
  add_constants(made->loaded, program, base);
  return made;
}

Outcome outcome_of(Work& work) {
  const auto begin = Clock::now();
  const Program& program = work.program;
  Workers workers = run(work);
  std::erase(workers, nullptr);
  for (const auto& worker : workers)
    if (worker->error) std::rethrow_exception(worker->error);
  const Memory::Time before = work.memory.time();
  for (const auto& worker : workers) work.memory.pass(worker->machinery.time);

  Outcome outcome;
  outcome.time = work.memory.time() - before;
  const bool ordered = program.facts.ordered;
  const Failed* failed = first_failed(workers);
  const uint64_t last_block =
      failed && !ordered ? (failed->unit + 1) * work.launch.shape.cluster_size().count() - 1
                         : ~0ull;
  outcome.interrupted = !failed && work.finished < work.units;
  outcome.completed = !failed && !outcome.interrupted;
  if (failed) outcome.findings.push_back(failed->finding);
  for (Finding& stray : strays(workers, last_block)) outcome.findings.push_back(std::move(stray));
  if (workers[0]->count) {
    outcome.counters = counters(workers, program);
    note_entries(work, workers);
    outcome.loaded = workers[0]->count->loaded.pages();
    outcome.stored = workers[0]->count->stored.pages();
    const bool is_long = Clock::now() - begin > worth_repeating;
    const auto wish = work.options.touched;
    if (wish == Options::Touched::always || (wish == Options::Touched::worth_it && is_long))
      outcome.touched = touched(outcome, *workers[0]->count, program, work.memory.base(), is_long);
  }
  take_sites(outcome, workers, program);
  outcome.trace = trace(workers, program, work.memory);
  outcome.threads = unsigned(workers.size());
  outcome.caveats = program.caveats;
  take_printed(outcome, workers, last_block, work.limits.printf_bytes, ordered);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace

Outcome simulate(const Program& program, const Launch& launch, Memory& memory, const Limits& limits,
                 const Options& options) {
  if (options.checker) {
    options.checker->begin(program, launch, options.lockstep);
    Work work(program, launch, memory, limits, options, *engine().check,
              AnyObserver(*options.checker));
    Outcome outcome = outcome_of(work);
    for (Finding& race : options.checker->finish()) outcome.findings.push_back(std::move(race));
    if (const char* why = options.checker->silent_because())
      outcome.caveats.push_back({not_checked_for_races, why, ""});
    return outcome;
  }
  const Body& body = options.bounds                ? *engine().bounds
                     : !options.count              ? *engine().silent
                     : in_detail(program, options) ? *engine().detailed
                                                   : *engine().count;
  Work work(program, launch, memory, limits, options, body);
  return outcome_of(work);
}

Outcome simulate(const Program& program, const Launch& launch, Memory& memory, const Limits& limits,
                 const Options& options, const Body& body, AnyObserver observer) {
  Work work(program, launch, memory, limits, options, body, observer);
  return outcome_of(work);
}

const ProgramFacts& facts(const Program& program) { return program.facts; }

}  // namespace headroom::sim
