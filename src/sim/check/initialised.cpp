#include "sim/check/initialised.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "record/launch.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim::check {
namespace {

using Kind = Flow::Kind;
constexpr uint32_t pause = 32;  // basic blocks between two looks whether all is written again

uint64_t host_of(const Access& access, int lane, uint64_t address) {
  const Warp& warp = access.warp;
  if (access.space == Place::shared)
    return reinterpret_cast<uint64_t>(access.owner().shared) + address;
  if (access.space == Place::local)
    return reinterpret_cast<uint64_t>(warp.local) + uint64_t(lane) * warp.local_stride + address;
  return address;
}

bool is_of_memory(Place space) {
  return space == Place::global || space == Place::shared || space == Place::local;
}

const char* advice(Place space) {
  switch (space) {
    case Place::shared: return "shared memory has no value when a block begins: store to it first";
    case Place::local: return "give the variable its values where it is declared";
    default: return "write it first: cudaMemset or a copy behind the allocation, or a store";
  }
}

}  // namespace

void Initialised::begin(const Program& program, bool follows) {
  blocks_.clear();
  recent_ = nullptr;
  origins_.clear();
  origin_of_.clear();
  follows_ = follows;
  if (program_ == &program && loads_.size() == program.basic_blocks.size()) return;
  program_ = &program;
  flows_.clear();
  flows_.resize(program.instructions.size());
  loads_.clear();
  for (const BasicBlock& basic_block : program.basic_blocks) {
    const auto begin = program.operations.begin() + basic_block.first,
               end = program.operations.begin() + basic_block.last;
    loads_.push_back(std::any_of(begin, end, [](const Operation& operation) {
      return operation.accesses && (operation.place == Place::generic ||
                                    (operation.use != Use::store && is_of_memory(operation.place)));
    }));
  }
}

void Initialised::start(const BlockState& block) {
  const Machinery& machinery = *block.machinery;
  const uint64_t shared = reinterpret_cast<uint64_t>(block.shared);
  if (machinery.shared_bytes) memory.assign(shared, shared + machinery.shared_bytes, unwritten);
  if (!program_->facts.local_bytes) return;
  for (const Warp& warp : block.warps) {
    const uint64_t local = reinterpret_cast<uint64_t>(warp.local);
    memory.assign(local, local + warp.local_stride * lanes, unwritten);
  }
}

Initialised::OfBlock& Initialised::find(const BlockState& block) {
  OfBlock& mine = blocks_[&block];
  if (mine.linear != block.linear) {
    mine.linear = block.linear;
    mine.warps.clear();
    mine.warps.resize(block.warps.size());
    mine.entered.assign(block.warps.size(), 0);
    start(block);
  }
  recent_ = &block;
  recent_block_ = &mine;
  return mine;
}

const Flow& Initialised::flow(uint32_t instruction) {
  auto& slot = flows_[instruction];
  if (!slot) slot = std::make_unique<Flow>(flow_of(*program_, instruction));
  return *slot;
}

bool Initialised::steps(const Warp& warp, uint32_t basic_block) {
  if (!follows_) return false;
  OfBlock& block = of(*warp.block);
  auto& values = block.warps[warp.index];
  last_step_ = ~0u;
  if (!values) return loads_[basic_block];
  if (++block.entered[warp.index] % pause == 0 && values->all_written()) values = nullptr;
  return true;
}

void Initialised::step(const Warp& warp, const Operation& operation) {
  Values* values = values_of(warp).get();
  const uint32_t instruction = operation.instruction;
  if (!values || instruction == last_step_) return;
  last_step_ = instruction;
  const Flow& what = flow(instruction);
  uint32_t mask = warp.mask;
  const bool reaches = what.kind == Kind::loads || what.kind == Kind::stores ||
                       what.kind == Kind::modifies || what.kind == Kind::copies_memory;
  for (const Part& guard : what.guards) {
    each_lane(warp, [&](int l) {
      const uint32_t lane = uint32_t(l);
      const Level level = values->of(guard, lane);
      if (level && reaches) tell(level, "branch it decides", instruction, warp, lane);
      if (level && !reaches)
        for (const Part& to : what.to) values->set(to, lane, Level(level | is_computed));
      if (level || !value_of(guard, warp, lane)) mask &= ~(1u << lane);
    });
  }
  for (const Part& address : what.address)
    for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t lane = uint32_t(std::countr_zero(left));
      const Level level = values->of(address, lane);
      if (!level) continue;
      tell(level, "address it is part of", instruction, warp, lane);
      values->set(address, lane, 0);
    }
  // The result of an atomic may lie where its operand lay: modify() comes between.
  if (what.kind != Kind::modifies) values->pass(what, warp, mask);
}

bool Initialised::all_written(const Access& access) {
  constexpr int64_t near = 1 << 14;
  const AccessPattern& pattern = access.pattern;
  if (access.space != Place::local && !access.lane_bytes && pattern.high - pattern.low < near) {
    const uint64_t low = host_of(access, 0, access.first + uint64_t(pattern.low));
    return !memory.any(low, uint64_t(pattern.high - pattern.low) + pattern.bytes);
  }
  bool all = true;
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    all = all && !memory.any(host_of(access, lane, address), bytes);
  });
  return all;
}

void Initialised::see(const Access& access) {
  if (!is_of_memory(access.space)) return;
  if (!follows_) {
    if (access.space != Place::global || access.use == Use::load) return;
    return access.each([&](int, uint64_t address, uint64_t bytes) {
      memory.assign(address, address + bytes, written);
    });
  }
  if (access.peer) of(*access.peer);  // its memory has no value before it begins
  if (!values_of(access.warp) && flow(access.operation.instruction).kind != Kind::copies_memory &&
      all_written(access))
    return;
  switch (access.use) {
    case Use::load: return load(access);
    case Use::store: return store(access);
    case Use::atomic: return modify(access);
  }
}

// The number of the load, whose first place is kept; those beyond the last number share it.
Level Initialised::origin(const Access& access, uint32_t lane, uint64_t address) {
  const uint32_t instruction = access.operation.instruction;
  auto [known, is_new] = origin_of_.try_emplace(instruction, Level(0));
  if (!is_new) return known->second;
  if (origins_.size() < most_origins) {
    const std::string where =
        access.space == Place::shared ? fmt::format("at offset {} of shared memory", address)
        : access.space == Place::local
            ? "from local memory"
            : "from device memory, " + access.warp.block->machinery->memory->describe(address) +
                  ",";
    Origin origin;
    origin.finding =
        finding_of(Fault{"uninitialised",
                         fmt::format("uninitialised: the {} {} has bytes that were never written",
                                     access.use == Use::load ? "load" : "atomic", where),
                         0, address, instruction, int(lane)},
                   *program_, access.warp);
    origin.finding.advice = advice(access.space);
    origins_.push_back(std::move(origin));
  }
  return known->second = Level(origins_.size());
}

void Initialised::load(const Access& access) {
  const Flow& what = flow(access.operation.instruction);
  if (what.kind == Kind::copies_memory) {
    access.each([&](int lane, uint64_t address, uint64_t bytes) {
      for (uint64_t b = 0; b < std::min<uint64_t>(bytes, 16); ++b)
        moved_[size_t(lane)][b] = memory.at(address + b);
    });
    return;
  }
  if (what.kind != Kind::loads || !what.element) return;
  access.each([&](int l, uint64_t address, uint64_t bytes) {
    const uint32_t lane = uint32_t(l);
    const uint64_t host = host_of(access, l, address);
    if (!memory.any(host, bytes)) return;
    auto& values = values_of(access.warp);
    if (!values) values = std::make_unique<Values>(program_->warp_bytes);
    for (uint32_t b = 0; b < bytes && b / what.element < what.to.size(); ++b) {
      Level level = memory.at(host + b);
      if (level == written) continue;
      if (level == unwritten) level = origin(access, lane, address);
      const Part& to = what.to[b / what.element];
      values->set(to, lane, b % what.element, level);
      if (what.is_signed && b % what.element == what.element - 1u)
        for (uint32_t more = what.element; more < to.bytes; ++more)
          values->set(to, lane, more, level);
    }
  });
}

void Initialised::store(const Access& access) {
  const Flow& what = flow(access.operation.instruction);
  const auto& values = values_of(access.warp);
  if (!values && what.kind == Kind::stores && access.space != Place::local && !access.lane_bytes &&
      access.pattern.layout == HostAddresses::contiguous) {
    const uint64_t begin = host_of(access, 0, access.first);
    return memory.assign(begin, begin + uint64_t(access.pattern.bytes) * lanes, written);
  }
  access.each([&](int l, uint64_t address, uint64_t bytes) {
    const uint32_t lane = uint32_t(l);
    const uint64_t host = host_of(access, l, address);
    if (what.kind == Kind::copies_memory) {
      for (uint64_t b = 0; b < std::min<uint64_t>(bytes, 16); ++b) {
        memory.set(host + b, moved_[lane][b]);
        moved_[lane][b] = written;
      }
      return;
    }
    if (!values || what.kind != Kind::stores || !what.element)
      return memory.assign(host, host + bytes, written);
    size_t told = what.from.size();  // of the values stored, each once, by any byte of it
    for (uint32_t b = 0; b < bytes; ++b) {
      const size_t n = b / what.element;
      const Level level =
          n < what.from.size() ? values->byte(what.from[n], lane, b % what.element) : Level(0);
      const bool is_result = access.space == Place::global && level & is_computed;
      // A later launch knows no load of this one.
      const bool stays = access.space == Place::global;
      memory.set(host + b, is_result ? written : level && stays ? unwritten : level);
      if (is_result && n != told)
        tell(level, "store of what follows from it", access.operation.instruction, access.warp,
             lane);
      if (is_result) told = n;
    }
  });
}

void Initialised::modify(const Access& access) {
  const uint32_t instruction = access.operation.instruction;
  const Flow& what = flow(instruction);
  access.each([&](int l, uint64_t address, uint64_t bytes) {
    const uint32_t lane = uint32_t(l);
    const uint64_t host = host_of(access, l, address);
    Level data = 0;
    if (const auto& values = values_of(access.warp)) {
      for (const Part& part : what.from) data = both(data, values->of(part, lane));
      for (const Part& part : what.to) values->set(part, lane, 0);
    }
    if (memory.any(host, bytes)) {
      Level number = memory.at(host);
      for (uint64_t b = 0; b < bytes && (!number || number == unwritten); ++b)
        number =
            memory.at(host + b) == unwritten ? origin(access, lane, address) : memory.at(host + b);
      if (!what.only_exchanges) {
        tell(number, nullptr, instruction, access.warp, lane);
      } else if (!what.to.empty()) {
        auto& mine = values_of(access.warp);
        if (!mine) mine = std::make_unique<Values>(program_->warp_bytes);
        mine->set(what.to[0], lane, number);
      }
    }
    if (data && !what.only_exchanges)
      tell(data, "atomic that takes it", instruction, access.warp, lane);
    memory.assign(host, host + bytes, what.only_exchanges && data ? unwritten : written);
  });
}

void Initialised::see(const Copied& copied) {
  if (copied.use == Use::load) return;
  uint64_t begin = copied.address;
  if (copied.space == Place::shared) {
    if (!follows_) return;
    begin += reinterpret_cast<uint64_t>(copied.owner().shared);
    if (copied.peer) of(*copied.peer);
  }
  memory.assign(begin, begin + copied.bytes, written);
}

void Initialised::see(const Taken& taken) {
  if (!follows_ || taken.basic_block.predicate == no_operand) return;
  Values* values = values_of(taken.warp).get();
  if (!values) return;
  const uint32_t instruction = taken.basic_block.instruction;
  for (const Part& guard : flow(instruction).guards)
    each_lane(taken.warp, [&](int lane) {
      const Level level = values->of(guard, uint32_t(lane));
      if (!level) return;
      tell(level, "branch it decides", instruction, taken.warp, uint32_t(lane));
      values->set(guard, uint32_t(lane), 0);
    });
}

void Initialised::see(const Ended& ended) {
  if (follows_ && !(ended.warp.live & ~ended.mask)) values_of(ended.warp) = nullptr;
}

void Initialised::tell(Level level, const char* use, uint32_t instruction, const Warp& warp,
                       uint32_t lane) {
  Origin& origin = origins_[size_t(level & ~is_computed) - 1];
  Finding& finding = origin.finding;
  if (origin.is_told) {
    ++finding.times;
    return;
  }
  origin.is_told = true;
  if (!use) return;
  Finding::Party other;
  other.use = use;
  describe_place(*program_, instruction, other.source, other.instruction);
  const Finding here =
      finding_of(Fault{"", "", 0, std::nullopt, instruction, int(lane)}, *program_, warp);
  other.block = here.block;
  other.thread = here.thread;
  finding.other = std::move(other);
}

std::vector<Finding> Initialised::finish() {
  std::vector<Finding> all;
  for (Origin& origin : origins_)
    if (origin.is_told) all.push_back(std::move(origin.finding));
  origins_.clear();
  blocks_.clear();
  recent_ = nullptr;
  return all;
}

}  // namespace headroom::sim::check
