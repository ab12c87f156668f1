// Calls of device functions: frames, parameters, recursion, and calls through a register.
//
// Lanes that call together share a frame. Those that enter a function from two places do not meet
// in it, as on a GPU, where a function's end is another place for each of them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

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

// Parameters are read before a recursive call's frame is taken over or given back, written after.
std::vector<std::byte> read(const Warp& warp, const std::vector<Copy>& copies, uint32_t mask) {
  std::vector<std::byte> bytes;
  for (const Copy& copy : copies) {
    for (uint32_t left = mask; left; left &= left - 1) {
      const std::byte* from =
          warp.base + copy.from + uint32_t(std::countr_zero(left)) * copy.from_stride;
      bytes.insert(bytes.end(), from, from + copy.bytes);
    }
  }
  return bytes;
}

void write(Warp& warp, const std::vector<Copy>& copies, uint32_t mask, const std::byte* next) {
  for (const Copy& copy : copies) {
    for (uint32_t left = mask; left; left &= left - 1, next += copy.bytes) {
      std::memcpy(warp.base + copy.to + uint32_t(std::countr_zero(left)) * copy.to_stride, next,
                  copy.bytes);
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

// A frame of machine code takes 16 bytes at least.
uint64_t call_depth(const Limits& limits) {
  return std::max<uint64_t>(max_call_depth, limits.stack_bytes / 16);
}

Fault overflow(const Warp& warp, uint32_t instruction, const std::string& what) {
  return {"stack_overflow", what, 719, 0, instruction, std::countr_zero(warp.mask)};
}

// A place for a frame: one that all lanes have left, or a new one.
uint32_t free_frame(Warp& warp) {
  for (uint32_t f = 1; f < warp.frames.size(); ++f) {
    if (warp.frames[f].live == 0) return f;
  }
  warp.frames.emplace_back();
  return uint32_t(warp.frames.size() - 1);
}

void drop_empty_frames(Warp& warp) {
  while (warp.frames.back().live == 0 && warp.frames.back().depth > 0) warp.frames.pop_back();
  std::erase_if(warp.convergence_barriers, [&](const ConvergenceBarrier& at) {
    return at.frame >= warp.frames.size() || (at.frame && warp.frames[at.frame].live == 0);
  });
}

void enter(Warp& warp, const Program& program, uint32_t group, uint32_t basic_block,
           uint32_t site) {
  const CallSite& to = program.basic_blocks[basic_block].callees[site];
  const DecodedFunction& callee = program.functions[to.function];
  const uint32_t instruction = program.basic_blocks[basic_block].instruction,
                 mask = warp.groups[group].mask;
  Frame frame;
  {
    const Frame& caller = warp.frames[warp.groups[group].frame];
    frame.depth = caller.depth + 1;
    frame.local_base = caller.local_base + program.functions[caller.function].local_bytes;
  }
  if (const uint64_t deepest = call_depth(warp.block->machinery->limits); frame.depth >= deepest)
    throw overflow(warp, instruction,
                   "calls nest deeper than " + std::to_string(deepest) +
                       ": the stack of a GPU would overflow");
  if (frame.local_base + callee.local_bytes > warp.local_bytes)
    throw overflow(warp, instruction, "the thread's local memory is used up by nested calls");
  frame.function = to.function;
  frame.parent = warp.groups[group].frame;
  frame.call_basic_block = basic_block;
  frame.call_site = site;
  frame.live = mask;
  const std::vector<std::byte> arguments = read(warp, to.arguments, mask);
  if (recursive(warp, frame.parent, to.function)) {
    const std::byte* now = warp.base + callee.frame_at;
    frame.saved.assign(now, now + callee.frame_bytes);
  }
  write(warp, to.arguments, mask, arguments.data());
  const uint32_t at = free_frame(warp);
  warp.frames[at] = std::move(frame);
  warp.groups[group].frame = at;
  warp.groups[group].basic_block = callee.entry;
}

// Which of a call's callees stands at an address.
uint32_t callee_at(const Program& program, const BasicBlock& basic_block, uint64_t address,
                   int lane) {
  const auto found = program.function_at.find(address);
  if (found == program.function_at.end())
    throw Fault{"illegal_call",
                "a call to an address that is no function's",
                718,
                address,
                basic_block.instruction,
                lane};
  for (uint32_t site = 0; site < basic_block.callees.size(); ++site) {
    if (basic_block.callees[site].function == found->second) return site;
  }
  throw Fault{"illegal_call",
              "a call of " + program.functions[found->second].source->name +
                  ", whose parameters are not those of the call",
              718,
              address,
              basic_block.instruction,
              lane};
}

}  // namespace

void call(Warp& warp, const Program& program, uint32_t group, uint32_t at) {
  const BasicBlock& basic_block = program.basic_blocks[at];
  if (basic_block.predicate == no_operand) return enter(warp, program, group, at, 0);
  const auto* address = reinterpret_cast<const uint64_t*>(warp.base + basic_block.predicate);
  for (uint32_t left = warp.groups[group].mask; left;) {
    const int lane = std::countr_zero(left);
    uint32_t same = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1)
      same |= uint32_t(address[std::countr_zero(rest)] == address[lane]) << std::countr_zero(rest);
    const uint32_t site = callee_at(program, basic_block, address[lane], lane);
    left &= ~same;
    if (left == 0) return enter(warp, program, group, at, site);
    split(warp, group, same, at, at, basic_block.next);
    enter(warp, program, uint32_t(warp.groups.size() - 1), at, site);
  }
}

void ret(Warp& warp, const Program& program, uint32_t group, uint32_t mask) {
  Frame& frame = warp.frames[warp.groups[group].frame];
  if (frame.depth == 0) {  // ret in a kernel ends the thread
    leave(warp, group, mask);
    return;
  }
  if (mask != warp.groups[group].mask) part(warp, group, at_return);
  const BasicBlock& basic_block = program.basic_blocks[frame.call_basic_block];
  const CallSite& from = basic_block.callees[frame.call_site];
  const std::vector<std::byte> results = read(warp, from.results, mask);
  if (!frame.saved.empty()) {
    const DecodedFunction& function = program.functions[frame.function];
    copy_columns(function, warp.base + function.frame_at, frame.saved.data(), mask);
  }
  write(warp, from.results, mask, results.data());
  frame.live &= ~mask;
  Group back = warp.groups[group];
  back.mask = mask;
  back.frame = frame.parent;
  back.basic_block = basic_block.next;
  if ((warp.groups[group].mask &= ~mask) == 0)
    warp.groups[group] = back;
  else
    warp.groups.push_back(back);
  drop_empty_frames(warp);
}

void leave_frames(Warp& warp, uint32_t frame, uint32_t mask) {
  for (; warp.frames[frame].depth > 0; frame = warp.frames[frame].parent)
    warp.frames[frame].live &= ~mask;
  drop_empty_frames(warp);
}

}  // namespace headroom::sim
