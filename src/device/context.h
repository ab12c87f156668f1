// Whose a stream, an event, a module or memory is: that of a device's primary context, or of one that the program
// created on it. All contexts of a device share its addresses; what was made in one lives as long as it.
//
//   driver: cuCtxCreate(&own, …)          current_context() == {0, own}
//   stream.context == current_context()   made in it
#pragma once

namespace headroom::device {

struct Session;
enum class Status : int;

struct Context {
  int device = 0;
  const void* created = nullptr;  // null: the primary one
  bool operator==(const Context&) const = default;
};

// Of this thread: on its device.
Context current_context();
// That of the thread's stack of contexts, which counts while its device is the thread's.
Context& chosen_context();

// Of a handle that is none: that its context has ended, where it is an event's or an array's.
Status no_such(const Session&, const void* handle);
// All that was made in a created context goes with it: streams, events, modules, arrays, device memory.
void end_context(Session&, const Context&);

}  // namespace headroom::device
