#include "sim/system_calls.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sim/check/checker.h"
#include "sim/machinery.h"
#include "sim/printf.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

constexpr std::array<std::pair<std::string_view, System>, 4> names = {
    {{"vprintf", System::vprintf},
     {"__assertfail", System::assertfail},
     {"malloc", System::malloc},
     {"free", System::free}}};

constexpr uint64_t longest_text = 1 << 16;

std::string text(const Warp& warp, int lane, uint64_t address, uint32_t instruction,
                 uint64_t limit = longest_text) {
  std::string out;
  for (; out.size() < std::min(limit, longest_text); ++address) {
    const char c = char(*resolve_generic(warp, lane, address, 1, "load", instruction));
    if (c == 0) break;
    out += c;
  }
  return out;
}

// Arguments lie one after the other, aligned to their size: 4-byte integers, 8-byte long and double.
int print(Warp& warp, int lane, uint64_t format, uint64_t arguments, uint32_t instruction) {
  uint64_t next = arguments;
  PrintfArguments from;
  from.take = [&](int bytes) {
    const uint64_t size = uint64_t(bytes);
    next = (next + size - 1) / size * size;
    uint64_t value = 0;
    std::memcpy(&value, resolve_generic(warp, lane, next, size, "load", instruction), size);
    next += size;
    return value;
  };
  from.text = [&](uint64_t address, uint64_t limit) {
    return text(warp, lane, address, instruction, limit);
  };
  const Formatted line = format_printf(text(warp, lane, format, instruction), from);
  warp.block->machinery->printed.add(warp.block->linear, line.text);
  return line.arguments;
}

}  // namespace

std::optional<System> system_named(std::string_view function) {
  for (const auto& [name, system] : names) {
    if (name == function) return system;
  }
  return std::nullopt;
}

void call_system(Warp& warp, const Operation& operation) {
  Machinery& machinery = *warp.block->machinery;
  const SystemCall& call = machinery.program->system_calls[operation.extra];
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    auto argument = [&](int n) {
      uint64_t value = 0;
      std::memcpy(&value,
                  warp.base + call.argument[n].at + uint32_t(lane) * call.argument[n].stride, 8);
      return value;
    };
    auto give = [&](uint64_t value, size_t bytes) {
      if (call.result.stride)
        std::memcpy(warp.base + call.result.at + uint32_t(lane) * call.result.stride, &value,
                    bytes);
    };
    switch (call.which) {
      case System::vprintf:
        give(uint64_t(print(warp, lane, argument(0), argument(1), operation.instruction)), 4);
        break;
      case System::assertfail: {
        const std::string message = text(warp, lane, argument(0), operation.instruction),
                          file = text(warp, lane, argument(1), operation.instruction),
                          function = text(warp, lane, argument(3), operation.instruction);
        const uint32_t line = uint32_t(argument(2));
        throw Fault{"assert",
                    file + ":" + std::to_string(line) + ": " + function + ": Assertion `" +
                        message + "` failed.",
                    710,
                    std::nullopt,
                    operation.instruction,
                    lane};
      }
      case System::malloc: {
        const auto address = machinery.memory->allocate_heap(argument(0), machinery.limits.device,
                                                             machinery.limits.heap_bytes);
        give(address.value_or(0), 8);
        if (address && machinery.checker) machinery.checker->allocated(*address, argument(0));
        break;
      }
      case System::free:
        if (argument(0) && !machinery.memory->free_heap(argument(0))) {
          throw Fault{"illegal_free",
                      "free of an address that malloc of a kernel did not give: " +
                          machinery.memory->describe(argument(0)),
                      700,
                      argument(0),
                      operation.instruction,
                      lane};
        }
        for (Memory::Block& recent : machinery.recent) recent = {};
        break;
      case System::grid_handle:
      case System::grid_sync: break;  // operations of their own
    }
  }
}

}  // namespace headroom::sim
