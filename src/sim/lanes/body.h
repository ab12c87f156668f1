// The execution body for one observer: what an engine compiles for each of them, and what a test
// compiles for one of its own.
//
//   const Body silent_body = body_of<Silent>;
#pragma once
#include "sim/lanes/access.h"
#include "sim/lanes/run.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

template <Observer O>
constexpr Body body_of{&choose_access<O>, &guarded<O>, &run_warp<O>, counts_guarded<O>};

}  // namespace
}  // namespace headroom::sim::HEADROOM_ISA
