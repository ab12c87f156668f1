#include "model/pipeline/sm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "model/pipeline/again.h"
#include "model/pipeline/issue_rule.h"
#include "model/pipeline/played.h"
#include "model/pipeline/sm_cycles.h"
#include "model/pipeline/walk.h"

namespace headroom {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double queue_depth = 24;      // cycles of work that may wait before the load/store unit
constexpr uint64_t issued_a_mark = 16;  // instructions
constexpr uint8_t no_barrier = 255;

class Player {
 public:
  explicit Player(const SmTask& task)
      : task_(task),
        code_(task.code),
        walk_(task),
        rule_(issue_rule(task.machine)),
        memory_(task.supply, task.relief),
        fences_(task.supply.l2_latency, task.supply.l2_far),
        parts_(size_t(schedulers_of(task.machine))),
        constants_(parts_.size()) {
    for (size_t u = 0; u < units; ++u) groups_free_[u].resize(size_t(rule_.groups[u]));
    for (const InstructionTiming& timing : code_)
      for (const auto* list : {&timing.needs, &timing.gives})
        for (const uint16_t number : *list) registers_ = std::max(registers_, number + size_t(1));
    for (const TracedBlock& block : task.trace.blocks)
      for (const TracedWarp& warp : block.warps) in_parts_ = in_parts_ || !warp.parts.empty();
    run_.by_instruction.resize(code_.size());
    run_.marks.resize(parts_.size() + 1);
    run_.ends.resize(std::min(task.blocks, task.again ? task.blocks : task.trace.blocks.size()));
    together_ = run_.ends.size() <= size_t(task.resident);
  }

  SmRun run() {
    double now = 0;
    for (int i = 0; i < task_.resident; ++i) start_next(now);
    while (!playing_.empty()) {
      const double next = step(now);
      if (next == never) {  // those whose trace has ended would have come to the barriers
        open_all(now++);
        continue;
      }
      // A step in which nobody issued counts for all the cycles until somebody may.
      const double cycles = std::max(1.0, next - now);
      for (const auto& [warp, stall] : held_) note(*warp, stall, cycles);
      now += cycles;
    }
    run_.memory = memory_.use();
    run_.cycles = std::max(  // shorter latencies leave the link as busy
        {*std::ranges::max_element(run_.ends), memory_.sent(), run_.memory.host_cycles()});
    return std::move(run_);
  }

 private:
  void note(const PlayedWarp& warp, Stall stall, double cycles) {
    run_.stalls[size_t(stall)] += cycles;
    run_.by_instruction[warp.pc][size_t(stall)] += cycles;
  }

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
    part.warps.push_back(warp.get());
    warp->part = &part;
    block.warps.push_back(std::move(warp));
  }

  // What its next instruction waits for, from its control word or its registers: all of it is known by now.
  void wait_for_operands(PlayedWarp& warp) {
    const InstructionTiming& timing = code_[warp.pc];
    Value last;
    for (const uint16_t number : timing.needs)
      if (warp.registers[number].from > last.from) last = warp.registers[number];
    wait_until(warp, last.from, last.because);
    if (timing.all_copies) wait_until(warp, warp.copies_done, Stall::long_scoreboard);
    for (int b = 0; b < barriers; ++b) {
      const Pending& pending = warp.pending[size_t(b)];
      if ((timing.wait_mask | warp.waits_also) >> b & 1)
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
  double sooner(double when, double now) const { return now + (when - now) / task_.relief.latency; }

  // Until when a unit is taken: the sub-partition's, or the one of the SM's groups that is free first.
  double& group_free(SubPartition& part, Unit unit) {
    auto& groups = groups_free_[size_t(unit)];
    return groups.empty() ? part.unit_free[size_t(unit)] : *std::ranges::min_element(groups);
  }

  // Since when the unit of its next instruction is free.
  double unit_free(SubPartition& part, const PlayedWarp& warp) {
    const InstructionTiming& timing = code_[warp.pc];
    double free = group_free(part, timing.unit);
    if (timing.action == Action::memory && timing.unit != Unit::adu)
      free = std::max(free, memory_.queue() - queue_depth);
    return free;
  }

  // One cycle: every sub-partition issues if it can. Returns when the next may do something.
  double step(double now) {
    held_.clear();
    double next = never;
    bool issued = false;
    // Who shares lanes takes turns at being the first.
    const size_t first = rule_.at_once > 1 ? turn_ : 0;
    for (size_t p = 0; p < parts_.size(); ++p) {
      SubPartition& part = parts_[(first + p) % parts_.size()];
      PlayedWarp* chosen = nullptr;
      for (PlayedWarp* warp : part.warps) {
        if (warp->waits) continue;
        if (warp->ready > now) {
          next = std::min(next, warp->ready);
          continue;
        }
        if (part.next_issue > now) {
          held_.push_back({warp, part.by_banks ? Stall::dispatch_stall : Stall::not_selected});
          next = std::min(next, part.next_issue);
          continue;
        }
        const double free = unit_free(part, *warp);
        if (free > now) {
          held_.push_back({warp, when_busy(code_[warp->pc])});
          next = std::min(next, free);
          continue;
        }
        if (chosen && !goes_before(part, *warp, *chosen)) {
          held_.push_back({warp, Stall::not_selected});
          continue;
        }
        if (chosen) held_.push_back({chosen, Stall::not_selected});
        chosen = warp;
      }
      if (!chosen) continue;
      next = now + 1;
      if (misses_constant(*chosen, now)) continue;
      issued = true;
      issue(part, *chosen, now);
      for (int more = 1; more < rule_.at_once && may_follow(part, *chosen, now); ++more)
        issue(part, *chosen, now);
    }
    finish_blocks();
    turn_ += issued;
    if (issued) return now + 1;
    return next == never ? never : std::max(next, now + 1);
  }

  // Then it waits for its constant.
  bool misses_constant(PlayedWarp& warp, double now) {
    const InstructionTiming& timing = code_[warp.pc];
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
    return !warp.gone && !warp.waits && warp.ready <= now + 1 && unit_free(part, warp) <= now;
  }

  // A bank, the even registers or the odd ones, gives one register a cycle.
  double port_cycles(SubPartition& part, const PlayedWarp& warp, const InstructionTiming& timing) {
    if (part.last != &warp) part.port.forget();
    const int cycles = part.port.read(timing.reads).cycles();
    return task_.relief.register_banks ? 1 : cycles;
  }

  double as_float(const InstructionTiming& timing, double cycles) const {
    if (!task_.relief.double_rate || timing.unit != Unit::fp64) return cycles;
    return std::min(cycles, task_.machine.alu_latency.value_or(4));
  }

  void issue(SubPartition& part, PlayedWarp& warp, double now) {
    const InstructionTiming& timing = code_[warp.pc];
    run_.issued += timing.times;
    part.issued += timing.times;
    auto& marks = run_.marks[size_t(&part - parts_.data())];
    if (part.issued >= (marks.size() + 1) * issued_a_mark) marks.push_back(now);
    auto& of_all = run_.marks.back();
    if (run_.issued >= (of_all.size() + 1) * issued_a_mark) of_all.push_back(now);
    note(warp, Stall::selected, timing.times);
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
    group_free(part, timing.unit) = now + cycles;
    if (timing.unit == Unit::fma_heavy || timing.unit == Unit::fma) {
      // One half of the lanes multiplies integers too.
      double& heavy = part.unit_free[size_t(Unit::fma_heavy)];
      heavy = std::max(heavy, now + cycles);
    }
    double data = now + as_float(timing, timing.latency), sources = now + 6;
    if (timing.action == Action::memory) {
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
    if (timing.action == Action::bulk) sources = copy_in_bulk(warp, timing, now);
    if (timing.action == Action::bulk_mark) sources = warp.bulk_read;
    if (timing.action == Action::product) {
      data = now + cycles;
      warp.products_done = std::max(warp.products_done, data);
      if (timing.commits) warp.products.push_back(sooner(warp.products_done, now));
    }
    if (timing.action == Action::mbarrier) meet(warp, now);
    data = sooner(data, now);
    if (timing.action == Action::async_mark) data = warp.copies_done;
    if (timing.action != Action::bulk_mark) sources = sooner(sources, now);
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
    if (timing.action == Action::forget) memory_.forget_l1();
    go_on(warp, timing, now);
    if (timing.action == Action::fence && timing.of_device && !warp.gone)
      wait_until(
          warp,
          std::max(warp.stores_done,
                   sooner(fences_.wait(std::exchange(warp.since, Since::nothing), now), now)),
          Stall::membar);
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
    run_.stalls[size_t(because)] += opens - warp.ready;
    run_.by_instruction[warp.barrier_at][size_t(because)] += opens - warp.ready;
    warp.ready = opens;
    wait_for_operands(warp);
  }

  void go_on(PlayedWarp& warp, const InstructionTiming& timing, double now) {
    const uint32_t before = warp.pc, entry = warp.entry, behind = walk_.range_of(warp).last + 1;
    const int half = (timing.stall + 1) / 2;
    const double fixed = task_.relief.latency > 1 ? half : as_float(timing, timing.stall);
    note(warp, Stall::wait, fixed - 1);
    warp.ready = now + fixed;
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
    const bool branches = task_.left_out.empty() || !task_.left_out[behind - 1];
    if (branches && warp.entry != entry)
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
    std::erase(warp.part->warps, &warp);
    if (warp.part->last == &warp) warp.part->last = nullptr;
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
  MemoryPath memory_;
  Fences fences_;
  std::vector<SubPartition> parts_;
  ImmediateConstants constants_;
  std::array<std::vector<double>, units> groups_free_;  // of the SM
  size_t registers_ = 0, turn_ = 0, started_ = 0;
  std::vector<std::unique_ptr<PlayedBlock>> playing_;
  size_t next_block_ = 0;
  double next_start_ = 0, barrier_free_ = 0;
  std::vector<PlayedWarp*> at_grid_, at_part_;
  bool in_parts_ = false, together_ = false;  // traced in parts; all warps begin at once
  std::vector<std::pair<const PlayedWarp*, Stall>> held_;
  std::vector<Over> over_;
  SmRun run_;
};

}  // namespace

double cycles_of_start(size_t warps) { return std::max(block_start, warp_start * double(warps)); }

SmRun play(const SmTask& task) { return Player(task).run(); }

}  // namespace headroom
