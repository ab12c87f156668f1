#include "model/pipeline/sm.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "model/pipeline/again.h"
#include "model/pipeline/played.h"
#include "model/pipeline/scheduler.h"
#include "model/pipeline/sm_cycles.h"
#include "model/pipeline/walk.h"

namespace headroom {
namespace {

constexpr double queue_depth = 24;  // cycles of work that may wait before the load/store unit
constexpr uint8_t no_barrier = 255;

class Player {
 public:
  explicit Player(const SmTask& task)
      : task_(task),
        code_(task.code),
        walk_(task),
        rule_(issue_rule(task.machine)),
        units_(rule_),
        memory_(task.supply, task.relief),
        fences_(task.supply.l2_latency, task.supply.l2_far),
        parts_(size_t(schedulers_of(task.machine))),
        constants_(parts_.size()),
        is_shorter_(task.relief.latency != 1) {
    for (const InstructionTiming& timing : code_)
      for (const auto* list : {&timing.needs, &timing.gives})
        for (const uint16_t number : *list) registers_ = std::max(registers_, number + size_t(1));
    for (const TracedBlock& block : task.trace.blocks)
      for (const TracedWarp& warp : block.warps) in_parts_ = in_parts_ || !warp.parts.empty();
    run_.by_instruction.resize(code_.size());
    executed_.resize(code_.size());
    run_.marks.resize(parts_.size() + 1);
    run_.ends.resize(std::min(task.blocks, task.again ? task.blocks : task.trace.blocks.size()));
    together_ = run_.ends.size() <= size_t(task.resident);
  }

  SmRun run() {
    double now = 0;
    for (int i = 0; i < task_.resident; ++i) start_next(now);
    while (!playing_.empty()) {
      const double next = step(now);
      if (next == never)  // those whose trace has ended would have come to the barriers
        open_all(now++);
      else
        now += std::max(1.0, next - now);
    }
    for (size_t i = 0; i < code_.size(); ++i) {
      StallCycles& cycles = run_.by_instruction[i];
      cycles[size_t(Stall::selected)] += double(executed_[i] * code_[i].times);
      cycles[size_t(Stall::wait)] += double(executed_[i]) * (fixed_wait(code_[i]) - 1);
      add(run_.stalls, cycles);
    }
    run_.memory = memory_.use();
    run_.cycles = std::max(  // shorter latencies leave the link as busy
        {*std::ranges::max_element(run_.ends), memory_.sent(), run_.memory.host_cycles()});
    return std::move(run_);
  }

 private:
  void note(const PlayedWarp& warp, Stall stall, double cycles) {
    run_.by_instruction[warp.pc][size_t(stall)] += cycles;
  }

  void settle(PlayedWarp& warp) { warp.part->settle(warp, code_[warp.pc]); }

  // The next block that has anything to do.
  void start_next(double now) {
    while (next_block_ < run_.ends.size()) {
      auto block = std::make_unique<PlayedBlock>();
      const size_t traced = task_.trace.blocks.size(), turn = next_block_ / traced;
      block->traced = &task_.trace.blocks[next_block_ % traced];
      if (turn > 0) block->sectors_again = task_.again->sectors(next_block_ % traced, turn);
      block->place = next_block_++;
      for (const auto& phases : block->traced->arrivals) {
        auto& mbarrier = block->mbarriers.emplace_back();
        for (const uint32_t arrivals : phases) mbarrier.push_back({.missing = arrivals});
      }
      const double begin = std::max(now, next_start_);
      if (!task_.relief.block_starts)
        next_start_ = begin + cycles_of_start(block->traced->warps.size());
      for (const TracedWarp& traced : block->traced->warps) start_warp(*block, traced, begin);
      run_.ends[block->place] = begin;
      if (!block->live) continue;
      playing_.push_back(std::move(block));
      return;
    }
  }

  void start_warp(PlayedBlock& block, const TracedWarp& traced, double begin) {
    auto warp = std::make_unique<PlayedWarp>();
    warp->traced = &traced;
    warp->block = &block;
    warp->ready = begin;
    warp->registers.resize(registers_);
    // Spread over warps: what each enters once, some of them leave out.
    constexpr double golden = 0.6180339887498949;
    warp->skipped = std::fmod(golden * double(++started_), 1.0);
    if (!traced.entered.empty()) warp->lanes = uint8_t(traced.entered.front().lanes);
    if (!walk_.go_to_next(*warp, false)) return;
    if (in_parts_) {
      warp->parts = run_.parts.size();
      run_.parts.emplace_back(traced, begin);
    }
    ++block.live;
    SubPartition& part = *std::ranges::min_element(parts_, {}, &SubPartition::places);
    ++part.places;
    part.seat(*warp);
    settle(*warp);
    block.warps.push_back(std::move(warp));
  }

  // What its next instruction waits for, from its control word or its registers: all of it is known by now.
  void wait_for_operands(PlayedWarp& warp) {
    const InstructionTiming& timing = code_[warp.pc];
    if (!timing.waits && !warp.waits_also) return;
    Value last;
    for (const uint16_t number : timing.needs)
      if (warp.registers[number].from > last.from) last = warp.registers[number];
    wait_until(warp, last.from, last.because);
    if (timing.all_copies) wait_until(warp, warp.copies_done, Stall::long_scoreboard);
    for (unsigned waits = (timing.wait_mask | warp.waits_also) & ((1u << barriers) - 1); waits;
         waits &= waits - 1) {
      const Pending& pending = warp.pending[size_t(std::countr_zero(waits))];
      wait_until(warp, pending.until, pending.because);
    }
    warp.waits_also = 0;
    if (timing.action == Action::depbar && timing.barrier < barriers) {
      Pending& pending = warp.pending[timing.barrier];
      if (timing.count == 0) {
        wait_until(warp, pending.until, pending.because);
      } else if (pending.marks.size() > timing.count) {
        wait_until(warp, pending.marks[pending.marks.size() - 1 - timing.count],
                   Stall::long_scoreboard);
      }
    }
    if (timing.action == Action::fence && !timing.of_device)
      wait_until(warp, warp.stores_done, Stall::membar);
    if (timing.action == Action::product_wait && warp.products.size() > timing.count)
      wait_until(warp, warp.products[warp.products.size() - 1 - timing.count], Stall::gmma);
  }
  void wait_until(PlayedWarp& warp, double until, Stall because) {
    if (until <= warp.ready) return;
    note(warp, because, until - warp.ready);
    warp.ready = until;
  }

  // Of what is known at `now` to be there later: when a question makes latencies shorter. Who waits for several
  // results at once waits for none of them longer than that.
  double sooner(double when, double now) const {
    return now + (is_shorter_ ? (when - now) / task_.relief.latency : when - now);
  }

  // Until when instructions of memory wait before their unit does.
  double queue() const { return memory_.queue() - queue_depth; }

  // One cycle: every sub-partition issues if it can. Returns when the next may do something.
  double step(double now) {
    double next = never;
    bool issued = false;
    // Who shares lanes takes turns at being the first.
    size_t p = rule_.at_once > 1 ? turn_ % parts_.size() : 0;
    for (size_t count = parts_.size(); count > 0; --count) {
      SubPartition& part = parts_[p];
      p = p + 1 < parts_.size() ? p + 1 : 0;
      Seat* const chosen =
          part.sleeps(now) ? nullptr : choose(part, units_, queue(), now, run_.by_instruction);
      if (chosen) {
        next = now + 1;
        issued |= issue_of(part, *chosen, now);
      }
      next = std::min(next, part.wakes);
    }
    finish_blocks();
    turn_ += issued;
    return issued ? now + 1 : next;
  }

  // Whether it issued.
  bool issue_of(SubPartition& part, Seat& seat, double now) {
    let_issue(seat, now, run_.by_instruction);
    PlayedWarp& warp = *seat.warp;
    const bool issues = !misses_constant(warp, now);
    if (issues) issue(part, warp, now);
    for (int more = 1; more < rule_.at_once && issues && may_follow(part, warp, now); ++more)
      issue(part, warp, now);
    if (!warp.gone) settle(warp);
    return issues;
  }

  // Then it waits for its constant.
  bool misses_constant(PlayedWarp& warp, double now) {
    const InstructionTiming& timing = code_[warp.pc];
    if (timing.constant_line == no_line && !timing.constant_by_uniform) return false;
    if (task_.relief.immediate_constants || std::exchange(warp.has_constant, false)) return false;
    uint64_t line = timing.constant_line;
    const TracedAccess* access = timing.constant_by_uniform ? walk_.access_here(warp) : nullptr;
    if (access) line = constant_line(warp.block->sectors()[access->first_sector]);
    if (line == no_line) return false;
    wait_until(warp, constants_.wait(size_t(warp.part - parts_.data()), line, now),
               Stall::imc_miss);
    warp.has_constant = warp.ready > now;
    return warp.has_constant;
  }

  // The next instruction of the warp that just issued may issue with it: it needs nothing of that, and another
  // group of lanes is free.
  bool may_follow(SubPartition& part, const PlayedWarp& warp, double now) {
    return !warp.gone && !warp.waits && warp.ready <= now + 1 &&
           units_.free(part, code_[warp.pc], queue()) <= now;
  }

  // A bank, the even registers or the odd ones, gives one register a cycle.
  double port_cycles(SubPartition& part, const PlayedWarp& warp, const InstructionTiming& timing) {
    if (part.last != &warp && !part.port.is_empty()) part.port.forget();
    if (!timing.uses_port) return 1;
    const bool alone = part.port.is_empty() && !timing.keeps_registers;
    const int cycles = alone ? timing.port_cycles : part.port.read(timing.reads).cycles();
    return task_.relief.register_banks ? 1 : cycles;
  }

  double as_float(const InstructionTiming& timing, double cycles) const {
    if (!task_.relief.double_rate || timing.unit != Unit::fp64) return cycles;
    return std::min(cycles, task_.machine.alu_latency.value_or(4));
  }

  void mark(uint64_t issued, uint64_t& next, std::vector<double>& marks, double now) const {
    if (issued < next) return;
    marks.push_back(now);
    next += issued_a_mark;
  }

  void issue(SubPartition& part, PlayedWarp& warp, double now) {
    const InstructionTiming& timing = code_[warp.pc];
    run_.issued += timing.times;
    part.issued += timing.times;
    mark(part.issued, part.next_mark, run_.marks[size_t(&part - parts_.data())], now);
    mark(run_.issued, next_mark_, run_.marks.back(), now);
    ++executed_[warp.pc];
    // It reads its registers when the one before it has; until then no other issues. What issues together
    // reads together.
    const double port = port_cycles(part, warp, timing),
                 begin = rule_.at_once > 1 ? now : std::max(now, part.port_free);
    run_.bank_cycles += port - 1;
    part.port_free = begin + port;
    part.next_issue = begin + rule_.interval * timing.times;
    part.by_banks = begin > now;
    part.last = &warp;
    double cycles = timing.cycles;
    if (task_.relief.double_rate && timing.unit == Unit::fp64) cycles = 1;
    units_.free(part, timing.unit) = now + cycles;
    if (timing.unit == Unit::fma_heavy || timing.unit == Unit::fma) {
      // One half of the lanes multiplies integers too.
      double& heavy = part.unit_free[size_t(Unit::fma_heavy)];
      heavy = std::max(heavy, now + cycles);
    }
    if (timing.tells || timing.action != Action::plain) act(warp, timing, cycles, now);
    go_on(warp, timing, now);
    if (timing.action == Action::fence && timing.of_device && !warp.gone)
      wait_until(
          warp,
          std::max(warp.stores_done,
                   sooner(fences_.wait(std::exchange(warp.since, Since::nothing), now), now)),
          Stall::membar);
  }

  // What it does, and when those who wait for it may go on.
  void act(PlayedWarp& warp, const InstructionTiming& timing, double cycles, double now) {
    double data = now + as_float(timing, timing.latency), sources = now + 6;
    switch (timing.action) {
      case Action::memory: access(warp, timing, data, sources, now); break;
      case Action::bulk: sources = copy_in_bulk(warp, timing, now); break;
      case Action::product:
        data = now + cycles;
        warp.products_done = std::max(warp.products_done, data);
        if (timing.commits) warp.products.push_back(sooner(warp.products_done, now));
        break;
      case Action::mbarrier: meet(warp, now); break;
      case Action::forget: memory_.forget_l1(); break;
      default: break;
    }
    data = timing.action == Action::async_mark ? warp.copies_done : sooner(data, now);
    sources = timing.action == Action::bulk_mark ? warp.bulk_read : sooner(sources, now);
    if (timing.write_barrier < barriers) {
      Pending& pending = warp.pending[timing.write_barrier];
      if (data >= pending.until) pending.because = timing.because;
      pending.until = std::max(pending.until, data);
      if (timing.action == Action::async_mark) {
        pending.because = Stall::long_scoreboard;
        pending.marks.push_back(pending.until);
      }
    }
    for (const uint16_t number : timing.gives) warp.registers[number] = {data, timing.because};
    if (timing.read_barrier < barriers) {
      Pending& pending = warp.pending[timing.read_barrier];
      if (sources >= pending.until) pending.because = timing.because;
      pending.until = std::max(pending.until, sources);
      if (timing.action == Action::bulk_mark) pending.marks.push_back(pending.until);
    }
    if (timing.far) {
      const bool stores = timing.global_store || timing.adds;
      warp.since = std::max(warp.since, stores ? Since::stored : Since::accessed);
    }
  }

  void access(PlayedWarp& warp, const InstructionTiming& timing, double& data, double& sources,
              double now) {
    data = sources = now + 8;
    bool does_nothing = timing.unit == Unit::lsu;
    while (const TracedAccess* access = walk_.next_access(warp)) {
      does_nothing = false;
      const auto times =
          memory_.access(*access, warp.block->sectors() + access->first_sector, timing, now);
      data = std::max(data, times.data);
      sources = std::max(sources, times.sources);
      if (access->kind == AccessKind::global_load)
        run_.byte_cycles += 32.0 * access->sectors * (times.data - now);
      if (access->kind == AccessKind::global_atomic && run_.first_atomic == 0)
        run_.first_atomic = now;
    }
    if (does_nothing) {
      const auto times = memory_.without_lanes(now);
      data = times.data, sources = times.sources;
    }
    if (timing.asynchronous) warp.copies_done = std::max(warp.copies_done, sooner(data, now));
    if (timing.write_barrier >= barriers)
      warp.stores_done = std::max(warp.stores_done, sooner(data, now));
  }

  // Returns when what it is told by has been read.
  double copy_in_bulk(PlayedWarp& warp, const InstructionTiming& timing, double now) {
    double done = now;
    while (const TracedAccess* access = walk_.next_access(warp)) {
      if (access->kind == AccessKind::arrival) {
        come(*warp.block, *access, done, true);
        continue;
      }
      const auto times =
          memory_.access(*access, warp.block->sectors() + access->first_sector, timing, now);
      done = std::max(done, times.data);
      if (access->kind == AccessKind::bulk_store)
        warp.bulk_read = std::max(warp.bulk_read, times.sources);
      else
        run_.byte_cycles += 32.0 * access->sectors * (times.data - now);
    }
    return now + copy_begins;
  }

  // SYNCS arrives or waits; ARRIVES does when the warp's copies so far are there.
  void meet(PlayedWarp& warp, double now) {
    while (const TracedAccess* access = walk_.next_access(warp)) {
      if (access->kind == AccessKind::arrival) {
        come(*warp.block, *access, std::max(now, warp.copies_done), warp.copies_done > now);
      } else if (const Phase* phase = phase_of(*warp.block, *access)) {
        warp.awaits = phase;
      }
    }
  }

  void come(PlayedBlock& block, const TracedAccess& arrival, double when, bool is_copy) {
    Phase* const phase = phase_of(block, arrival);
    if (!phase || phase->missing == 0) return;
    if (when >= phase->over) phase->by_copy = is_copy;
    phase->over = std::max(phase->over, when);
    if (--phase->missing > 0) return;
    for (const auto& warp : block.warps)
      if (warp->waits && warp->awaits == phase) let_go(*warp, *phase);
  }

  void let_go(PlayedWarp& warp, const Phase& phase) {
    warp.awaits = nullptr;
    resume(warp, phase.over + arrival_latency,
           phase.by_copy ? Stall::long_scoreboard : Stall::short_scoreboard);
  }

  // A warp that waited goes on; what it waited for counts at the instruction with which it came.
  void resume(PlayedWarp& warp, double when, Stall because) {
    warp.waits = false;
    const double opens = std::max(warp.ready, when);
    run_.by_instruction[warp.barrier_at][size_t(because)] += opens - warp.ready;
    warp.ready = opens;
    wait_for_operands(warp);
    settle(warp);
  }

  // Until the next instruction, whatever it waits for.
  double fixed_wait(const InstructionTiming& timing) const {
    const int half = (timing.stall + 1) / 2;
    return task_.relief.latency > 1 ? half : as_float(timing, timing.stall);
  }

  void go_on(PlayedWarp& warp, const InstructionTiming& timing, double now) {
    const uint32_t before = warp.pc, entry = warp.entry, behind = warp.last + 1;
    warp.ready = now + fixed_wait(timing);
    const bool meets = timing.action == Action::barrier || timing.action == Action::arrive;
    const TracedAccess* arrival =
        meets ? walk_.next_access(warp) : nullptr;  // null: its guard is false
    // Of a warpgroup's, which it has behind those of its block, none: its warps go side by side.
    const bool is_cluster = arrival && timing.cluster;
    const bool arrives =
        arrival && (is_cluster || arrival->wavefronts < named_barriers) && !task_.relief.barriers;
    const bool waits = arrives && timing.action == Action::barrier;
    const bool at_grid = task_.trace.meets_grid && comes_to_grid(warp);
    const bool goes_on = walk_.go_to_next(warp, true);
    const bool at_part = in_parts_ && run_.parts[warp.parts].pass(warp.entry, now) && together_;
    if (arrives) {
      warp.waits = goes_on && waits;
      warp.barrier_at = before;
      warp.barrier = is_cluster ? named_barriers : uint8_t(arrival->wavefronts);
      arrive(*warp.block, warp.barrier, timing, now);
    }
    if (!goes_on) return leave(warp, now);
    if (warp.awaits || at_grid) {
      warp.waits = true;
      warp.barrier = no_barrier;
      warp.barrier_at = before;
      if (at_grid)
        meet_grid(warp, now);
      else if (warp.awaits->missing == 0)
        let_go(warp, *warp.awaits);
      return;
    }
    if (waits) return;  // or has been let go
    if (at_part) {
      warp.waits = true;
      warp.barrier = no_barrier;
      at_part_.push_back(&warp);
      return meet_at_part(now);
    }
    if (warp.entry != entry && (task_.left_out.empty() || !task_.left_out[behind - 1]))
      wait_until(warp, sooner(now + branch_cycles(task_.trace, warp, entry, behind), now),
                 Stall::branch_resolving);
    wait_for_operands(warp);
  }

  void arrive(PlayedBlock& block, uint8_t barrier, const InstructionTiming& timing, double now) {
    barrier_free_ = std::max(barrier_free_, now) + barrier_warp;
    const int expected = timing.count ? std::min<int>(timing.count, block.live) : block.live;
    if (++block.arrived[barrier] >= expected) open(block, barrier, now);
  }

  void open(PlayedBlock& block, uint8_t barrier, double now) {
    block.arrived[barrier] = 0;
    for (const auto& each : block.warps) {
      PlayedWarp& warp = *each;
      if (!warp.waits || warp.barrier != barrier) continue;
      resume(warp,
             std::max(now, barrier_free_) + barrier_latency +
                 (barrier == named_barriers ? cluster_latency : 0),
             Stall::barrier);
    }
  }

  // The loop in which a warp waits for the other blocks of a cooperative launch.
  bool comes_to_grid(PlayedWarp& warp) const {
    bool comes = false;
    while (const TracedAccess* access = walk_.next_access(warp))
      comes |= access->kind == AccessKind::grid;
    return comes;
  }

  // Blocks of other SMs come as those of this one do.
  void meet_grid(PlayedWarp& warp, double now) {
    at_grid_.push_back(&warp);
    if (at_grid_.size() >= playing_.size()) open_grid(now);
  }

  void open_grid(double now) {
    const double opens = now + task_.supply.l2_latency + grid_turn * task_.supply.grid_blocks;
    for (PlayedWarp* warp : std::exchange(at_grid_, {}))
      resume(*warp, opens, Stall::long_scoreboard);
  }

  // Warps begin parts of their traces together, as none would be alone: nobody has waited.
  void meet_at_part(double now) {
    size_t live = 0;
    for (const auto& block : playing_) live += size_t(block->live);
    if (at_part_.size() >= live) open_part(now);
  }

  void open_part(double now) {
    for (PlayedWarp* warp : std::exchange(at_part_, {})) {
      run_.parts[warp->parts].go_on(now);
      warp->waits = false;
      warp->ready = std::max(warp->ready, now);
      wait_for_operands(*warp);
      settle(*warp);
    }
  }

  void open_all(double now) {
    for (const auto& block : playing_)
      for (size_t b = 0; b < block->arrived.size(); ++b) open(*block, uint8_t(b), now);
    for (const auto& block : playing_)
      for (const auto& warp : block->warps)
        if (warp->waits && warp->awaits) let_go(*warp, {.over = now});
    open_grid(now);
    open_part(now);
  }

  void leave(PlayedWarp& warp, double now) {
    warp.part->leave(warp);
    PlayedBlock& block = *warp.block;
    --block.live;
    warp.waits = false;
    warp.gone = true;
    double& end = run_.ends[block.place];
    end = std::max(end, now + 1);
    for (size_t b = 0; b < block.arrived.size(); ++b)
      if (block.live && block.arrived[b] >= block.live) open(block, uint8_t(b), now);
    if (!block.live) over_.push_back({&block, now});
    if (!at_part_.empty()) meet_at_part(now);
  }

  void finish_blocks() {
    if (over_.empty()) return;
    const auto over = std::move(over_);
    over_.clear();
    for (const Over& each : over) {
      for (const auto& warp : each.block->warps) --warp->part->places;
      std::erase_if(playing_, [&](const auto& block) { return block.get() == each.block; });
      start_next(task_.relief.block_starts ? each.when : each.when + block_follows);
    }
  }

  const SmTask& task_;
  const std::vector<InstructionTiming>& code_;
  const Walk walk_;
  const IssueRule rule_;
  SmUnits units_;
  MemoryPath memory_;
  Fences fences_;
  std::vector<SubPartition> parts_;
  ImmediateConstants constants_;
  size_t registers_ = 0, turn_ = 0, started_ = 0;
  uint64_t next_mark_ = issued_a_mark;
  const bool is_shorter_;  // latencies are
  std::vector<std::unique_ptr<PlayedBlock>> playing_;
  size_t next_block_ = 0;
  double next_start_ = 0, barrier_free_ = 0;
  std::vector<PlayedWarp*> at_grid_, at_part_;
  bool in_parts_ = false, together_ = false;  // traced in parts; all warps begin at once
  std::vector<Over> over_;
  std::vector<uint64_t> executed_;  // times, of each instruction
  SmRun run_;
};

}  // namespace

double cycles_of_start(size_t warps) { return std::max(block_start, warp_start * double(warps)); }

SmRun play(const SmTask& task) { return Player(task).run(); }

}  // namespace headroom
