// A launch under an observer of one's own: on one host thread, so that events come in order.
//
//   Recorder recorder;                                    // any Observer (observer.h)
//   const Body body = avx2::body_of<Recorder>;            // its execution body (lanes/body.h)
//   simulate(*program, launch, memory, limits, {}, body, AnyObserver(recorder));
#pragma once
#include "sim/engine.h"
#include "sim/observer.h"
#include "sim/simulate.h"

namespace headroom::sim {

// The body must outlive the program, which keeps its operations bound to it.
Outcome simulate(const Program&, const Launch&, Memory&, const Limits&, const Options&, const Body&,
                 AnyObserver);

}  // namespace headroom::sim
