// What the timing loops of Python frameworks ask, in place of repeating a launch until enough time has gone by
// (python/headroom/timing_loops.py): functions of our own, which no API has.
//
//   before = headroom_busy_seconds();  launch();  after = headroom_busy_seconds();  headroom_timing_loop();
#include "cudart/api.h"
#include "device/enter.h"

using namespace headroom::device;

#pragma GCC visibility push(default)
extern "C" {

// What all launches and copies so far take on the machine: of launches predicted times, floors where there are none.
double headroom_busy_seconds() {
  double seconds = 0;
  enter(Need::facts, [&](Session& session) {
    seconds = session.busy;
    return Status::ok;
  });
  return seconds;
}

// One was answered: the report tells how many.
void headroom_timing_loop() {
  enter(Need::facts, [](Session& session) {
    session.journal.timing_loop();
    return Status::ok;
  });
}
}
#pragma GCC visibility pop
