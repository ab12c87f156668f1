// One launch, carried out: decoded, executed, bounded, recorded.
#pragma once
#include "record/record.h"
#include "runtime/launch.h"
#include "runtime/registry.h"
#include "runtime/session.h"

namespace headroom::runtime {

// The configuration has been checked. Writes the launch's line to the journal and moves the clock
// by its floor. A fault of the kernel becomes the session's pending error. Throws Failure where the
// kernel cannot run at all.
void execute(Session&, Kernel&, const Request&);

// Records a launch whose kernel cannot run, with the reason as a caveat, and throws the reason on.
[[noreturn]] void refuse(Session&, const Kernel&, const Request&, const Failure&);

}  // namespace headroom::runtime
