// The names of a launch's states, as the record and JSON write them.
#include "record/launch.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

constexpr std::array<std::string_view, 5> names{"not_executed", "refused", "stopped", "ran",
                                                "measured"};

}  // namespace

std::string_view name_of(State state) { return names[size_t(state)]; }

std::optional<State> state_of(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return State(found - names.begin());
}

}  // namespace headroom
