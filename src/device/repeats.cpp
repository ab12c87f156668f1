#include "device/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <string>

#include "device/say.h"
#include "device/session.h"
#include "model/pipeline/alike.h"
#include "sim/simulate.h"

namespace headroom::device {
namespace {

// Of one and of all; longer lists would take as long as short launches do.
constexpr uint64_t most_bytes_of_one = 8 << 20, most_bytes_of_all = 16 << 20;
constexpr size_t most_launches = 64;
constexpr int most_misses = 2;

bool is_same(const Repeats::What& a, const Repeats::What& b) {
  return a.program == b.program && a.launch == b.launch && a.limits == b.limits;
}

uint64_t size_of(const Trace& trace) {
  uint64_t sum = 0;
  for (const auto* blocks : {&trace.blocks, &trace.others})
    for (const TracedBlock& block : *blocks) {
      sum += block.sectors.size() * sizeof(uint64_t);
      for (const TracedWarp& warp : block.warps)
        sum += warp.entered.size() * sizeof(Entry) + warp.accesses.size() * sizeof(TracedAccess);
    }
  return sum + trace.code.size() * sizeof(TracedInstruction) +
         trace.work.size() * sizeof(AlikeBlocks);
}

// Beside what is in the program and the listing anyway.
uint64_t size_of(const sim::Outcome& outcome) {
  return sizeof outcome + outcome.sites.size() * sizeof(InstructionCounts) +
         outcome.examples.size() * sizeof(AccessExample) +
         (outcome.loaded.size() + outcome.stored.size()) * sizeof(PageCount) +
         outcome.printed.size() + outcome.touched->loaded.bytes() +
         outcome.touched->stored.bytes() + (outcome.trace ? size_of(*outcome.trace) : 0);
}

sim::SectorRange range_of(const Session& session, uint64_t address, uint64_t bytes) {
  const uint64_t at = address - session.memory.base();
  return {at / 32, (at + bytes - 1) / 32};
}

bool touches(const sim::TouchedMemory& touched, const sim::SectorRange& range) {
  return touched.loaded.meets(range) || touched.stored.meets(range);
}

// The host writes managed memory itself, and of virtual memory two addresses may be one.
bool is_seen(const Session& session, const sim::TouchedMemory& touched) {
  if (session.virtual_memory) return false;
  return std::ranges::none_of(session.allocations.all(), [&](const auto& entry) {
    const Allocation& memory = entry.second;
    const bool of_host = memory.place == Place::managed || memory.place == Place::variable;
    return of_host && touches(touched, range_of(session, memory.begin, memory.bytes));
  });
}

sim::Outcome without_trace(sim::Outcome outcome) {
  outcome.trace.reset();
  return outcome;
}

// What of a launch that ran is not as it would have been taken from one before; empty: nothing.
std::string difference(const sim::Outcome& expected, const Content& stored,
                       const sim::Outcome& got) {
  if (!got.completed) return "its end";
  if (got.counters != expected.counters) return "its counters";
  if (got.printed != expected.printed) return "what it printed";
  const bool alone = got.threads == 1 && expected.threads == 1;  // else who ran which block counts
  if (alone && got.time.clocks != expected.time.clocks) return "its clocks";
  if (got.trace && expected.trace && access_hash(*got.trace) != access_hash(*expected.trace))
    return "what its accesses met";
  return stored.is_there() ? "" : "what it wrote";
}

}  // namespace

bool Repeats::Kept::lies_there() const {
  return is_seen && is_intact && !outcome->touched->in_place;
}

uint64_t Repeats::bytes_kept(const Kept& kept) {
  return size_of(*kept.outcome) + (kept.before ? kept.before->bytes() : 0) +
         (kept.after ? kept.after->bytes() : 0);
}

Repeats::List::iterator Repeats::kept_of(const What& what) {
  return std::ranges::find_if(kept_, [&](const Kept& each) { return is_same(each.what, what); });
}

std::optional<Repeats::Found> Repeats::find(const What& what) {
  const auto found = kept_of(what);
  if (found == kept_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, found);
  const bool traces = what.sample.count > 0;
  if (traces && what.sample != found->what.sample) return std::nullopt;
  if (!traces && found->outcome->trace) {  // nor will most later ones
    found->outcome = std::make_shared<const sim::Outcome>(without_trace(*found->outcome));
    found->what.sample = {};
  }
  if (found->lies_there()) return Found{found->outcome, nullptr};
  if (!found->before) return std::nullopt;
  if (found->before->is_there()) return Found{found->outcome, &*found->after};
  if (++found->misses == most_misses) found->before.reset(), found->after.reset();
  return std::nullopt;
}

void Repeats::repeat(const What& what) {
  const auto found = kept_of(what);
  if (found->lies_there()) return;
  found->after->put();
  stored(found->outcome->touched->stored, &*found);
  found->is_intact = true;
}

// What others touched is no longer as they left it.
void Repeats::stored(const sim::SectorPages& sectors, const Kept* by) {
  for (Kept& each : kept_) {
    const sim::TouchedMemory& touched = *each.outcome->touched;
    if (&each != by && each.is_intact)
      each.is_intact = !sectors.meets(touched.loaded) && !sectors.meets(touched.stored);
  }
}

std::optional<Repeats::Before> Repeats::before(const Session& session, const What& what) {
  const auto found = kept_of(what);
  if (found == kept_.end() || found->misses == most_misses) return std::nullopt;
  const sim::TouchedMemory& touched = *found->outcome->touched;
  if (32 * (touched.loaded.count() + 2 * touched.stored.count()) > most_bytes_of_one)
    return std::nullopt;
  return Before{{session.memory, touched.loaded}, {session.memory, touched.stored}};
}

void Repeats::ran(const Session& session, const What& what, const sim::Outcome& outcome,
                  std::optional<Before> before) {
  if (!outcome.completed) return forget();
  if (!outcome.touched) return;  // it was short, and nothing is kept
  const sim::TouchedMemory& touched = *outcome.touched;
  if (touched.stored_more) return forget();
  stored(touched.stored, nullptr);
  Kept made{what};
  if (const auto last = kept_of(what); last != kept_.end()) {
    const sim::TouchedMemory& then = *last->outcome->touched;
    made.misses = last->misses;
    if (before && then.loaded == touched.loaded && then.stored == touched.stored) {
      made.before = std::move(before);
      made.after.emplace(session.memory, touched.stored);
    } else if (before) {
      ++made.misses;
    }
    kept_.erase(last);
  }
  if (!touched.alone || size_of(outcome) > most_bytes_of_one) return;
  made.outcome = std::make_shared<const sim::Outcome>(outcome);
  made.is_seen = is_seen(session, touched);
  if (bytes_kept(made) > most_bytes_of_one) return;
  kept_.push_front(std::move(made));
  drop_oldest();
}

void Repeats::drop_oldest() {
  uint64_t sum = 0;
  const auto is_too_much = [&](const Kept& each) {
    return (sum += bytes_kept(each)) > most_bytes_of_all;
  };
  kept_.erase(std::ranges::find_if(kept_, is_too_much), kept_.end());
  if (kept_.size() > most_launches) kept_.pop_back();
}

void Repeats::wrote(const Session& session, uint64_t address, uint64_t bytes) {
  if (kept_.empty() || !bytes) return;
  const sim::SectorRange range = range_of(session, address, bytes);
  for (Kept& each : kept_) each.is_intact &= !touches(*each.outcome->touched, range);
}

void Repeats::gone(const Session& session, uint64_t address, uint64_t bytes) {
  if (kept_.empty() || !bytes) return;
  const sim::SectorRange range = range_of(session, address, bytes);
  std::erase_if(kept_, [&](const Kept& each) { return touches(*each.outcome->touched, range); });
}

namespace {

// What it stored before it was ended nobody knows.
sim::Outcome run(Session& session, const Repeats::What& what, const sim::Options& options) {
  const uint64_t allocations = session.memory.version();
  try {
    sim::Outcome outcome =
        sim::simulate(*what.program, what.launch, session.memory, what.limits, options);
    // A kernel may have freed what others touch.
    if (session.memory.version() != allocations) session.repeats.forget();
    return outcome;
  } catch (...) {
    session.repeats.forget();
    throw;
  }
}

// It ran, and goes on without, where the host has no memory left to remember it by.
void remember(Session& session, const Repeats::What& what, const sim::Outcome& outcome,
              std::optional<Repeats::Before> before) {
  try {
    session.repeats.ran(session, what, outcome, std::move(before));
  } catch (const std::bad_alloc&) {
    session.repeats.forget();
  }
}

std::optional<Repeats::Before> before(Session& session, const Repeats::What& what) {
  try {
    return session.repeats.before(session, what);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

// The launch is found, and runs nevertheless.
sim::Outcome check(Session& session, const Repeats::What& what, const sim::Options& options,
                   const Repeats::Found& found) {
  const Content expected =
      found.after ? *found.after : Content(session.memory, found.outcome->touched->stored);
  session.journal.repeat();
  sim::Outcome outcome = run(session, what, options);
  if (const std::string other = difference(*found.outcome, expected, outcome); !other.empty())
    say(fmt::format("a launch of {} that repeats one before did something else: {}",
                    what.launch.shape.kernel, other));
  return outcome;
}

}  // namespace

sim::Outcome run_or_repeat(Session& session, const Repeats::What& what,
                           const sim::Options& options) {
  if (options.touched == sim::Options::Touched::no) return run(session, what, options);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto found = session.repeats.find(what);
  if (found && session.options.repeats != Repeated::check) {
    session.repeats.repeat(what);
    session.journal.repeat();
    sim::Outcome outcome = *found->outcome;
    session.memory.pass(session.memory.time() + outcome.time);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return outcome;
  }
  auto lay_there = before(session, what);
  sim::Outcome outcome =
      found ? check(session, what, options, *found) : run(session, what, options);
  remember(session, what, outcome, std::move(lay_there));
  return outcome;
}

}  // namespace headroom::device
