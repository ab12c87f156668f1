// Streams that are being captured: what is given to them is written down as nodes of a graph instead of
// done, so no call may wait for it. A call that would is refused, and spoils the capture: its stream
// is told when the capture ends.
//
//   begin_capture(session, stream, CaptureMode::global, nullptr, {})
//   enqueue(session, &stream, …)                a node more
//   end_capture(session, stream, graph)         the graph, which the program holds from now on
#pragma once
#include <set>
#include <thread>

#include "device/graph/graph.h"
#include "device/session.h"

namespace headroom::device {

enum class CaptureMode : int { global, of_thread, relaxed };  // both faces number them so

// One capture sequence: the stream it began on, and those that joined it through events.
struct Capture {
  uint64_t id = 0;
  CaptureMode mode = CaptureMode::global;
  std::thread::id thread;
  Stream* origin = nullptr;
  std::set<Stream*> streams;
  std::vector<Node*> left;  // where streams ended that were destroyed since
  Graph* graph = nullptr;
  std::unique_ptr<Graph> own;  // null: it goes into a graph of the program's
  bool spoilt = false, ended = false;
};

// Into a graph of the program's after nodes of it, or into a new one.
Status begin_capture(Session&, Stream&, CaptureMode, Graph* into, std::vector<Node*> after);
Status end_capture(Session&, Stream&, Graph*& out);
void stop_capture(Session&, Capture&);  // its streams work again
// A stream that is destroyed, or whose capture's stream of origin is.
void leave_capture(Session&, Stream&);

// The calls about events that mean a capture, if their stream or their event is in one. `external`:
// the event's own time, as a node.
Status record_event(Session&, Stream&, const void* event, bool external);
Status follow_event(Session&, Stream&, const void* event, bool external);

// All throw Failure, and spoil the captures in question.
void refuse_capture(Session&, Stream&, const char* call);  // waits for, or asks about, this stream
void refuse_captures(Session&, const char* call);          // … about the device
void refuse_unsafe(Session&, const char* call);            // might wait: by the thread's mode
void refuse_captured(Session&, const Event&, const char* call);
[[noreturn]] void spoil(Capture&, Status, const char* call, const char* why);
// The legacy stream while one that it waits for is captured. A mere question spoils nothing.
void refuse_implicit(Session&, const Stream&, const char* call, bool asks = false);

CaptureMode& capture_mode();  // of this thread

}  // namespace headroom::device
