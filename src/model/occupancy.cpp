#include "model/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "kernel/toolkit.h"

namespace headroom {
namespace {

constexpr int warp_size = 32;
constexpr uint64_t kibi = 1024;

int whole(const Fact& fact) { return int(std::lround(*fact)); }
uint64_t kibibytes(double value) { return uint64_t(value * kibi); }
uint64_t ceil_to(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }
uint64_t floor_to(uint64_t value, uint64_t unit) { return value / unit * unit; }
uint64_t shared_of(const BlockShape& shape) {
  constexpr uint64_t more_than_any = uint64_t(1) << 62;  // keeps the sum from wrapping round
  return std::min(shape.static_shared, more_than_any) +
         std::min(shape.dynamic_shared, more_than_any);
}
int warps_of(int threads) { return (threads - 1) / warp_size + 1; }

// What a resource allows, and why; `impossible` says why even one block is too much.
struct Allowance {
  std::optional<int> blocks;
  std::string arithmetic, impossible;
};

Allowance by_threads(const Machine& machine, const BlockShape& shape) {
  int slots = whole(machine.max_threads_per_sm), most = whole(machine.max_threads_per_block);
  if (shape.threads > most)
    return {0, fmt::format("{} > {} per block", shape.threads, most),
            fmt::format("{} threads per block, the machine allows {}", shape.threads, most)};
  if (const int bound = shape.max_threads.value_or(most); shape.threads > bound)
    return {0, fmt::format("{} > {} of __launch_bounds__", shape.threads, bound),
            fmt::format("{} threads per block, the kernel's __launch_bounds__ allow {}",
                        shape.threads, bound)};
  int blocks = slots / shape.threads;
  return {blocks, fmt::format("{} / {} = {}", slots, shape.threads, blocks)};
}

Allowance by_warps(const Machine& machine, const BlockShape& shape) {
  int slots = whole(machine.max_warps_per_sm), warps = warps_of(shape.threads),
      blocks = slots / warps;
  return {blocks, fmt::format("{} / ceil({} / {}) = {}", slots, shape.threads, warp_size, blocks)};
}

Allowance by_blocks(const Machine& machine) {
  int slots = whole(machine.max_blocks_per_sm);
  return {slots, fmt::format("{} slots", slots)};
}

// cc 1.x: a block takes its registers as a whole, for an even number of warps.
Allowance by_registers_of_blocks(const Machine& machine, int threads, int registers) {
  uint64_t unit = whole(machine.register_allocation_unit), file = whole(machine.registers_per_sm);
  uint64_t granularity = whole(machine.warp_allocation_granularity);
  uint64_t warps = ceil_to(warps_of(threads), granularity);
  uint64_t block = ceil_to(warps * warp_size * registers, unit);
  int blocks = int(file / block);
  Allowance result{blocks, fmt::format("{} / ceil({} warps · {} · {}, {}) = {}", file, warps,
                                       warp_size, registers, unit, blocks)};
  if (!blocks)
    result.impossible = fmt::format("{} registers per block, the machine has {}", block, file);
  return result;
}

// Later: warps take registers, in sub-partitions that each hold an equal part of them.
Allowance by_registers_of_warps(const Machine& machine, int threads, int registers) {
  uint64_t unit = whole(machine.register_allocation_unit), file = whole(machine.registers_per_sm);
  uint64_t granularity = whole(machine.warp_allocation_granularity);
  uint64_t per_block = uint64_t(machine.registers_per_block.value_or(double(file)));
  uint64_t warp = ceil_to(uint64_t(registers) * warp_size, unit), warps = warps_of(threads);
  // The launch check counts as if every sub-partition took the same number of warps. On cc 6.0,
  // which has two, it counts four: what its siblings with four cannot run, it must not run either.
  uint64_t checked = machine.cc() == 60 ? 4 : granularity;
  if (uint64_t block = warp * ceil_to(warps, checked); block > per_block)
    return {0, fmt::format("{} · {} = {} > {}", warp, ceil_to(warps, checked), block, per_block),
            fmt::format("{} threads of {} registers take {} registers, a block may have {}",
                        threads, registers, block, per_block)};
  uint64_t resident = floor_to(file / warp, granularity);
  int blocks = int(resident / warps);
  return {blocks,
          fmt::format("floor({} / ceil({} · {}, {}), {}) / {} = {} / {} = {}", file, registers,
                      warp_size, unit, granularity, warps, resident, warps, blocks)};
}

Allowance by_registers(const Machine& machine, const BlockShape& shape) {
  if (!shape.registers) return {std::nullopt, "unknown"};
  int registers = *shape.registers, most = whole(machine.max_registers_per_thread);
  if (registers == 0) return {std::nullopt, "none used"};
  if (registers > most)
    return {0, fmt::format("{} > {} per thread", registers, most),
            fmt::format("{} registers per thread, the machine allows {}", registers, most)};
  return machine.register_allocation_scope == "block"
             ? by_registers_of_blocks(machine, shape.threads, registers)
             : by_registers_of_warps(machine, shape.threads, registers);
}

// The carve-out: the preferred size rounded up to one the machine has. A block that needs more gets
// it: the next size up from Volta on, all there is before.
uint64_t shared_available(const Machine& machine, const BlockShape& shape, uint64_t block) {
  const uint64_t all = kibibytes(*machine.shared_per_sm);
  const auto at_least = [&](uint64_t bytes) { return carveout_for(machine, bytes); };
  if (!shape.carveout) return all;
  double wanted = *shape.carveout > 0 ? std::min(*shape.carveout, *machine.shared_per_sm) : 0;
  uint64_t preferred = at_least(kibibytes(wanted));
  if (preferred >= block) return preferred;
  return machine.cc_major() >= 7 ? at_least(block) : all;
}

Allowance by_shared(const Machine& machine, const BlockShape& shape) {
  if (shape.static_shared_unknown && shape.dynamic_shared == 0) return {std::nullopt, "unknown"};
  uint64_t unit = whole(machine.shared_allocation_unit),
           reserved = whole(machine.shared_reserved_per_block);
  uint64_t used = shared_of(shape), most = kibibytes(*machine.shared_per_block);
  uint64_t block = ceil_to(used + reserved, unit);
  if (block == 0) return {std::nullopt, "none used"};
  std::string sum = reserved ? fmt::format("{} + {}", used, reserved) : fmt::format("{}", used);
  if (block > most + reserved)
    return {0, fmt::format("{} > {} per block", used, most),
            fmt::format("{} bytes of shared memory per block, the machine allows {}", used, most)};
  uint64_t available = shared_available(machine, shape, block);
  int blocks = int(available / block);
  return {blocks,
          fmt::format("{}{} / ceil({}, {}) = {}", shape.static_shared_unknown ? "at most " : "",
                      available, sum, unit, blocks)};
}

struct SmResource {
  const char* name;
  Allowance (*allow)(const Machine&, const BlockShape&);
};
constexpr SmResource resources[] = {
    {"threads", by_threads},
    {"warps", by_warps},
    {"blocks", [](const Machine& machine, const BlockShape&) { return by_blocks(machine); }},
    {"registers", by_registers},
    {"shared memory", by_shared},
};

// Resident blocks alone, without the words.
int blocks_of(const Machine& machine, const BlockShape& shape) {
  int blocks = INT_MAX;
  for (const SmResource& resource : resources)
    blocks = std::min(blocks, resource.allow(machine, shape).blocks.value_or(INT_MAX));
  return blocks;
}

int blocks_by(const SmResource& resource, const Machine& machine, const BlockShape& shape) {
  return resource.allow(machine, shape).blocks.value_or(INT_MAX);
}

// The largest of from, from - step, … > 0 with which the resource admits `wanted` blocks; 0: none.
// If a value is admitted, so is every smaller one: bisection.
template <class Change>
int largest_admitted(int from, int step, int wanted, const SmResource& resource,
                     const Machine& machine, const BlockShape& shape, Change change) {
  int refused = -1, admitted = from > 0 ? (from - 1) / step + 1 : 0;  // in steps below `from`
  const int none = admitted;
  while (admitted - refused > 1) {
    int middle = refused + (admitted - refused) / 2;
    BlockShape changed = shape;
    change(changed, from - middle * step);
    (blocks_by(resource, machine, changed) >= wanted ? admitted : refused) = middle;
  }
  return admitted == none ? 0 : from - admitted * step;
}

// The shape after the least change of this resource, and what the change is called.
struct Relief {
  BlockShape shape;
  std::string change;
};

std::optional<Relief> relieve(const SmResource& resource, const Machine& machine,
                              const BlockShape& shape, int blocks) {
  Relief relief{shape, ""};
  std::string_view name = resource.name;
  if (name == "blocks") {
    // No more blocks than there are slots: larger blocks hold the warps that more blocks would.
    int warps = (whole(machine.max_warps_per_sm) + blocks - 1) / blocks;
    relief.shape.threads = warps * warp_size;
    if (relief.shape.threads <= shape.threads) return std::nullopt;
    relief.change = fmt::format("threads ≥ {}", relief.shape.threads);
  } else if (name == "threads" || name == "warps") {
    int below = (warps_of(shape.threads) - 1) * warp_size;
    auto set = [](BlockShape& changed, int threads) { changed.threads = threads; };
    relief.shape.threads =
        largest_admitted(below, warp_size, blocks + 1, resource, machine, shape, set);
    if (!relief.shape.threads) return std::nullopt;
    relief.change = fmt::format("threads ≤ {}", relief.shape.threads);
  } else if (name == "registers") {
    auto set = [](BlockShape& changed, int registers) { changed.registers = registers; };
    int most = largest_admitted(*shape.registers - 1, 1, blocks + 1, resource, machine, shape, set);
    if (!most) return std::nullopt;
    relief.shape.registers = most;
    relief.change = fmt::format("registers ≤ {}", most);
  } else {
    // Shared memory is the sum of two; only the sum matters here.
    int unit = whole(machine.shared_allocation_unit),
        reserved = whole(machine.shared_reserved_per_block);
    int most_used = int(kibibytes(*machine.shared_per_sm));
    int used = int(std::min<uint64_t>(shared_of(shape), most_used));
    int below = int(floor_to(used + reserved - 1, unit)) - reserved;
    auto set = [](BlockShape& changed, int bytes) {
      changed.static_shared = 0, changed.dynamic_shared = bytes;
    };
    int most = largest_admitted(below, unit, blocks + 1, resource, machine, shape, set);
    if (!most) return std::nullopt;
    set(relief.shape, most);
    relief.change = fmt::format("shared memory ≤ {} B", most);
  }
  return relief;
}

}  // namespace

uint64_t carveout_for(const Machine& machine, uint64_t bytes) {
  for (const double size : machine.shared_carveouts)
    if (kibibytes(size) >= bytes) return kibibytes(size);
  return kibibytes(machine.shared_per_sm.value_or(0));
}

Occupancy occupancy(const Machine& machine, const BlockShape& shape) {
  Occupancy result;
  result.max_warps = whole(machine.max_warps_per_sm);
  if (shape.threads < 1) {
    result.impossible =
        fmt::format("{} threads per block, a block needs at least 1", shape.threads);
    return result;
  }
  if (shape.registers && *shape.registers < 0) {
    result.impossible = fmt::format("{} registers per thread", *shape.registers);
    return result;
  }
  int blocks = INT_MAX;
  for (const SmResource& resource : resources) {
    Allowance allowed = resource.allow(machine, shape);
    if (result.impossible.empty()) result.impossible = allowed.impossible;
    result.limits.push_back({resource.name, allowed.blocks, allowed.arithmetic, "", 0, 0});
    if (allowed.blocks) blocks = std::min(blocks, *allowed.blocks);
  }
  result.blocks = blocks;
  result.warps = blocks * warps_of(shape.threads);
  result.fraction = double(result.warps) / result.max_warps;

  for (size_t i = 0; i < result.limits.size(); ++i) {
    OccupancyLimit& limit = result.limits[i];
    if (limit.blocks != blocks) continue;
    result.limiters.push_back(limit.resource);
    auto relief = relieve(resources[i], machine, shape, blocks);
    if (!relief) continue;
    limit.relief = relief->change;
    limit.relief_blocks = blocks_of(machine, relief->shape);
    limit.relief_fraction =
        double(limit.relief_blocks) * warps_of(relief->shape.threads) / result.max_warps;
  }
  if (!shape.registers)
    result.caveats.push_back(
        {shape.static_shared_unknown ? "the occupancy leaves registers and static shared memory out"
                                     : "the occupancy leaves registers out",
         shape.static_shared_unknown ? "what the kernel takes of them is unknown"
                                     : "their number per thread is unknown",
         shape.static_shared_unknown ? "" : fmt::format("{}: ptxas tells it", get_the_toolkit)});
  return result;
}

void set_static_shared(BlockShape& shape, const Resources& resources) {
  shape.static_shared = uint64_t(resources.static_shared.value_or(0));
  shape.static_shared_unknown = !resources.static_shared;
}

BlockShape block_of(const Machine& machine, const LaunchShape& launch, const Resources& resources) {
  BlockShape shape;
  shape.threads = int(launch.block.count());
  shape.registers = resources.registers;
  shape.max_threads = resources.max_threads;
  set_static_shared(shape, resources);
  shape.dynamic_shared = launch.dynamic_shared;
  if (launch.carveout && machine.shared_per_sm)
    shape.carveout = *machine.shared_per_sm * *launch.carveout / 100;
  return shape;
}

Occupancy occupancy_of(const Machine& machine, const LaunchShape& launch,
                       const Resources& resources) {
  return occupancy(machine, block_of(machine, launch, resources));
}

PotentialBlock max_potential_block(const Machine& machine, BlockShape shape,
                                   const std::function<uint64_t(int)>& shared_for_threads,
                                   int block_limit) {
  int limit = whole(machine.max_threads_per_block);
  if (block_limit > 0) limit = std::min(limit, block_limit);
  PotentialBlock best;
  int most_threads = 0;
  for (int aligned = int(ceil_to(limit, warp_size)); aligned > 0; aligned -= warp_size) {
    shape.threads = std::min(limit, aligned);
    shape.dynamic_shared = shared_for_threads ? shared_for_threads(shape.threads) : 0;
    int blocks = blocks_of(machine, shape);
    if (blocks * shape.threads <= most_threads) continue;
    most_threads = blocks * shape.threads;
    best = {shape.threads, blocks * whole(machine.sm_count)};
  }
  return best;
}

}  // namespace headroom
