// Functions a kernel calls that no PTX defines: vprintf, __assertfail, malloc, free. They work on
// the parameter blocks of the caller's frame, a lane at a time.
#pragma once
#include <optional>
#include <string_view>

#include "sim/program.h"

namespace headroom::sim {

std::optional<System> system_named(std::string_view function);

void call_system(Warp&, const Operation&);  // Operation::extra indexes Program::system_calls

}  // namespace headroom::sim
