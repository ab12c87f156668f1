// Streams that are being captured: what is given to them is written down instead of done, so no call
// may wait for it. A call that would is refused, and spoils the capture: its stream is told when the
// capture ends.
#pragma once
#include <set>
#include <thread>

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
  bool spoilt = false, ended = false;
};

void end_capture(Session&, Capture&);  // its streams work again

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
