#include "sim/check/races.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "kernel/kernel.h"
#include "record/launch.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim::check {
namespace {

constexpr const char* names[] = {"load", "store", "atomic"};

std::array<unsigned, 3> place_in(const Dim3& shape, uint64_t linear) {
  return {unsigned(linear % shape.x), unsigned(linear / shape.x % shape.y),
          unsigned(linear / shape.x / shape.y)};
}

std::string advice(bool same_block, bool same_warp, bool same_instruction, bool shared, Scope mine,
                   Scope others) {
  const bool mixed = mine != Scope::none || others != Scope::none;
  if (mixed && !same_block)
    return "make both accesses atomic; data that a flag announces need __threadfence() before the "
           "flag is set, and after it is read";
  if (mixed) return "make both accesses atomic, or let the threads meet at a barrier between them";
  if (same_warp && same_instruction)
    return "give each thread a place of its own, let one thread store, or use an atomic";
  if (same_warp) return "put __syncwarp() between them";
  if (same_block) return "put __syncthreads() between them";
  return shared ? "let the cluster meet between them: cluster.sync(), or barrier.cluster.arrive by "
                  "the one and barrier.cluster.wait by the other"
                : "blocks run in any order: use atomics, pass the data by __threadfence() and an "
                  "atomic flag, or split the kernel in two";
}

// Who left the record.
Finding::Party party_of(Record record, Use use, const Program& program, const LaunchShape& shape,
                        uint64_t block) {
  Finding::Party party;
  party.use = names[int(use)];
  if (record.instruction() < Record::unknown) {
    const InstructionAt& at = program.instructions[record.instruction()];
    const bool stores = at.code ? at.code->instructions[at.index].opcode.starts_with("ST")
                                : at.function->body[at.index].opcode == "st";
    if (stores) party.use = "store";
    describe_place(program, record.instruction(), party.source, party.instruction);
  }
  party.block = place_in(shape.grid, block);
  party.thread = place_in(shape.block, record.warp() * lanes + record.lane());
  return party;
}

Finding::Party party_of(Record record, Use use, const PastLaunch& launch) {
  Finding::Party party = party_of(record, use, *launch.program, launch.shape,
                                  launch.moments[record.epoch() - launch.first_epoch].block);
  party.kernel = demangle(launch.program->kernel);
  return party;
}

constexpr const char* advice_between_streams =
    "let the later work wait for the earlier one: cudaEventRecord behind that and "
    "cudaStreamWaitEvent before "
    "this, both in one stream, or an edge of the graph";

}  // namespace

Races::Known Races::look_at(const InstructionAt& at) const {
  Known known;
  if (at.code) {
    const sass::Instruction& instruction = at.code->instructions[at.index];
    known.order = role_of(instruction);
    if (begins_atomic(*at.code, at.index)) known.order.scope = Scope::gpu;
    if (!instruction.opcode.starts_with("ST")) return known;
    known.held = 4;
    known.element = instruction.has(".U8") ? 1 : instruction.has(".U16") ? 2 : 4;
    return known;
  }
  if (!at.function) return known;
  const ptx::Instruction& instruction = at.function->body[at.index];
  known.order = role_of(instruction);
  if (instruction.opcode != "st" || instruction.operands.size() < 2) return known;
  const ptx::Operand& from = instruction.operands[1];
  int held = ptx::size_of(instruction.type());
  known.element = uint8_t(held);
  const auto widen = [&](const ptx::Operand& item) {
    if (item.kind == ptx::Operand::Kind::reg)
      held = std::max(held, ptx::size_of(at.function->registers[size_t(item.reg)].type));
  };
  if (from.kind == ptx::Operand::Kind::list)
    std::for_each(from.items.begin(), from.items.end(), widen);
  else
    widen(from);
  known.held = uint8_t(held);
  return known;
}

void Races::begin(const Program& program, const LaunchShape& shape, bool lockstep) {
  order.begin();
  const uint32_t first = order.first_epoch();
  if (first < last_epoch_) {  // epochs begin anew
    shadow_.clear();
    past.clear();
  }
  last_epoch_ = first;
  first_of_use_ = std::min(first, past.first_epoch());
  shape_ = shape;
  lockstep_ = lockstep;
  clustered_ = shape.cluster_size().count() > 1;
  seen_.clear();
  crossed_.clear();
  if (program_ != &program || roles_.size() != program.instructions.size()) {
    roles_.clear();
    for (const InstructionAt& at : program.instructions) roles_.push_back(look_at(at));
    mark_polled(program);
  }
  program_ = &program;
}

void Races::mark_polled(const Program& program) {
  for (const uint32_t load : program.polled)
    if (roles_[load].order.scope == Scope::none) roles_[load].order.scope = Scope::polled;
  for (size_t n = 0; n < roles_.size() && !program.polled.empty(); ++n)
    if (const InstructionAt& at = program.instructions[n]; at.code)
      roles_[n].order.may_set = at.code->instructions[at.index].opcode == "STS";
}

void Races::touch(const Side& side) {
  Shadow::Word word = shadow_.word(side.host);
  if (Shadow::Bytes* bytes = word.bytes()) {
    for (uint32_t b = 0; b < 4; ++b)
      if (side.record.bytes() >> b & 1) touch((*bytes)[b], side);
    return;
  }
  Cell cell = word.load();
  const Record before = side.record.scope() == Scope::none ? cell.write : cell.strong_write;
  const bool leaves_some = (before.bytes() & ~side.record.bytes()) != 0;
  if (side.access.use != Use::load && leaves_some && before.epoch() && !order.is_stale(before) &&
      (before.bits ^ side.record.bits) >> 22) {
    Shadow::Bytes& bytes = word.split();
    for (uint32_t b = 0; b < 4; ++b)
      if (side.record.bytes() >> b & 1) touch(bytes[b], side);
    return;
  }
  touch(cell, side);
  word.store(cell, first_of_use_);
}

void Races::touch(Cell& cell, const Side& side) {
  const bool writes = side.access.use != Use::load;
  if (conflicts(cell.write, side)) {
    if (!writes || !same_value(cell.write, side)) note(cell.write, Use::store, side);
  } else if (conflicts(cell.strong_write, side)) {
    note(cell.strong_write, Use::atomic, side);
  }
  if (!writes) return add_read(cell, side);
  if (conflicts(cell.read, side))
    note(cell.read, Use::load, side);
  else if (conflicts(cell.other_read, side))
    note(cell.other_read, Use::load, side);
  if (side.record.scope() != Scope::none)
    cell.strong_write = side.record;
  else
    cell = {side.record, cell.strong_write, {}, {}};
}

bool Races::conflicts(Record before, const Side& side) {
  if (!before.epoch() || (before.bytes() & side.record.bytes()) == 0) return false;
  if (order.is_stale(before))
    return past.has_launches() && side.access.space == Place::global &&
           std::min(before.scope(), side.record.scope()) != Scope::gpu &&
           past.launch_of(before.epoch());
  const uint64_t block = order.moment(before).block;
  const bool same_block = block == side.access.warp.block->linear;
  if (side.access.space == Place::shared && !same_block && !shares(block, side.access.warp))
    return false;  // of who had it before
  if (before.scope() == Scope::polled || side.record.scope() == Scope::polled) return false;
  const Scope least = std::min(before.scope(), side.record.scope());
  if (least == Scope::gpu || (least == Scope::block && same_block)) return false;
  return !orders(before, side);
}

bool Races::shares(uint64_t block, const Warp& warp) const {
  if (!clustered_) return false;
  const Dim3 size = shape_.cluster_size();
  const auto theirs = place_in(shape_.grid, block),
             mine = place_in(shape_.grid, warp.block->linear);
  return theirs[0] / size.x == mine[0] / size.x && theirs[1] / size.y == mine[1] / size.y &&
         theirs[2] / size.z == mine[2] / size.z;
}

bool Races::orders(Record before, const Side& side) {
  if ((before.bits ^ side.record.bits) >> 22 == 0) return true;
  if (lockstep_ && before.warp() == side.access.warp.index &&
      order.moment(before).block == side.access.warp.block->linear)
    return true;
  return order.before(before, side.access.warp, side.lane);
}

void Races::add_read(Cell& cell, const Side& side) {
  const auto replaced = [&](Record known) {
    return !known.epoch() || (order.is_stale(known) && !past.launch_of(known.epoch())) ||
           ((known.bits ^ side.record.bits) >> 22 == 0) ||
           ((known.bytes() & ~side.record.bytes()) == 0 && orders(known, side));
  };
  if (replaced(cell.read))
    cell.read = side.record;
  else if (replaced(cell.other_read) || order.is_stale(cell.read) ||
           order.moment(cell.read).block == order.moment(cell.other_read).block)
    cell.other_read = side.record;
}

// The value that a lane stores into the word, where it is a plain store of registers.
bool Races::value_of(const Side& side, uint32_t lane, uint32_t& value) const {
  const Operation& operation = side.access.operation;
  const Known& known = roles_[operation.instruction];
  if (side.access.use != Use::store || !known.element) return false;
  const uint32_t element = side.offset / known.element, within = side.offset % known.element;
  const std::byte* at =
      side.access.warp.base + operation.operand[element] + size_t(lane) * known.held + within;
  value = 0;
  std::memcpy(&value, at, std::min<size_t>(4, known.element));
  return true;
}

// Stores of what is there already, or of what another lane of the instruction stores, change nothing.
bool Races::same_value(Record before, const Side& side) const {
  uint32_t mine = 0, there = 0;
  if (!value_of(side, side.lane, mine)) return false;
  const size_t bytes = std::min<size_t>(4, roles_[side.access.operation.instruction].element);
  const uint64_t first = side.host + uint64_t(std::countr_zero(side.record.bytes()));
  std::memcpy(&there, reinterpret_cast<const void*>(first), bytes);
  if (mine == there) return true;
  const bool together =
      before.instruction() == side.record.instruction() && before.epoch() == side.record.epoch() &&
      before.warp() == side.record.warp() && side.access.pattern.mask >> before.lane() & 1;
  return together && value_of(side, before.lane(), there) && mine == there;
}

void Races::note(Record before, Use use_before, const Side& side) {
  const Access& access = side.access;
  const bool shared = access.space == Place::shared;
  const PastLaunch* launch = order.is_stale(before) ? past.launch_of(before.epoch()) : nullptr;
  Finding* found = first(launch ? launch->program.get() : nullptr, access.operation.instruction,
                         before.instruction(), use_before, access.space);
  if (!found) return;
  Finding& finding = *found;
  const Warp& warp = access.warp;
  const LaunchShape& shape = warp.block->machinery->launch->shape;
  finding = finding_of(Fault{shared ? "race_shared" : "race_global", "", 0, side.address,
                             access.operation.instruction, int(side.lane)},
                       *program_, warp);
  if (launch) return note_launch(before, *launch, use_before, finding, side);
  const uint64_t other_block = order.moment(before).block;
  const bool same_block = other_block == warp.block->linear;
  Finding::Party other = party_of(before, use_before, *program_, shape, other_block);
  const std::string where =
      shared ? fmt::format(
                   " at offset {} of shared memory{}", side.address,
                   access.peer ? fmt::format(" of block {} of the cluster", access.peer->rank) : "")
             : ", " + warp.block->machinery->memory->describe(side.address) + ",";
  const bool same_warp = same_block && before.warp() == warp.index;
  finding.what =
      fmt::format("race: the {}{} and the {} by thread ({}){} are in no order",
                  names[int(access.use)], where, other.use, fmt::join(other.thread, ","),
                  same_warp    ? ", of the same warp,"
                  : same_block ? ""
                               : fmt::format(" of block ({})", fmt::join(other.block, ",")));
  const bool same_instruction = before.instruction() == access.operation.instruction;
  finding.advice = advice(same_block, same_warp, same_instruction && access.use == Use::store,
                          shared, side.record.scope(), before.scope());
  finding.other = std::move(other);
}

Finding* Races::first(const void* program, uint32_t mine, uint32_t others, Use use, Place space) {
  const auto [found, is_new] = seen_.try_emplace(
      {program, mine, others, uint8_t(use), uint8_t(space)}, Seen{seen_.size(), {}});
  if (is_new) return &found->second.finding;
  ++found->second.finding.times;
  return nullptr;
}

void Races::note_launch(Record before, const PastLaunch& launch, Use use_before, Finding& finding,
                        const Side& side) const {
  Finding::Party other = party_of(before, use_before, launch);
  finding.what = fmt::format(
      "race: the {}, {}, and the {} of an earlier launch in {} are in no order",
      names[int(side.access.use)],
      side.access.warp.block->machinery->memory->describe(side.address), other.use, launch.stream);
  finding.advice = advice_between_streams;
  finding.other = std::move(other);
}

void Races::see_ranges(const Access& access) {
  const bool writes = access.use != Use::load;
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    for (const PastRange* range : past.ranges()) {
      if (address >= range->end || address + bytes <= range->begin) continue;
      if (!writes && !range->writes) continue;
      Finding* found = first(range->what, access.operation.instruction, Record::unknown,
                             range->writes ? Use::store : Use::load, access.space);
      if (!found) continue;
      *found = finding_of(Fault{"race_global", "", 0, address, access.operation.instruction, lane},
                          *program_, access.warp);
      found->what = fmt::format(
          "race: the {}, {}, and a{} {} of {} bytes in {} are in no order", names[int(access.use)],
          access.warp.block->machinery->memory->describe(address), range->what[0] == 'a' ? "n" : "",
          range->what, range->end - range->begin, range->stream);
      found->other = Finding::Party{.use = range->what};
      found->advice = advice_between_streams;
    }
  });
}

// A copy, a fill, an allocation or a free, against what other streams do.
void Races::touch_range(PastRange range) {
  if (range.begin >= range.end || !range.id) return;
  if (past.has_launches())
    shadow_.each(range.begin, range.end, [&](uint64_t word, const Cell& cell) {
      const uint32_t bytes = bytes_in(word, range.begin, range.end);
      const auto look = [&](Record record, Use use) {
        if (!(record.bytes() & bytes) || !record.epoch()) return;
        if (const PastLaunch* launch = past.launch_of(record.epoch()))
          note_range(record, use, *launch, word, range);
      };
      look(cell.write, Use::store);
      look(cell.strong_write, Use::atomic);
      if (!range.writes) return;
      look(cell.read, Use::load);
      look(cell.other_read, Use::load);
    });
  for (const PastRange* earlier : past.ranges())
    if (earlier->begin < range.end && range.begin < earlier->end &&
        (earlier->writes || range.writes))
      note_range(*earlier, range);
  past.add(std::move(range));
}

void Races::note_range(Record record, Use use, const PastLaunch& launch, uint64_t address,
                       const PastRange& range) {
  Finding* found =
      first(launch.program.get(), Record::unknown, record.instruction(), use, Place::global);
  if (!found) return;
  Finding::Party party = party_of(record, use, launch);
  found->kind = "race_global";
  found->kernel = party.kernel;
  found->source = party.source;
  found->instruction = party.instruction;
  found->block = party.block;
  found->thread = party.thread;
  found->address = address;
  found->what =
      fmt::format("race: the {} of a launch in {} and a{} {} of {} bytes in {} are in no order",
                  party.use, launch.stream, range.what[0] == 'a' ? "n" : "", range.what,
                  range.end - range.begin, range.stream);
  found->other = Finding::Party{.use = range.what};
  found->advice = advice_between_streams;
}

void Races::note_range(const PastRange& earlier, const PastRange& later) {
  Finding* found = first(later.what, Record::unknown, Record::unknown, Use::store, Place::global);
  if (!found) return;
  found->kind = "race_global";
  found->address = std::max(earlier.begin, later.begin);
  found->what = fmt::format(
      "race: a{} {} of {} bytes in {} and a{} {} of {} bytes in {} are in no order",
      later.what[0] == 'a' ? "n" : "", later.what, later.end - later.begin, later.stream,
      earlier.what[0] == 'a' ? "n" : "", earlier.what, earlier.end - earlier.begin, earlier.stream);
  found->advice = advice_between_streams;
}

std::vector<HostPage> Races::host_pages(const std::vector<uint32_t>& work, uint64_t begin,
                                        uint64_t end) const {
  struct Touched {
    uint32_t words = 0, written = 0;
    uint64_t last = ~0ull;
  };
  const auto is_pending = [&](const auto& one) { return std::ranges::binary_search(work, one.id); };
  std::vector<const PastLaunch*> launches;
  for (const PastLaunch& one : past.all_launches())
    if (is_pending(one)) launches.push_back(&one);
  const auto is_theirs = [&](Record record) {
    return std::ranges::any_of(launches, [&](const PastLaunch* one) {
      return record.epoch() >= one->first_epoch && record.epoch() < one->end_epoch;
    });
  };
  std::map<uint64_t, Touched> pages;
  bool tells_itself = false;
  if (!launches.empty())
    shadow_.each(
        begin, end,
        [&](uint64_t word, const Cell& cell) {
          Touched& page = pages[word & ~Shadow::page_mask];
          tells_itself |= is_theirs(cell.strong_write);
          const bool writes = is_theirs(cell.write);
          if (word == page.last ||
              (!writes && !is_theirs(cell.read) && !is_theirs(cell.other_read)))
            return;
          page.last = word;
          ++page.words;
          page.written += writes;
        },
        launches.front()->first_epoch);
  std::vector<HostPage> all;
  if (tells_itself) return all;
  for (uint64_t page = begin & ~Shadow::page_mask; page < end; page += Shadow::page_mask + 1) {
    const uint64_t from = std::max(begin, page), to = std::min(end, page + Shadow::page_mask + 1);
    const uint32_t words = uint32_t((to + 3) / 4 - from / 4);
    const auto found = pages.find(page);
    bool reads = found != pages.end() && found->second.words == words,
         writes = reads && found->second.written == words;
    for (const PastRange& range : past.all_ranges()) {
      if (!is_pending(range) || range.begin > from || range.end < to) continue;
      (range.writes ? writes : reads) = true;
    }
    if (reads || writes) all.push_back({page, writes});
  }
  return all;
}

std::optional<Finding> Races::host_access(const std::vector<uint32_t>& work, uint64_t address,
                                          bool writes) const {
  constexpr const char* advice =
      "wait for the work before the host touches its memory: cudaStreamSynchronize, "
      "cudaDeviceSynchronize, or an event";
  std::optional<Finding> found;
  const auto note = [&](Finding::Party other, const std::string& whose) {
    if (found) return;
    found.emplace();
    found->kind = "race_host";
    found->address = address;
    found->what = fmt::format("race: the host {} memory that the {} {}, and has not waited for it",
                              writes ? "writes" : "reads", other.use, whose);
    found->advice = advice;
    found->other = std::move(other);
  };
  const auto is_pending = [&](const auto& one) { return std::ranges::binary_search(work, one.id); };
  const auto look = [&](Record record, Use use) {
    if (!record.epoch() || !(record.bytes() >> (address & 3) & 1)) return;
    for (const PastLaunch& launch : past.all_launches())
      if (is_pending(launch) && record.epoch() >= launch.first_epoch &&
          record.epoch() < launch.end_epoch) {
        Finding::Party party = party_of(record, use, launch);
        note(party, fmt::format("by {} in {} touches", party.kernel, launch.stream));
      }
  };
  shadow_.each(address, address + 1, [&](uint64_t, const Cell& cell) {
    look(cell.write, Use::store);
    if (!writes) return;
    look(cell.read, Use::load);
    look(cell.other_read, Use::load);
  });
  for (const PastRange& range : past.all_ranges())
    if (is_pending(range) && address >= range.begin && address < range.end &&
        (writes || range.writes))
      note({.use = range.what},
           fmt::format("of {} bytes in {} touches", range.end - range.begin, range.stream));
  return found;
}

void Races::see_crossing(const Warp& warp, uint32_t lane, uint32_t instruction, const char* use,
                         uint64_t begin, uint64_t end) {
  const BlockState& block = *warp.block;
  const auto fence = crossed_.find(&block);
  const bool is_fenced = fence != crossed_.end() && fence->second.block == block.linear;
  const auto look = [&](const Cell& cell) {
    const Record write = cell.write;
    if (!write.epoch() || order.is_stale(write)) return;
    const Order::Moment& then = order.moment(write);
    if (then.block != block.linear || (is_fenced && then.time <= fence->second.time)) return;
    if (write.instruction() < Record::unknown && roles_[write.instruction()].order.copies) return;
    const uint64_t offset = begin - reinterpret_cast<uint64_t>(block.shared);
    Finding* found = first(use, instruction, write.instruction(), Use::load, Place::shared);
    if (!found) return;
    *found = finding_of(
        Fault{"race_proxy",
              fmt::format(
                  "race: the {} may read the bytes at offset {} of shared memory as they were "
                  "before a thread stored them",
                  use, offset),
              0, offset, instruction, int(lane)},
        *program_, warp);
    found->other =
        party_of(write, Use::store, *program_, block.machinery->launch->shape, block.linear);
    found->advice =
        "let those who store make it visible: fence.proxy.async behind their stores, and before "
        "the "
        "barrier that lets the other begin";
  };
  for (uint64_t word = begin; word < end; word += 4) {
    Shadow::Word at = shadow_.word(word);
    if (const Shadow::Bytes* bytes = at.bytes())
      for (const Cell& cell : *bytes) look(cell);
    else
      look(at.load());
  }
}

void Races::end() {
  if (!past.now().id || held_.get() != program_) return;
  std::vector<Order::Moment> moments = order.take_moments();
  const uint32_t first = order.first_epoch(), after = first + uint32_t(moments.size());
  past.add({past.now().id, first, after, held_, shape_, past.now().stream, std::move(moments)});
}

void Races::forget(uint64_t address, uint64_t bytes) {
  shadow_.forget(address, address + bytes);
  past.forget(address, address + bytes);
}

std::vector<Finding> Races::finish() {
  std::vector<Finding> all(seen_.size());
  for (auto& [key, seen] : seen_) all[seen.number] = std::move(seen.finding);
  seen_.clear();
  return all;
}

}  // namespace headroom::sim::check
