// What messages, the record and JSON call extents and states of a launch.
#include "record/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headroom {
namespace {

constexpr std::array<std::string_view, 5> names{"not_executed", "refused", "stopped", "ran",
                                                "measured"};
constexpr std::array<std::string_view, 2> engines{"ptx", "machine"};

}  // namespace

std::string name_of(Dim3 d) { return fmt::format("{}×{}×{}", d.x, d.y, d.z); }

std::string_view name_of(State state) { return names[size_t(state)]; }

std::optional<State> state_of(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return State(found - names.begin());
}

std::string_view name_of(Engine engine) { return engines[size_t(engine)]; }

std::optional<Engine> engine_of(std::string_view name) {
  const auto found = std::ranges::find(engines, name);
  if (found == engines.end()) return std::nullopt;
  return Engine(found - engines.begin());
}

}  // namespace headroom
