#include "sim/stack.h"

#include <algorithm>
#include <bit>
#include <string>

#include "sim/machinery.h"

namespace headroom::sim {
namespace {

constexpr uint64_t set_apart = 16;  // bytes above what can be taken

uint64_t top(const Warp& warp) { return warp.local_bytes - set_apart; }

uint64_t& taken(Warp& warp, int lane) {
  return *reinterpret_cast<uint64_t*>(warp.local + uint64_t(lane) * warp.local_stride + top(warp));
}

uint64_t& value(Warp& warp, uint32_t operand, int lane) {
  return reinterpret_cast<uint64_t*>(warp.base + operand)[lane];
}

}  // namespace

uint64_t stack_bytes(const Limits& limits) { return std::max(least_stack, limits.stack_bytes); }

uint64_t local_bytes_of_lane(const Program& program, const Limits& limits) {
  return program.facts.local_bytes +
         (program.facts.grows_stack ? stack_bytes(limits) - least_stack : 0);
}

bool takes_stack(const ptx::Function& function) {
  return std::any_of(
      function.body.begin(), function.body.end(), [](const ptx::Instruction& instruction) {
        return instruction.opcode == "alloca" || instruction.opcode.starts_with("stack");
      });
}

bool uses_stack(const Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [](const DecodedFunction& f) { return takes_stack(*f.source); });
}

void begin_stack(Warp& warp, const Operation&) {
  each_lane(warp, [&](int lane) { taken(warp, lane) = 0; });
}

void take_stack(Warp& warp, const Operation& operation) {
  each_lane(warp, [&](int lane) {
    const uint64_t size = value(warp, operation.operand[1], lane);
    const uint64_t left = stack_bytes(warp.block->machinery->limits) - taken(warp, lane);
    if (size > left || left - size < operation.extra - 1)
      throw Fault{"stack_overflow",
                  "alloca of " + std::to_string(size) + " bytes, where a thread's stack has " +
                      std::to_string(left) + " left",
                  719,
                  std::nullopt,
                  operation.instruction,
                  lane};
    const uint64_t at = (top(warp) - taken(warp, lane) - size) / operation.extra * operation.extra;
    taken(warp, lane) = top(warp) - at;
    value(warp, operation.operand[0], lane) = at;
  });
}

void save_stack(Warp& warp, const Operation& operation) {
  each_lane(warp, [&](int lane) {
    value(warp, operation.operand[0], lane) = top(warp) - taken(warp, lane);
  });
}

void restore_stack(Warp& warp, const Operation& operation) {
  each_lane(warp, [&](int lane) {
    const uint64_t at = value(warp, operation.operand[0], lane);
    if (at > top(warp) || top(warp) - at > taken(warp, lane))
      throw Fault{"stack_overflow",
                  "stackrestore of what no stacksave gave: " + std::to_string(at),
                  719,
                  std::nullopt,
                  operation.instruction,
                  lane};
    taken(warp, lane) = top(warp) - at;
  });
}

}  // namespace headroom::sim
