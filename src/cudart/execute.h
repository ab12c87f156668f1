// One launch, carried out: decoded, executed, bounded, recorded.
#pragma once
#include "cudart/registry.h"
#include "cudart/session.h"
#include "cudart/work.h"
#include "record/record.h"

namespace headroom::cudart {

// Where a kernel's parameters lie in its buffer, and how long that is.
std::vector<uint64_t> parameter_offsets(Session&, Kernel&);
uint64_t parameter_bytes(Session&, Kernel&);
// Lays out the arguments, one pointer per parameter, as the kernel's parameters.
void pack(Session&, Kernel&, void** arguments, KernelWork&);

// What was asked, and what the kernel itself has: its cluster, its carve-out. Throws Failure for a
// cluster that cannot be.
LaunchShape whole_shape(Session&, Kernel&, const KernelWork&);

// Writes the launch's line to the journal and moves the clock by its floor. A fault of the kernel
// becomes the session's pending error. Throws Failure where the kernel cannot run at all.
cudaError_t execute(Session&, const KernelWork&, const Stream&);

// Records a launch whose kernel cannot run, with the reason as a caveat, and throws the reason on.
[[noreturn]] void refuse(Session&, Kernel&, const KernelWork&, const Stream*, const Failure&);

}  // namespace headroom::cudart
