#include "sim/check/asynchronous.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "record/launch.h"
#include "sim/bulk_copy.h"
#include "sim/cluster.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"
#include "sim/mbarrier.h"
#include "sim/remote_store.h"

namespace headroom::sim::check {
namespace {

constexpr uint64_t unit_bytes = 16;  // of what a product reads

uint32_t thread_of(const Warp& warp, uint32_t lane) { return warp.index * lanes + lane; }

uint64_t key_of(Asynchronous::Groups groups, uint32_t whose) {
  return uint64_t(groups) << 32 | whose;
}
bool is_product(uint64_t source) {
  return source >> 32 == uint64_t(Asynchronous::Groups::products);
}

BarrierWord word_at(const BlockState& block, uint64_t barrier) {
  BarrierWord word;
  if (barrier % 8 == 0 && barrier + 8 <= block.machinery->shared_bytes)
    std::memcpy(&word.bits, block.shared + barrier, 8);
  return word;
}

}  // namespace

void Asynchronous::begin(const Program& program) {
  program_ = &program;
  blocks_.clear();
  recent_ = nullptr;
  told_.clear();
}

Asynchronous::OfBlock& Asynchronous::of(const BlockState& state) {
  OfBlock& block = blocks_[&state];
  if (block.linear != state.linear) {
    block = OfBlock{};
    block.linear = state.linear;
  }
  return block;
}

Asynchronous::OfBlock* Asynchronous::find(const BlockState& state) {
  if (blocks_.empty()) return nullptr;
  const auto block = blocks_.find(&state);
  return block == blocks_.end() || block->second.linear != state.linear ? nullptr : &block->second;
}

bool Asynchronous::Pending::has(uint64_t from, uint64_t to) const {
  if (from >= end || to <= begin) return false;
  if (units.empty()) return true;
  const auto unit = std::ranges::lower_bound(units, uint32_t(from / unit_bytes));
  return unit != units.end() && *unit * unit_bytes < to;
}

const char* Asynchronous::name_of(const Pending& pending) {
  if (is_product(pending.source)) return "product";
  if (!pending.stored) return "bulk copy";
  return pending.reduces ? "asynchronous reduction" : "asynchronous store";
}

// A phase cannot end twice between two operations on its barrier.
void Asynchronous::see_phase(const BlockState& owner, Source& source, uint64_t barrier) {
  const BarrierWord word = word_at(owner, barrier);
  if (!word.initialised() || word.phase() == source.parity) return;
  source.parity = word.phase();
  ++source.number;
}

void Asynchronous::met(const BlockState& owner, uint64_t barrier) {
  see_phase(owner, of(owner).sources[barrier], barrier);
}

void Asynchronous::begins(const Warp& warp, const Operation& operation, uint32_t lane,
                          uint64_t barrier) {
  auto& sources = of(*warp.block).sources;
  const auto before = sources.find(barrier);
  const BarrierWord word = word_at(*warp.block, barrier);
  if (before != sources.end() && word.initialised() &&
      (word.pending() != word.expected() || word.transactions()))
    note_begun_again(warp, operation.instruction, lane, barrier);
  Source& source = sources[barrier];
  source.number += 2;  // what its last life waited for stays open
  source.parity = false;
}

void Asynchronous::note_begun_again(const Warp& warp, uint32_t instruction, uint32_t lane,
                                    uint64_t barrier) {
  const auto [found, is_new] =
      told_.try_emplace(std::pair(instruction, ~0u), Told{told_.size(), {}});
  Finding& finding = found->second.finding;
  if (!is_new) {
    ++finding.times;
    return;
  }
  const BarrierWord word = word_at(*warp.block, barrier);
  finding = finding_of(
      Fault{"mbarrier_reinitialised",
            fmt::format(
                "an mbarrier at offset {} of shared memory is initialised or ended while it is in "
                "use: {} of {} arrivals are pending, and {} bytes of copies",
                barrier, word.pending(), word.expected(), word.transactions()),
            0, barrier, instruction, int(lane)},
      *program_, warp);
  finding.advice =
      "initialise it once, and let it go through its phases: each begins where the last is over";
}

void Asynchronous::observe(const Warp& warp, uint32_t lane, Source& source, uint32_t number) {
  auto& seen = source.seen[thread_of(warp, lane)];
  if (seen[0].when.epoch() && seen[0].number == number) return;
  std::shift_right(seen.begin(), seen.end(), 1);
  seen[0] = {number, Record::of(order_.epoch(*warp.block), warp.index, lane, 15, Scope::none, 0)};
}

void Asynchronous::passed(const Warp& warp, uint32_t lane, uint64_t barrier) {
  Source& source = of(*warp.block).sources[barrier];
  see_phase(*warp.block, source, barrier);
  observe(warp, lane, source, source.number - 1);
}

void Asynchronous::committed(const Warp& warp, Groups groups) {
  if (groups == Groups::products) {
    ++of(*warp.block).sources[key_of(groups, warp.index)].number;
    return;
  }
  each_lane(warp, [&](int lane) {
    for (const Groups each : {Groups::copies, Groups::copies_read})
      ++of(*warp.block).sources[key_of(each, thread_of(warp, uint32_t(lane)))].number;
  });
}

void Asynchronous::waited(const Warp& warp, Groups groups, uint32_t groups_left) {
  OfBlock& block = of(*warp.block);
  each_lane(warp, [&](int lane) {
    const uint32_t thread = thread_of(warp, uint32_t(lane));
    const auto wait = [&](uint64_t key) {
      Source& source = block.sources[key];
      if (source.number > groups_left + 1)
        observe(warp, uint32_t(lane), source, source.number - 1 - groups_left);
    };
    if (groups == Groups::products) return wait(key_of(groups, warp.index));
    if (groups == Groups::copies) wait(key_of(Groups::copies, thread));
    wait(key_of(Groups::copies_read, thread));
  });
}

bool Asynchronous::is_over(OfBlock& block, Pending& pending, const Warp& warp, uint32_t lane) {
  const bool mine = block.linear == warp.block->linear;
  if (pending.known.empty()) pending.known.resize(warp.block->warps.size());
  uint32_t& known = pending.known[warp.index];
  if (mine && known >> lane & 1) return true;
  const auto source = block.sources.find(pending.source);
  if (source == block.sources.end()) return false;
  for (const auto& entry : source->second.seen) {
    const bool over = std::ranges::any_of(entry.second, [&](const Seen& one) {
      return one.when.epoch() && one.number >= pending.number &&
             ((mine && entry.first == thread_of(warp, lane)) ||
              order_.before(one.when, warp, lane));
    });
    if (!over) continue;
    if (mine) known |= 1u << lane;
    return true;
  }
  return false;
}

void Asynchronous::look(OfBlock& block, const Warp& warp, uint32_t lane, uint32_t instruction,
                        const char* name, Use use, uint64_t begin, uint64_t end) {
  const auto each = [&](std::vector<Pending>& all) {
    for (Pending& pending : all)
      if (pending.has(begin, end) && !(pending.reduces && use == Use::atomic) &&
          !is_over(block, pending, warp, lane))
        note(warp, lane, instruction, name, std::max(begin, pending.begin), pending);
  };
  each(block.writes);
  if (use != Use::load) each(block.reads);
}

// One that is begun again, or overwritten whole, takes the place of the one before.
void Asynchronous::add(OfBlock& block, Pending pending) {
  pending.number = block.sources[pending.source].number;
  const uint32_t whole = pending.stored ? lanes : 1;  // lanes store side by side
  auto& all = pending.writes ? block.writes : block.reads;
  const bool next_row =
      pending.writes && !all.empty() && all.back().end == pending.begin &&
      all.back().source == pending.source && all.back().number == pending.number &&
      all.back().thread / whole == pending.thread / whole && all.back().block == pending.block &&
      all.back().instruction == pending.instruction;
  if (next_row)
    all.back().end = pending.end;
  else
    all.push_back(std::move(pending));
  const Pending last = std::move(all.back());
  all.pop_back();
  std::erase_if(all, [&](const Pending& one) {
    return last.writes
               ? last.begin <= one.begin && one.end <= last.end
               : last.begin == one.begin && last.end == one.end && last.source == one.source;
  });
  all.push_back(last);
}

void Asynchronous::copied(const Copied& copied) {
  const Warp& warp = copied.warp;
  const uint32_t lane = uint32_t(copied.lane);
  OfBlock& block = of(copied.owner());
  Pending pending;
  pending.begin = copied.address;
  pending.end = copied.address + copied.bytes;
  pending.writes = copied.use != Use::load;
  pending.reduces = copied.use == Use::atomic;
  pending.thread = thread_of(warp, lane);
  pending.block = warp.block->linear;
  pending.instruction = copied.operation.instruction;
  pending.source = key_of(Groups::copies_read, pending.thread);
  pending.stored = is_remote_store(copied.operation);
  if (pending.writes) {
    pending.source = block_offset(
        pending.stored ? barrier_of_remote_store(warp, copied.operation, copied.lane)
                       : bulk_operand(warp, copied.operation, bulk_barrier, copied.lane, true));
    see_phase(copied.owner(), block.sources[pending.source], pending.source);
  }
  look(block, warp, lane, pending.instruction, name_of(pending), copied.use, pending.begin,
       pending.end);
  add(block, std::move(pending));
}

void Asynchronous::product(const Warp& warp, const Operation& operation,
                           std::vector<uint32_t> units) {
  if (units.empty()) return;
  OfBlock& block = of(*warp.block);
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  const uint32_t lane = uint32_t(std::countr_zero(warp.mask));
  for (Pending& write : block.writes)
    for (const uint32_t unit : units) {
      const uint64_t begin = unit * unit_bytes;
      if (!write.has(begin, begin + unit_bytes)) continue;
      if (!is_over(block, write, warp, lane))
        note(warp, lane, operation.instruction, "product", begin, write);
      break;
    }
  Pending pending;
  pending.begin = units.front() * unit_bytes;
  pending.end = (units.back() + 1) * unit_bytes;
  pending.units = std::move(units);
  pending.thread = thread_of(warp, lane);
  pending.block = warp.block->linear;
  pending.instruction = operation.instruction;
  pending.source = key_of(Groups::products, warp.index);
  add(block, std::move(pending));
}

void Asynchronous::see(const Access& access) {
  OfBlock* block = find(access.owner());
  if (!block || (block->writes.empty() && block->reads.empty())) return;
  static constexpr const char* names[] = {"load", "store", "atomic"};
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    look(*block, access.warp, uint32_t(lane), access.operation.instruction, names[int(access.use)],
         access.use, address, address + bytes);
  });
}

void Asynchronous::note(const Warp& warp, uint32_t lane, uint32_t instruction, const char* use,
                        uint64_t address, const Pending& pending) {
  const auto [found, is_new] =
      told_.try_emplace(std::pair(instruction, pending.instruction), Told{told_.size(), {}});
  Finding& finding = found->second.finding;
  if (!is_new) {
    ++finding.times;
    return;
  }
  const bool product = is_product(pending.source);
  const std::string what = fmt::format("before the {} {} these bytes is waited for",
                                       name_of(pending), pending.writes ? "of" : "that reads");
  finding = finding_of(
      Fault{product ? "race_wgmma" : "race_async_copy",
            fmt::format("race: the {} at offset {} of shared memory comes {}", use, address, what),
            0, address, instruction, int(lane)},
      *program_, warp);
  Finding::Party other;
  other.use = name_of(pending);
  describe_place(*program_, pending.instruction, other.source, other.instruction);
  const Dim3& shape = warp.block->machinery->launch->shape.block;
  const Dim3& grid = warp.block->machinery->launch->shape.grid;
  other.block = {unsigned(pending.block % grid.x), unsigned(pending.block / grid.x % grid.y),
                 unsigned(pending.block / grid.x / grid.y)};
  other.thread = {pending.thread % shape.x, pending.thread / shape.x % shape.y,
                  pending.thread / shape.x / shape.y};
  finding.other = std::move(other);
  finding.advice =
      product          ? "wait for it first, by wgmma.wait_group in each of its warps, and then "
                         "let them meet who writes"
      : pending.writes ? "let who reads wait first for the phase of the mbarrier that it ends"
                       : "let the thread that copies wait first, by cp.async.bulk.wait_group.read, "
                         "and then meet who writes";
}

std::vector<Finding> Asynchronous::finish() {
  std::vector<Finding> all(told_.size());
  for (auto& [key, told] : told_) all[told.number] = std::move(told.finding);
  begin(*program_);
  return all;
}

}  // namespace headroom::sim::check
