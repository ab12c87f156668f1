// Work that a stream cannot do yet, as a function of the program runs that it comes after: put off, so that
// the call that gave it returns, and done by the thread on which the function ends.
//
//   thread A: cudaLaunchHostFunc(s, f)   f() … … … … over, copies
//   thread B:   cudaMemcpyAsync(…, s)    put off, and goes on: f may wait for it
#pragma once
#include "device/work.h"

namespace headroom::device {

struct Queued {
  Stream* stream;
  Work work;
};

// Whether it may be done later than the call that gave it: a copy of memory that the program may use
// as it likes when the call returns may not, nor one within the host's memory, which the call waits for.
bool can_be_put_off(const Session&, const Work&);
void put_off(Session&, Stream&, Work);
// Does, in the order in which it was given, what nothing stands in the way of any more. What fails is
// the next waiting call's error.
void catch_up(Session&) noexcept;

bool is_put_off(const Session&, const void* event);  // whether a record of it is

}  // namespace headroom::device
