// One launch, carried out: decoded, executed, bounded, recorded.
#pragma once
#include "device/registry.h"
#include "device/session.h"
#include "record/record.h"

namespace headroom::device {

// A launch to be carried out: now, or as a node of a graph.
struct LaunchWork {
  const void* function = nullptr;  // the host address of a kernel's stub, or its handle
  LaunchShape shape;               // as asked: the kernel's own cluster and carve-out come later
  // Larger clusters than shape.cluster, which they are made of, where there is room.
  std::optional<Dim3> preferred;
  int device = 0;
  std::vector<std::byte> arguments;  // the parameter buffer
  std::vector<uint64_t> offsets;     // of each parameter in it
};

// Where a kernel's parameters lie in its buffer, and how long that is.
std::vector<uint64_t> parameter_offsets(Session&, Kernel&);
uint64_t parameter_bytes(Session&, Kernel&);
// Lays out the arguments, one pointer per parameter, as the kernel's parameters.
void pack(Session&, Kernel&, void** arguments, LaunchWork&);
// The checks before a launch (launch.cpp), then its arguments. What is refused stands in the record.
Status prepare(Session&, Kernel&, const Stream*, void** arguments, LaunchWork&);
// The same with the parameters laid out by the caller; what the buffer lacks is 0.
Status prepare(Session&, Kernel&, const Stream*, std::vector<std::byte> buffer, LaunchWork&);

// What was asked, and what the kernel itself has: its cluster, its carve-out. Throws Failure for a
// cluster that cannot be.
LaunchShape whole_shape(Session&, Kernel&, const LaunchWork&);

// Writes the launch's line to the journal and moves the clock by its floor. A fault of the kernel
// becomes the session's pending error. Throws Failure where the kernel cannot run at all.
Status execute(Session&, const LaunchWork&, const Stream&);

// Records a launch whose kernel cannot run, with the reason as a caveat, and throws the reason on.
[[noreturn]] void refuse(Session&, Kernel&, const LaunchWork&, const Stream*, const Failure&);

}  // namespace headroom::device
