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

constexpr bool is_capture_mode(int mode) {
  return mode >= int(CaptureMode::global) && mode <= int(CaptureMode::relaxed);
}

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

// By the stream's handle and the mode's number: into a graph of the program's (`into`, which may be no graph) after
// nodes of it, or, where that is null, into a new one.
Status begin_capture(Session&, const void* stream, int mode, Graph* const* into = nullptr,
                     Node* const* after = nullptr, size_t count = 0);
Status end_capture(Session&, const void* stream, Graph*& out);
struct CaptureState {
  enum Kind { none, active, spoilt } kind = none;  // numbered as both faces do
  Stream* stream = nullptr;
};
Status ask_capture(Session&, const void* stream, const char* call, CaptureState& out);
// What the stream's next work follows: nodes more, or others.
Status follow_nodes(Session&, const void* stream, Node* const* nodes, size_t count, bool instead);
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
Status exchange_capture_mode(int& mode);

}  // namespace headroom::device
