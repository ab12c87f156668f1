#include "sim/warp.h"

#include <bit>
#include <cstring>

#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim {
namespace {

uint32_t depth(const Warp& warp, const Group& group) { return warp.frames[group.frame].depth; }

// Deeper calls first, so that lanes come back together; then the lowest counter.
bool before(const Warp& warp, const Group& a, const Group& b) {
  const uint32_t deep_a = depth(warp, a), deep_b = depth(warp, b);
  return deep_a != deep_b ? deep_a > deep_b : a.run < b.run;
}

void remove(Warp& warp, uint32_t group) {
  warp.groups[group] = warp.groups.back();
  warp.groups.pop_back();
  warp.current = 0;
}

void release(BlockState& block, uint32_t id) {
  Barrier& barrier = block.barriers[id];
  barrier.result_count = barrier.count;
  barrier.result_total = barrier.total;
  barrier.arrived = barrier.count = barrier.total = barrier.expected = 0;
  barrier.by_warp = {};
  for (Warp& warp : block.warps) {
    for (Group& group : warp.groups) {
      if (group.state == Group::waiting && group.barrier == id) group.state = Group::ready;
    }
  }
}

// An expected count is in whole warps: lanes that ended, or never were, arrive with the others of
// their warp.
bool complete(const BlockState& block, const Barrier& barrier) {
  if (barrier.arrived == 0) return false;
  if (barrier.expected == 0) return barrier.arrived >= block.live;
  uint32_t arrived = 0;
  for (const Warp& warp : block.warps) {
    const uint32_t here = barrier.by_warp[warp.index];
    if (here) arrived += uint32_t(std::popcount(here | ~warp.live));
  }
  return arrived >= barrier.expected;
}

constexpr const char* places[] = {"global", "const", "shared", "local", "param", "param", "global"};
constexpr const char* uses[] = {"load", "store", "atomic"};

std::string access_name(Place place, Use use) {
  return std::string(places[int(place)]) + "_" + uses[int(use)];
}
std::string access_words(const Step& step, Place place, Use use) {
  return std::to_string(step.bytes) + "-byte " + places[int(place)] + " " + uses[int(use)];
}

Fault illegal_access(const Warp& warp, const Step& step, Place place, Use use, uint64_t address,
                     int lane) {
  const Machinery& machinery = *warp.block->machinery;
  const bool device = place == Place::global || place == Place::constant;
  const uint64_t size = place == Place::shared  ? machinery.shared_bytes
                        : place == Place::local ? warp.local_stride
                                                : machinery.arguments.size();
  const std::string where =
      device ? machinery.memory->describe(address)
             : "offset " + std::to_string(address) + " of " + std::to_string(size) + " bytes";
  return {"illegal_" + access_name(place, use),
          access_words(step, place, use) + ": " + where,
          device ? 700 : 719,
          address,
          step.instruction,
          lane};
}

// The columns of some lanes, from one copy of a function's frame to another.
void copy_columns(const DecodedFunction& function, std::byte* to, const std::byte* from,
                  uint32_t mask) {
  for (const Columns& columns : function.columns) {
    for (uint32_t n = 0; n < columns.count; ++n) {
      const uint32_t at =
          columns.at - function.frame_at + n * (columns.bytes ? columns.bytes * lanes : 4);
      if (columns.bytes == 0) {
        uint32_t old, now;
        std::memcpy(&old, to + at, 4);
        std::memcpy(&now, from + at, 4);
        now = (old & ~mask) | (now & mask);
        std::memcpy(to + at, &now, 4);
        continue;
      }
      for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t column = at + uint32_t(std::countr_zero(left)) * columns.bytes;
        std::memcpy(to + column, from + column, columns.bytes);
      }
    }
  }
}

// True if the function is already at work for this activation's lanes.
bool recursive(const Warp& warp, uint32_t frame, uint32_t function) {
  for (;; frame = warp.frames[frame].parent) {
    if (warp.frames[frame].function == function) return true;
    if (warp.frames[frame].depth == 0) return false;
  }
}

}  // namespace

int pick(Warp& warp) {
  std::vector<Group>& groups = warp.groups;
  if (groups.size() == 1) {
    if (groups[0].state == Group::converging)
      groups[0].state = Group::ready;  // nobody else can come
    return groups[0].state == Group::ready ? 0 : -1;
  }
  const uint32_t n = uint32_t(groups.size());
  if (n == 0) return -1;
  if (warp.current < n &&
      groups[warp.current].spins >= patience) {  // it has gone round long enough
    groups[warp.current].spins = 0;
    for (uint32_t k = 1; k < n; ++k) {
      const uint32_t other = (warp.current + k) % n;
      if (groups[other].state == Group::ready) return int(warp.current = other);
    }
  }
  int best = -1;
  for (uint32_t g = 0; g < n; ++g) {
    if (groups[g].state == Group::ready &&
        (best < 0 || before(warp, groups[g], groups[uint32_t(best)])))
      best = int(g);
  }
  if (best < 0) {  // nobody can move: who waits for lanes that cannot come goes on with those that
                   // are here
    for (uint32_t g = 0; g < n; ++g) {
      if (groups[g].state == Group::converging &&
          (best < 0 || before(warp, groups[g], groups[uint32_t(best)])))
        best = int(g);
    }
    if (best >= 0) {
      groups[uint32_t(best)].state = Group::ready;
      groups[uint32_t(best)].forced = true;
    }
  }
  if (best >= 0) warp.current = uint32_t(best);
  return best;
}

uint32_t meeting_point(const Warp& warp, uint32_t group) {
  uint32_t lowest = ~0u;
  if (warp.groups.size() == 1) return lowest;
  const Group& mine = warp.groups[group];
  for (uint32_t g = 0; g < warp.groups.size(); ++g) {
    const Group& other = warp.groups[g];
    if (g != group && other.frame == mine.frame && other.state != Group::waiting &&
        other.run > mine.run && other.run < lowest) {
      lowest = other.run;
    }
  }
  return lowest;
}

void merge(Warp& warp) {
  std::vector<Group>& groups = warp.groups;
  for (uint32_t a = 0; a < groups.size(); ++a) {
    if (groups[a].state == Group::waiting) continue;
    for (uint32_t b = a + 1; b < groups.size();) {
      if (groups[b].state != Group::waiting && groups[a].run == groups[b].run &&
          groups[a].frame == groups[b].frame) {
        groups[a].mask |= groups[b].mask;
        groups[a].spins = std::max(groups[a].spins, groups[b].spins);
        groups[a].state = Group::ready;  // if it waits for lanes, it looks again
        if (warp.current == b) warp.current = a;
        if (warp.current == groups.size() - 1) warp.current = b;
        groups[b] = groups.back();
        groups.pop_back();
      } else {
        ++b;
      }
    }
  }
}

void split(Warp& warp, uint32_t group, uint32_t taken, uint32_t target, uint32_t next) {
  Group other = warp.groups[group];
  other.mask = taken;
  other.run = target;
  warp.groups[group].mask &= ~taken;
  warp.groups[group].run = next;
  warp.groups.push_back(other);
}

bool converged(Warp& warp, uint32_t group, uint32_t members) {
  Group& mine = warp.groups[group];
  if ((members & warp.live & ~mine.mask) == 0 || mine.forced) {
    mine.forced = false;
    return true;
  }
  mine.state = Group::converging;
  return false;
}

void leave(Warp& warp, uint32_t group, uint32_t mask) {
  warp.live &= ~mask;
  warp.groups[group].mask &= ~mask;
  if (warp.groups[group].mask == 0) remove(warp, group);
  BlockState& block = *warp.block;
  block.live -= uint32_t(std::popcount(mask));
  for (uint32_t id = 0; id < block.barriers.size(); ++id) {
    if (block.live > 0 && complete(block, block.barriers[id])) release(block, id);
  }
  for (Group& other : warp.groups) {
    if (other.state == Group::converging) other.state = Group::ready;  // fewer lanes to wait for
  }
}

void call(Warp& warp, const Program& program, uint32_t group, uint32_t function, uint32_t run) {
  const DecodedFunction& callee = program.functions[function];
  const Frame& caller = warp.frames[warp.groups[group].frame];
  if (caller.depth + 1 >= max_call_depth) {
    throw Fault{"stack_overflow",
                "calls nest deeper than 1 000: the stack of a GPU would overflow",
                719,
                0,
                program.runs[run].instruction,
                std::countr_zero(warp.mask)};
  }
  Frame frame;
  frame.function = function;
  frame.parent = warp.groups[group].frame;
  frame.depth = caller.depth + 1;
  frame.call_run = run;
  frame.live = warp.groups[group].mask;
  frame.local_base = caller.local_base + program.functions[caller.function].local_bytes;
  if (frame.local_base + callee.local_bytes > warp.local_stride) {
    throw Fault{"stack_overflow",
                "the thread's local memory is used up by nested calls",
                719,
                0,
                program.runs[run].instruction,
                std::countr_zero(warp.mask)};
  }
  // The arguments are read before a recursive call's frame is taken over, written after.
  const Run& site = program.runs[run];
  std::vector<std::byte> arguments;
  for (const Copy& copy : site.arguments) {
    for (uint32_t left = frame.live; left; left &= left - 1) {
      const std::byte* from =
          warp.base + copy.from + uint32_t(std::countr_zero(left)) * copy.from_stride;
      arguments.insert(arguments.end(), from, from + copy.bytes);
    }
  }
  if (recursive(warp, warp.groups[group].frame, function)) {
    const std::byte* now = warp.base + callee.frame_at;
    frame.saved.assign(now, now + callee.frame_bytes);
  }
  const std::byte* next = arguments.data();
  for (const Copy& copy : site.arguments) {
    for (uint32_t left = frame.live; left; left &= left - 1) {
      std::memcpy(warp.base + copy.to + uint32_t(std::countr_zero(left)) * copy.to_stride, next,
                  copy.bytes);
      next += copy.bytes;
    }
  }
  warp.frames.push_back(std::move(frame));
  warp.groups[group].frame = uint32_t(warp.frames.size() - 1);
  warp.groups[group].run = callee.entry;
}

void ret(Warp& warp, const Program& program, uint32_t group, uint32_t mask) {
  Frame& frame = warp.frames[warp.groups[group].frame];
  if (frame.depth == 0) {  // ret in a kernel ends the thread
    leave(warp, group, mask);
    return;
  }
  const Run& run = program.runs[frame.call_run];
  std::vector<std::byte> results;
  for (const Copy& copy : run.results) {
    for (uint32_t left = mask; left; left &= left - 1) {
      const std::byte* from =
          warp.base + copy.from + uint32_t(std::countr_zero(left)) * copy.from_stride;
      results.insert(results.end(), from, from + copy.bytes);
    }
  }
  if (!frame.saved.empty()) {
    const DecodedFunction& function = program.functions[frame.function];
    copy_columns(function, warp.base + function.frame_at, frame.saved.data(), mask);
  }
  const std::byte* next = results.data();
  for (const Copy& copy : run.results) {
    for (uint32_t left = mask; left; left &= left - 1) {
      std::memcpy(warp.base + copy.to + uint32_t(std::countr_zero(left)) * copy.to_stride, next,
                  copy.bytes);
      next += copy.bytes;
    }
  }
  frame.live &= ~mask;
  Group back = warp.groups[group];
  back.mask = mask;
  back.frame = frame.parent;
  back.run = run.next;
  if ((warp.groups[group].mask &= ~mask) == 0)
    warp.groups[group] = back;
  else
    warp.groups.push_back(back);
  while (warp.frames.back().live == 0 && warp.frames.back().depth > 0) {
    warp.frames.pop_back();
  }
}

bool arrive(Warp& warp, uint32_t group, uint32_t id, uint32_t threads, bool waits,
            uint32_t predicate) {
  BlockState& block = *warp.block;
  if (id >= block.barriers.size()) {
    throw Fault{"illegal_barrier",
                "barrier " + std::to_string(id) + ": an SM has 16 barriers",
                719,
                0,
                barrier_of(warp, warp.groups[group]),
                std::countr_zero(warp.mask)};
  }
  Barrier& barrier = block.barriers[id];
  const uint32_t arriving = uint32_t(std::popcount(warp.mask));
  barrier.expected = threads;
  barrier.arrived += arriving;
  barrier.total += arriving;
  barrier.by_warp[warp.index] |= warp.mask;
  barrier.count += uint32_t(std::popcount(predicate));
  if (waits) {
    warp.groups[group].state = Group::waiting;
    warp.groups[group].barrier = id;
  }
  if (complete(block, barrier)) release(block, id);
  // Lanes of the warp that were let go here run on with this group, so it goes back to be picked.
  return warp.groups[group].state == Group::ready && warp.groups.size() == 1;
}

uint32_t barrier_of(const Warp& warp, const Group& group) {
  return warp.block->machinery->program->runs[group.run - 1].instruction;
}

void start_warp(Warp& warp, const Program& program, BlockState& block, uint32_t index) {
  const Launch& launch = *block.machinery->launch;
  const uint64_t threads = launch.block.count(), first = uint64_t(index) * lanes;
  const uint32_t mask = threads - first >= lanes ? all_lanes : (1u << (threads - first)) - 1;
  warp.block = &block;
  warp.index = index;
  warp.live = mask;
  warp.current = 0;
  warp.steps = 0;
  warp.frames.resize(1);
  warp.frames[0].live = mask;
  warp.groups.assign(1, Group{});
  warp.groups[0].mask = mask;
  warp.groups[0].run = program.functions[0].entry;
  fill_specials(warp, program);
}

void check_global(Warp& warp, const Step& step, Place place, Use use,
                  const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const uint64_t bytes = step.bytes;
  const Memory::Block* found = nullptr;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = machinery.memory->find(address[lane]);
    if (found && found->contains(address[lane], bytes) && address[lane] % bytes == 0) continue;
    found = nullptr;
    if (address[lane] % bytes || !machinery.memory->mapped(address[lane], bytes))
      refuse_access(warp, step, place, use, address);
    if (!machinery.strayed[step.site]) {  // once an instruction
      machinery.strayed[step.site] = true;
      machinery.strays.push_back({finding_of(
          illegal_access(warp, step, place, use, address[lane], lane), *machinery.program, warp)});
      machinery.strays.back().cuda_error = 0;
      machinery.strays.back().kind = "out_of_bounds_" + access_name(place, use);
      machinery.strays.back().what += "; a GPU lets it pass, as the page of memory is mapped";
    }
  }
  if (found) machinery.recent[step.site] = *found;
}

void refuse_access(Warp& warp, const Step& step, Place place, Use use,
                   const LaneAddresses& address) {
  Machinery& machinery = *warp.block->machinery;
  const bool device = place == Place::global || place == Place::constant;
  const uint64_t size = place == Place::shared  ? machinery.shared_bytes
                        : place == Place::local ? warp.local_stride
                                                : machinery.arguments.size();
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t a = address[lane];
    const Memory::Block* block = device ? machinery.memory->find(a) : nullptr;
    const bool legal = device ? (block && block->contains(a, step.bytes)) ||
                                    machinery.memory->mapped(a, step.bytes)
                              : a < size && size - a >= step.bytes;
    if (!legal) throw illegal_access(warp, step, place, use, a, lane);
    if (a % step.bytes) {
      throw Fault{"misaligned_" + access_name(place, use),
                  access_words(step, place, use) + " at an address that is no multiple of " +
                      std::to_string(step.bytes),
                  716,
                  a,
                  step.instruction,
                  lane};
    }
  }
  throw Fault{
      "illegal_access", "an access outside its space", 700, address[0], step.instruction, 0};
}

}  // namespace headroom::sim
