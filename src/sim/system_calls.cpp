#include "sim/system_calls.h"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "sim/machinery.h"

namespace headroom::sim {
namespace {

constexpr std::array<std::pair<std::string_view, System>, 4> names = {
    {{"vprintf", System::vprintf}, {"__assertfail", System::assertfail}, {"malloc", System::malloc}, {"free", System::free}}};

// A generic address of one lane -> bytes the host can read; throws Fault if nothing is there.
const std::byte* resolve(const Warp& warp, int lane, uint64_t address, uint64_t bytes, uint32_t instruction) {
  const uint64_t window = address >> 32 << 32, offset = address - window;
  if (window == local_window && offset + bytes <= warp.local_stride) return warp.local + uint64_t(lane) * warp.local_stride + offset;
  if (window == shared_window && offset + bytes <= warp.block->machinery->shared_bytes) return warp.block->shared + offset;
  const Memory::Block* block = warp.block->machinery->memory->find(address);
  if (block && block->contains(address, bytes)) return reinterpret_cast<const std::byte*>(address);
  throw Fault{"illegal_global_load", "a pointer handed to a system call leads nowhere: " + warp.block->machinery->memory->describe(address), 700, address, instruction, lane};
}

std::string text(const Warp& warp, int lane, uint64_t address, uint32_t instruction) {
  std::string out;
  for (; out.size() < (1 << 16); ++address) {
    const char c = char(*resolve(warp, lane, address, 1, instruction));
    if (c == 0) break;
    out += c;
  }
  return out;
}

// printf as CUDA defines it: 4-byte integers, 8-byte long and double, arguments aligned to their size.
std::string formatted(const Warp& warp, int lane, const std::string& format, uint64_t arguments, uint32_t instruction) {
  std::string out;
  uint64_t at = arguments;
  auto take = [&](auto& value) {
    at = (at + sizeof value - 1) / sizeof value * sizeof value;
    std::memcpy(&value, resolve(warp, lane, at, sizeof value, instruction), sizeof value);
    at += sizeof value;
  };
  char buffer[512];
  for (size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      out += format[i++];
      continue;
    }
    size_t end = format.find_first_of("diouxXeEfFgGaAcsp%", i + 1);
    if (end == std::string::npos) {
      out += format.substr(i);
      break;
    }
    std::string spec = format.substr(i, end - i + 1);
    for (size_t star; (star = spec.find('*')) != std::string::npos;) {
      int width = 0;
      take(width);
      spec.replace(star, 1, std::to_string(width));
    }
    const char kind = spec.back();
    const bool wide = spec.find('l') != std::string::npos || spec.find('z') != std::string::npos || spec.find('j') != std::string::npos;
    i = end + 1;
    if (kind == '%') {
      out += '%';
    } else if (kind == 's') {
      uint64_t address = 0;
      take(address);
      std::snprintf(buffer, sizeof buffer, spec.c_str(), text(warp, lane, address, instruction).c_str());
      out += buffer;
    } else if (std::strchr("eEfFgGaA", kind)) {
      double value = 0;
      take(value);
      std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
      out += buffer;
    } else if (kind == 'p') {
      uint64_t value = 0;
      take(value);
      std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
      out += buffer;
    } else if (wide) {
      uint64_t value = 0;
      take(value);
      std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
      out += buffer;
    } else {
      uint32_t value = 0;
      take(value);
      std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
      out += buffer;
    }
  }
  return out;
}

}  // namespace

std::optional<System> system_named(std::string_view function) {
  for (const auto& [name, system] : names) {
    if (name == function) return system;
  }
  return std::nullopt;
}

void call_system(Warp& warp, const Step& step) {
  Machinery& machinery = *warp.block->machinery;
  const SystemCall& call = machinery.program->system_calls[step.extra];
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    auto argument = [&](int n) {
      uint64_t value = 0;
      std::memcpy(&value, warp.base + call.argument[n].at + uint32_t(lane) * call.argument[n].stride, 8);
      return value;
    };
    auto give = [&](uint64_t value, size_t bytes) {
      if (call.result.stride) std::memcpy(warp.base + call.result.at + uint32_t(lane) * call.result.stride, &value, bytes);
    };
    switch (call.which) {
      case System::vprintf: {
        const std::string format = text(warp, lane, argument(0), step.instruction);
        machinery.printed += formatted(warp, lane, format, argument(1), step.instruction);
        give(uint64_t(format.size()), 4);
        break;
      }
      case System::assertfail: {
        const std::string message = text(warp, lane, argument(0), step.instruction), file = text(warp, lane, argument(1), step.instruction),
                          function = text(warp, lane, argument(3), step.instruction);
        const uint32_t line = uint32_t(argument(2));
        throw Fault{"assert", file + ":" + std::to_string(line) + ": " + function + ": Assertion `" + message + "` failed.", 710, 0, step.instruction, lane};
      }
      case System::malloc: {
        const auto address = machinery.memory->allocate(argument(0));
        give(address.value_or(0), 8);
        break;
      }
      case System::free:
        if (argument(0) && !machinery.memory->free(argument(0))) {
          throw Fault{"illegal_free", "free of an address that malloc did not give", 700, argument(0), step.instruction, lane};
        }
        for (Memory::Block& recent : machinery.recent) recent = {};
        break;
    }
  }
}

}  // namespace headroom::sim
