// A grid on the machine: blocks start in order, run until they end or their slice is used up; an
// unfinished block waits in the ring of residents while the next one starts. A kernel whose blocks
// wait for one another therefore gets as many residents as the machine has; all others run block
// after block.
#include "sim/simulate.h"

#include <sys/mman.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <deque>

#include "sim/engine.h"
#include "sim/finding_of.h"
#include "sim/machinery.h"
#include "sim/observe.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t slice_runs = 1 << 20;

// Zeroed pages that cost nothing until they are touched: a kernel that may recurse asks for much
// and uses little.
struct Unmap {
  uint64_t bytes = 0;
  void operator()(std::byte* memory) const { munmap(memory, bytes); }
};
using Buffer = std::unique_ptr<std::byte[], Unmap>;
Buffer buffer(uint64_t bytes) {
  const uint64_t size = std::max<uint64_t>(bytes, 64);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error{"", "no memory for the registers, shared and local memory of one more block",
                "raise `ulimit -v`", 126};
  return Buffer(static_cast<std::byte*>(memory), Unmap{size});
}

// A block's state with the memory it stands on; reused for the next block.
struct Slot {
  BlockState block;
  Buffer shared, registers, local;

  Slot(Machinery& machinery, const Program& program, void* observer) {
    const uint32_t warps = uint32_t((machinery.launch->block.count() + lanes - 1) / lanes);
    const uint64_t local_lane = program.facts.local_bytes;
    shared = buffer(machinery.shared_bytes + 64);
    registers = buffer(uint64_t(program.warp_bytes) * warps);
    if (local_lane) local = buffer(local_lane * lanes * warps);
    block.machinery = &machinery;
    block.shared = shared.get();
    block.warps.resize(warps);
    for (uint32_t w = 0; w < warps; ++w) {
      Warp& warp = block.warps[w];
      warp.observer = observer;
      warp.frames.resize(1);
      warp.base = registers.get() + uint64_t(program.warp_bytes) * w;
      std::memcpy(warp.base + program.constants_at, program.constants.data(),
                  program.constants.size());
      warp.local = local ? local.get() + local_lane * lanes * w : nullptr;
      warp.local_stride = local_lane;
    }
  }
  void start(const Program& program, uint64_t linear) {
    const Machinery& machinery = *block.machinery;
    const Launch& launch = *machinery.launch;
    block.linear = linear;
    block.x = unsigned(linear % launch.grid.x);
    block.y = unsigned(linear / launch.grid.x % launch.grid.y);
    block.z = unsigned(linear / launch.grid.x / launch.grid.y);
    block.sm = uint32_t(linear % uint64_t(machinery.limits.sm_count));
    block.barriers = {};
    block.live = uint32_t(launch.block.count());
    std::memset(block.shared, 0,
                machinery.shared_bytes);  // not what a GPU does, but the same every time
    for (uint32_t w = 0; w < block.warps.size(); ++w) start_warp(block.warps[w], program, block, w);
  }
};

// Runs a block until it ends (true) or all its warps have used up their slices.
bool run_block(BlockState& block, const Program& program, const Engine& engine, Observed which,
               const Warp*& running) {
  for (;;) {
    bool moved = false, sliced = false, spins = false;
    for (Warp& warp : block.warps) {
      if (warp.groups.empty()) continue;
      running = &warp;
      const uint64_t before = warp.steps;
      const Turn turn = engine.run_warp[which](warp, program, slice_runs);
      sliced |= turn == Turn::slice;
      spins |= turn == Turn::spins;
      moved |= warp.steps != before && turn != Turn::spins;
    }
    if (block.live == 0) return true;
    if (sliced || (spins && !moved)) return false;  // what they wait for is not done here
    if (!moved) {
      for (Warp& warp : block.warps) {
        for (const Group& group : warp.groups) {
          running = &warp;
          throw Fault{"barrier_deadlock",
                      std::to_string(block.live) +
                          " threads are left and all wait at barriers that not all of them reach: "
                          "a GPU would hang",
                      702,
                      0,
                      barrier_of(warp, group),
                      std::countr_zero(group.mask)};
        }
      }
    }
  }
}

}  // namespace

Outcome simulate(const Program& program, const Launch& launch, Memory& memory, const Limits& limits,
                 const Options& options) {
  const auto begin = Clock::now();
  const Engine& engine = sim::engine();
  Outcome outcome;

  Machinery machinery;
  machinery.program = &program;
  machinery.memory = &memory;
  machinery.limits = limits;
  machinery.launch = &launch;
  machinery.arguments = launch.arguments;
  machinery.arguments.resize(
      (std::max<size_t>(launch.arguments.size(), program.facts.parameter_bytes) + 15) / 16 * 16 +
      16);
  machinery.shared_bytes =
      (launch.dynamic_shared ? program.dynamic_shared_at : program.facts.static_shared) +
      launch.dynamic_shared;
  machinery.recent.resize(program.sites);
  machinery.strayed.resize(program.sites);
  machinery.shapes.resize(program.sites);

  std::unique_ptr<Count> count;
  if (options.count) count = std::make_unique<Count>(program, memory.base(), memory.capacity());
  const Observed which = options.count ? observed : silent;

  const uint64_t blocks = launch.grid.count();
  const uint64_t residents =
      std::max<uint64_t>(1, uint64_t(limits.sm_count) * uint64_t(limits.blocks_per_sm));
  std::vector<std::unique_ptr<Slot>> idle;
  std::deque<std::unique_ptr<Slot>> ring;  // started, not finished
  uint64_t started = 0, finished = 0;
  auto reported = begin;
  std::unique_ptr<Slot> slot;  // outlives a fault: the finding looks at the warp
  const Warp* running = nullptr;
  try {
    while (finished < blocks) {
      if (started < blocks && ring.size() < residents) {
        if (idle.empty()) {
          slot = std::make_unique<Slot>(machinery, program, count.get());
        } else {
          slot = std::move(idle.back());
          idle.pop_back();
        }
        slot->start(program, started++);
      } else {
        slot = std::move(ring.front());
        ring.pop_front();
      }
      if (run_block(slot->block, program, engine, which, running)) {
        ++finished;
        idle.push_back(std::move(slot));
      } else {
        ring.push_back(std::move(slot));
      }
      if (options.progress) {
        const auto now = Clock::now();
        if (now - reported > std::chrono::milliseconds(200)) {
          reported = now;
          options.progress(finished, blocks);
        }
      }
    }
    outcome.completed = true;
  } catch (const Fault& fault) {
    outcome.findings.push_back(finding_of(fault, program, *running));
  }
  outcome.findings.insert(outcome.findings.end(), machinery.strays.begin(), machinery.strays.end());
  if (count) outcome.counters = count->finish(program);
  outcome.printed = std::move(machinery.printed);
  outcome.caveats = program.caveats;
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

const ProgramFacts& facts(const Program& program) { return program.facts; }

}  // namespace headroom::sim
