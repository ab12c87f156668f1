#include "sim/system_calls.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "sim/machinery.h"
#include "sim/spaces.h"

namespace headroom::sim {
namespace {

constexpr std::array<std::pair<std::string_view, System>, 4> names = {
    {{"vprintf", System::vprintf},
     {"__assertfail", System::assertfail},
     {"malloc", System::malloc},
     {"free", System::free}}};

std::string text(const Warp& warp, int lane, uint64_t address, uint32_t instruction) {
  std::string out;
  for (; out.size() < (1 << 16); ++address) {
    const char c = char(*resolve_generic(warp, lane, address, 1, "load", instruction));
    if (c == 0) break;
    out += c;
  }
  return out;
}

// One conversion as the host's printf writes it, however long it gets.
template <class T>
std::string converted(const std::string& spec, T value) {
  std::string out(size_t(std::max(0, std::snprintf(nullptr, 0, spec.c_str(), value))) + 1, 0);
  std::snprintf(out.data(), out.size(), spec.c_str(), value);
  out.pop_back();
  return out;
}

struct Formatted {
  std::string text;
  int arguments = 0;
};

// printf as CUDA defines it: 4-byte integers, 8-byte long and double, arguments aligned to their
// size.
Formatted formatted(const Warp& warp, int lane, const std::string& format, uint64_t arguments,
                    uint32_t instruction) {
  Formatted out;
  uint64_t next = arguments;
  auto take = [&]<class T>(T value) {
    next = (next + sizeof value - 1) / sizeof value * sizeof value;
    std::memcpy(&value, resolve_generic(warp, lane, next, sizeof value, "load", instruction),
                sizeof value);
    next += sizeof value;
    ++out.arguments;
    return value;
  };
  for (size_t i = 0; i < format.size();) {
    const size_t end =
        format[i] == '%' ? format.find_first_of("diouxXeEfFgGaAcsp%", i + 1) : std::string::npos;
    if (end == std::string::npos) {
      out.text += format[i++];
      continue;
    }
    std::string spec = format.substr(i, end - i + 1);
    for (size_t star; (star = spec.find('*')) != std::string::npos;)
      spec.replace(star, 1, std::to_string(take(int())));
    const char kind = spec.back();
    const bool wide = spec.find_first_of("lzj") != std::string::npos;
    i = end + 1;
    if (kind == '%')
      out.text += '%';
    else if (kind == 's')
      out.text += converted(spec, text(warp, lane, take(uint64_t()), instruction).c_str());
    else if (std::strchr("eEfFgGaA", kind))
      out.text += converted(spec, take(double()));
    else if (kind == 'p')
      out.text += converted("0x%llx", static_cast<unsigned long long>(take(uint64_t())));
    else if (wide)
      out.text += converted(spec, take(uint64_t()));
    else
      out.text += converted(spec, take(uint32_t()));
  }
  return out;
}

void print(const Warp& warp, const std::string& text) {
  std::vector<Printed>& printed = warp.block->machinery->printed;
  if (printed.empty() || printed.back().block != warp.block->linear)
    printed.push_back({warp.block->linear, {}});
  printed.back().text += text;
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
      case System::vprintf: {
        const std::string format = text(warp, lane, argument(0), operation.instruction);
        const Formatted line = formatted(warp, lane, format, argument(1), operation.instruction);
        print(warp, line.text);
        give(uint64_t(line.arguments), 4);
        break;
      }
      case System::assertfail: {
        const std::string message = text(warp, lane, argument(0), operation.instruction),
                          file = text(warp, lane, argument(1), operation.instruction),
                          function = text(warp, lane, argument(3), operation.instruction);
        const uint32_t line = uint32_t(argument(2));
        throw Fault{"assert",
                    file + ":" + std::to_string(line) + ": " + function + ": Assertion `" +
                        message + "` failed.",
                    710,
                    0,
                    operation.instruction,
                    lane};
      }
      case System::malloc: {
        const auto address = machinery.memory->allocate(argument(0));
        give(address.value_or(0), 8);
        break;
      }
      case System::free:
        if (argument(0) && !machinery.memory->free(argument(0))) {
          throw Fault{"illegal_free",
                      "free of an address that malloc did not give",
                      700,
                      argument(0),
                      operation.instruction,
                      lane};
        }
        for (Memory::Block& recent : machinery.recent) recent = {};
        break;
    }
  }
}

}  // namespace headroom::sim
