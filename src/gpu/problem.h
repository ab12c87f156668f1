// What the library in the program could not do, as an Error: where, what, what to do.
#pragma once
#include <string>

#include "base/error.h"
#include "gpu/trace.h"

namespace headroom {

Error explain_problem(const trace::Problem&, const std::string& text);

}  // namespace headroom
